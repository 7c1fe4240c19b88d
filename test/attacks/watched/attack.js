/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  // That all ways have the same hash is checked for every attack, and is what matters here.
  rounds: 3,
};
