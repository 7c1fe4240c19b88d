import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 1,
  check({ rounds }) {
    assert.deepEqual(rounds, ['fulfilled #0']);
  },
  hosts: {
    'host.mjs': ({ stdout }) =>
      assert.match(stdout, /^#0\nhost: undefined undefined 'mine'\nhost: .*\n$/),
  },
};
