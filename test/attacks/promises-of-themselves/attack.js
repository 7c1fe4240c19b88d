import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    assert.deepEqual(
      log.filter(line => line.startsWith('bob')),
      ['given', 'first of a ring', 'second of a ring', 'asked for'].map(
        kind => `bob: ${kind}: a message is refused: TypeError`,
      ),
    );
    assert(log.includes('bootstrap: bob lives'), log.join('\n'));
  },
};
