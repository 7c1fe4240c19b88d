import assert from 'node:assert/strict';

const count = 8;

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  mayEnd: Array.from({ length: count }, (_, i) => `m${i}`),
  check({ log }) {
    // Bob's time goes on, to the end of the program, and what honest reactions of mallory write first arrives.
    const ticks = log.filter(line => line.startsWith('bob: tick'));
    assert.deepEqual(
      ticks,
      [1, 2, 3, 4, 5, 6, 7].map(n => `bob: tick ${n}`),
    );
    assert.ok(log.some(line => line.startsWith('bob: got 0 ')));
  },
};
