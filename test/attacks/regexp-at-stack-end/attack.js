import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  // How deep a search still works depends on the machine, and is not printed.
  check({ log, ended }) {
    assert.deepEqual(log, ['bob: still here']);
    assert.deepEqual(ended, []);
  },
};
