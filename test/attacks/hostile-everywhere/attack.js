import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  blockSize: 900,
  mayEnd: ['raw', 'reactor', 'child', 'module', 'createdVat', 'unnamed'],
  check({ log }) {
    assert.equal(log.at(-1), 'bootstrap: all settled');
  },
};
