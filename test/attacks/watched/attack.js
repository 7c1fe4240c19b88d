/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'the message of an error is read by its getter, and only where somebody watches',
  // That all ways have the same hash is checked for every attack, and is what matters here.
  rounds: 3,
};
