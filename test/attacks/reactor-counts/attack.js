import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  mayEnd: ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'],
  check({ log }) {
    // The harness compares logs and hashes of the ways to run it; bob's time goes on.
    assert.deepEqual(
      log.filter(line => line.startsWith('bob: tick')),
      [1, 2, 3, 4, 5, 6, 7].map(n => `bob: tick ${n}`),
    );
    assert.ok(log.some(line => line.startsWith('bob: m0 counts ')));
  },
};
