/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'errors that leave a vat are read by their getters where somebody watches',
  rounds: 2,
  blockSize: 40,
};
