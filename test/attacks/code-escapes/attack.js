import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  check({ log }) {
    assert.deepEqual(log, ['bootstrap: found nothing']);
  },
};
