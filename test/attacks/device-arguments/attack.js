import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  check({ log }) {
    assert(log.includes('bootstrap: bob: hello'), log.join('\n'));
  },
};
