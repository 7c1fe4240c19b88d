// Programs of the table, split over vats, come to one activity hash and one store, however the run is cut up: a block may
// end in the middle of what a vat would do by itself, and a run may be resumed after any block.

import test from 'ava';
import { loadPrograms } from './load.js';
import { runForDigest } from './in-vats.js';

/** Every eighth, of all folders. */
const chosen = (await loadPrograms())
  .filter(({ what }) => what.error === undefined)
  .filter(
    ({ what }, i) =>
      i % 8 === 0 || what.name === 'TransitionTrigger' || what.name === 'ActionDelay',
  );

for (const { what, url } of chosen) {
  test.serial(`${what.name} is the same in blocks of any size, and resumed`, async t => {
    const whole = await runForDigest(what, url, {});
    t.deepEqual(await runForDigest(what, url, { blockSize: 1 }), whole, 'crank by crank');
    t.deepEqual(
      await runForDigest(what, url, { blockSize: 2, reopen: true }),
      whole,
      'resumed every two cranks',
    );
  });
}
