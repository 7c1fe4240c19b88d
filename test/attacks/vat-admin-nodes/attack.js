import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  mayEnd: ['first'],
  check({ log }) {
    assert(log.includes('bootstrap: mallory: 0'), log.join('\n'));
    assert(log.includes('bootstrap: honest: hello'), log.join('\n'));
    assert(log.includes('bootstrap: second: hello'), log.join('\n'));
    assert(!log.some(line => line.includes('D took it')), log.join('\n'));
  },
};
