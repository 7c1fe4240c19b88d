import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  ends: Array.from({ length: 14 }, (_, i) => `m${i}`),
  check({ log }) {
    assert(log.includes('bootstrap: bob: here'), log.join('\n'));
  },
};
