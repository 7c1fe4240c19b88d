// Random programs do in federates and split over vats what they do as a library, and come to one hash and store however
// the run is cut up.

import test from 'ava';
import fc from 'fast-check';
import { runInFederates } from './in-federates.js';
import { runInLibrary } from './in-library.js';
import { runForDigest, runInOneVat, runSplit } from './in-vats.js';
import { randomProgram } from './random-program.js';
import { arbShape } from './random-shape.js';

const module = new URL('random-program.js', import.meta.url);

/** @type {(run: () => any) => Promise<any>} its result, or that it was refused */
const outcomeOf = async run => {
  try {
    return await run();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    for (const known of ['zero-delay cycle', 'more than 200 microsteps']) {
      if (message.includes(known)) return known;
    }
    throw error;
  }
};

test('a split program does what it does in one piece', async t => {
  await fc.assert(
    fc.asyncProperty(arbShape, async shape => {
      const what = randomProgram(shape, 30);
      const expected = await outcomeOf(() => runInLibrary(what));
      t.deepEqual(await outcomeOf(() => runInFederates(what)), expected);
    }),
    { numRuns: 300 },
  );
});

test('in one vat, split over vats, in blocks of any size, and resumed', async t => {
  await fc.assert(
    fc.asyncProperty(arbShape, fc.integer({ min: 1, max: 9 }), async (shape, blockSize) => {
      const what = randomProgram(shape, 30);
      const expected = await outcomeOf(() => runInLibrary(what));
      // A run without a limit would not end.
      if (expected === 'more than 200 microsteps') return;
      t.deepEqual(await outcomeOf(() => runInOneVat(what, module)), expected);
      t.deepEqual(await outcomeOf(() => runSplit(what, module)), expected);
      if (typeof expected === 'string') return;
      const whole = await runForDigest(what, module, {});
      t.deepEqual(await runForDigest(what, module, { blockSize }), whole);
      t.deepEqual(await runForDigest(what, module, { blockSize, reopen: true }), whole);
    }),
    { numRuns: 20 },
  );
});
