// Random programs do in federates and split over vats what they do as a library, and come to one hash and store however
// the run is cut up.

import test from 'ava';
import fc from 'fast-check';
import { runInFederates } from './in-federates.js';
import { runInLibrary } from './in-library.js';
import { runForDigest, runInOneVat, runSplit } from './in-vats.js';
import { inputs, outputs, randomProgram } from './random-program.js';

/** @import { Shape } from './random-program.js' */

const module = new URL('random-program.js', import.meta.url);

/** @type {(channels: number, maxLength: number) => fc.Arbitrary<number[]>} */
const arbChannels = (channels, maxLength) => fc.uniqueArray(fc.nat(channels - 1), { maxLength });

/** @type {fc.Arbitrary<Shape>} */
const arbShape = fc.integer({ min: 1, max: 5 }).chain(count =>
  fc.record({
    nodes: fc.array(
      fc.record({
        offset: fc.nat(5),
        period: fc.integer({ min: 2, max: 9 }),
        reactions: fc.array(
          fc.record({
            reads: arbChannels(inputs, 2),
            looks: arbChannels(inputs, 1),
            writes: arbChannels(outputs, 1),
            ticks: fc.boolean(),
            acts: fc.boolean(),
            delays: fc.array(fc.nat(6), { maxLength: 2 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      { minLength: count, maxLength: count },
    ),
    wires: fc.uniqueArray(
      fc.record({
        from: fc.nat(count - 1),
        out: fc.nat(outputs - 1),
        to: fc.nat(count - 1),
        in: fc.nat(inputs - 1),
        after: fc.option(fc.nat(7), { nil: null, freq: 2 }),
      }),
      { maxLength: 8, selector: wire => `${wire.to} ${wire.in}` },
    ),
  }),
);

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
