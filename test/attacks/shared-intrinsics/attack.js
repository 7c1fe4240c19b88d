import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  rounds: 1,
  check({ log, rounds }) {
    assert(log.includes('bootstrap: bob sees: nothing'), log.join('\n'));
    assert.match(rounds[0], /^fulfilled/);
    assert(!rounds[0].includes('was here'));
  },
};
