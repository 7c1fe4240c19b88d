import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'a method that throws a proxy with a throwing trap leaves its result pending',
  blockSize: 200,
  check({ log }) {
    assert.match(log.at(-1) ?? '', /bootstrap: all settled/);
  },
};
