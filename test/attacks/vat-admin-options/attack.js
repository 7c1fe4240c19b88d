import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  check({ log }) {
    assert(log.includes('bootstrap: thing: hello'), log.join('\n'));
    assert.equal(log.filter(line => line.endsWith(': hello')).length, 10);
    assert.deepEqual(
      log.filter(line => line.includes('the engine says')),
      [],
    );
  },
};
