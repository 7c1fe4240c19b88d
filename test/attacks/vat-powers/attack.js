import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  rounds: 2,
  mayEnd: ['mallory', 'leaver', 'failer', 'disavower'],
  check({ log }) {
    assert.equal(log.filter(line => line === 'bootstrap: bob: hello').length, 3, log.join('\n'));
    assert.deepEqual(
      log.filter(line => line.includes('the engine says')),
      [],
    );
  },
};
