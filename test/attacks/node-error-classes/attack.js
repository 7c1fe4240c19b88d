import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    assert(log.includes('bootstrap: bob reads nothing'), log.join('\n'));
  },
  hosts: {
    'host.mjs': ({ stdout }) => {
      assert(!stdout.includes('MALLORY'), stdout);
      assert(!stdout.includes('secret'), stdout);
      assert.match(stdout, /done\n$/);
    },
  },
};
