/** @type {import('../harness/attack-types.js').Attack} */
export default {
  keepsLog: true,
};
