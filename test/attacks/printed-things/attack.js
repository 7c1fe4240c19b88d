import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  blockSize: 2,
  check({ bootstrap, log }) {
    assert.match(bootstrap, /^fulfilled/);
    const printed = log.reduce((sum, line) => sum + line.length, 0);
    assert(printed < 40_000_000, `${printed} characters were printed`);
  },
};
