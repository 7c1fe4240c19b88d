import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  settings: [{ node: ['--max-semi-space-size=64'] }, { node: ['--max-old-space-size=200'] }],
  check({ log }) {
    const counts = log.map(line => Number(/marked: (\d+)/.exec(line)?.[1]));
    // All are new at first, and known from then on.
    assert.deepEqual(counts, [0, 10]);
  },
};
