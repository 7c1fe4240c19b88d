import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'SES knows one spelling of a dynamic import',
  notOn: '<24',
  check({ log }) {
    assert.deepEqual(log, ['bootstrap: bob reads nothing']);
  },
};
