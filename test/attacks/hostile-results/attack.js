import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  blockSize: 900,
  check({ log }) {
    assert.match(log.at(-1) ?? '', /bootstrap: all settled/);
  },
};
