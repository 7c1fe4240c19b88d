import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  settings: [{ node: ['--max-semi-space-size=64'] }, { node: ['--max-semi-space-size=1'] }],
  check({ log }) {
    assert.equal(log.length, 6);
    for (const line of log) assert.match(line, /known: 200 by key, (0|200) by mark$/);
  },
};
