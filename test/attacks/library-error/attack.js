import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    assert(log.includes('mallory: classes that have hooks: 0'), log.join('\n'));
    assert(log.includes('mallory: loot in all: 0'), log.join('\n'));
    assert(log.includes('bootstrap: bob has 100'), log.join('\n'));
  },
};
