import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  profiles: ['current', '2020-09'],
  rounds: 3,
  check({ rounds }) {
    for (const [index, result] of rounds.entries())
      assert.match(result, new RegExp(`^fulfilled .*${index + 1}`));
  },
};
