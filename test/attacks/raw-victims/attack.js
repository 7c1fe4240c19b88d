import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  mayEnd: ['mallory'],
  blockSize: 100,
  check({ log }) {
    assert.deepEqual(
      log.filter(line => line.startsWith('bootstrap')),
      ['usual', 'old', 'raw'].map(target => `bootstrap: ${target}: lives`),
    );
  },
};
