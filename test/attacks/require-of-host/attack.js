import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  hosts: {
    'host.cjs': ({ stdout }) => assert.equal(stdout, 'bootstrap: mallory lurks\na stack\n'),
  },
};
