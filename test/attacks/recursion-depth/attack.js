/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'the depth of the stack is a fact of the machine',
  rounds: 1,
  mayEnd: ['bootstrap'],
  settings: [{ node: ['--stack-size=800'] }],
};
