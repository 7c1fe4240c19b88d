/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  rounds: 2,
  blockSize: 40,
};
