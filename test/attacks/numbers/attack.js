/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'Math.pow and ** differ between versions of the engine',
  notOn: '<24',
  keepsLog: true,
};
