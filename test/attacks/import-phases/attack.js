import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    const got = log.filter(line => line.startsWith('mallory: got'));
    assert.deepEqual(got, [], log.join('\n'));
    assert(log.includes('mallory: 34 ways tried'), log.join('\n'));
    assert(log.includes('bob: found undefined'), log.join('\n'));
  },
  hosts: {
    // The library leaves alone what the host program imports, before and after.
    'host.mjs': ({ stdout }) => assert.match(stdout, /own imports: 7 7 refused/),
  },
};
