import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    for (const name of ['victim', 'raw2020', 'rawToday'])
      assert(log.includes(`bootstrap: ${name} is alive: 1`), log.join('\n'));
  },
};
