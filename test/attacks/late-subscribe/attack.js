import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  ends: ['mallory'],
  check({ log }) {
    assert.deepEqual(
      log.filter(line => line.startsWith('bootstrap:')),
      [
        'bootstrap: mallory ok',
        'bootstrap: bob 0',
        'bootstrap: mallory failed: vat terminated',
        'bootstrap: bob 1',
        'bootstrap: mallory failed: vat terminated',
        'bootstrap: bob 2',
      ],
    );
  },
};
