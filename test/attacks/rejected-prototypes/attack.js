import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 1,
  timeoutMs: 300_000,
  check({ log }) {
    assert.match(log.at(-1) ?? '', /^bootstrap: symbols: (none|(Symbol\.)?[\w.,]*)$/);
    assert.doesNotMatch(log.at(-1) ?? '', /async_id|context_frame/);
  },
  hosts: {
    'host.mjs': ({ stdout }) => assert.match(stdout, /^done, with async hooks$/m),
  },
};
