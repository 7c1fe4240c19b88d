import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    assert(log.includes('mallory: changed: nothing'), log.join('\n'));
  },
};
