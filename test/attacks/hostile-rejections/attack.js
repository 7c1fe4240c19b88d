import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'the host reads reasons of rejections with getters and instanceof',
  profiles: ['current', '2020-09'],
  rounds: 4,
  check({ rounds }) {
    for (const [index, result] of rounds.entries())
      assert.match(result, new RegExp(`^fulfilled .*${index + 1}`));
  },
};
