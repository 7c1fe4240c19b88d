import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    assert.deepEqual(log, ['bootstrap: bob reads nothing']);
  },
};
