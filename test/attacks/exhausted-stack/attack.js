import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 4,
  // How many of mallory's messages leave her depends on the stack: her own runs need not be the same (see
  // `stack-depth`), but bob is whole after them.
  inProcess: false,
  command: false,
  hosts: {
    'host.mjs': ({ stdout }) => assert.equal(stdout, 'whole\n'.repeat(6)),
  },
};
