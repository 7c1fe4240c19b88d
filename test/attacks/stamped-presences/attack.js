import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks:
    'imports are held weakly between the deliveries in which the vat is asked for its dead; they must be held until then',
  check({ log }) {
    const counts = log.map(line => Number(/marked: (\d+)/.exec(line)?.[1]));
    // All are new at first, and known from then on.
    assert.deepEqual(counts, [0, 10]);
  },
};
