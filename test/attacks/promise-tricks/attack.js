import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  blockSize: 15,
  check({ log }) {
    assert.match(log.at(-1) ?? '', /bootstrap: bob is whole/);
  },
};
