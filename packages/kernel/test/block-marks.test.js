// Marks of blocks: two runs are equal up to a crank if and only if their marks at that crank are equal.

import test from 'ava';
import fc from 'fast-check';

import { findFirstDifference, markStream, readBlockMarks } from '#kernel';
import { makeTestKernel, message } from '#testkit';

const long = 'x'.repeat(3000);

/**
 * A vat that sends itself a text in each crank.
 *
 * @param {(crank: number) => string} textOf
 */
const chatting = textOf => ({
  boot: {
    starts: true,
    /** @type {import('#testkit').React} */
    react: (delivery, call, crank) => {
      if (delivery[0] === 'message' && crank < 100)
        call('send', 'o+0', message(textOf(crank)), null);
    },
  },
});

/**
 * @param {(block: number) => number} sizeOf  cranks of a block
 * @param {(crank: number) => string} [textOf]
 * @param {boolean} [resumes]  at each block
 */
const marksOf = async (sizeOf, textOf = () => long, resumes = false) => {
  const vats = chatting(textOf);
  let run = makeTestKernel({ vats });
  for (let block = 1; !run.kernel.isQuiet; block += 1) {
    await run.run(sizeOf(block));
    run.kernel.commit();
    if (resumes) run = makeTestKernel({ vats, store: run.store, resume: true });
  }
  return [...readBlockMarks(run.store.readStream(markStream))];
};

test('equal runs have equal marks where blocks of both end, with blocks of any size, even if resumed at each', async t => {
  const whole = await marksOf(() => 1);
  t.true(new Set(whole.map(({ mark }) => mark.split(' ')[0])).size > 3, 'chunks were full');
  t.is(new Set(whole.map(({ mark }) => mark)).size, whole.length);
  const byCrank = new Map(whole.map(({ crank, mark }) => [crank, mark]));
  for (const resumes of [false, true]) {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async sizes => {
        const marks = await marksOf(block => sizes[block % sizes.length], undefined, resumes);
        for (const { crank, mark } of marks) t.is(mark, byCrank.get(crank) ?? 'none');
        t.is(marks.at(-1)?.crank, whole.at(-1)?.crank);
        t.is(findFirstDifference(marks, whole), undefined);
      }),
      { numRuns: 10 },
    );
  }
});

test('the first block is found in which two runs differ by one letter in one crank', async t => {
  const usual = await marksOf(() => 7);
  for (const at of [2, 7, 8, 14, 50, 99]) {
    const other = await marksOf(
      () => 7,
      crank => (crank === at ? `y${long.slice(1)}` : long),
    );
    const found = findFirstDifference(usual, other);
    // The message is in the record of the crank that sends it.
    const block = other.find(({ crank }) => crank >= at)?.block;
    t.like(found, { isKnown: true, left: { block }, right: { block } }, `crank ${at}`);
    t.is(found?.equalCranks, 7 * (Number(block) - 1));
  }
});

test('with blocks of other sizes the difference is between the last equal end and the next common one', async t => {
  const left = await marksOf(() => 4);
  const right = await marksOf(
    () => 6,
    crank => (crank === 13 ? 'other' : long),
  );
  t.like(findFirstDifference(left, right), {
    isKnown: true,
    equalCranks: 12,
    left: { block: 4, crank: 16 },
    right: { block: 3, crank: 18 },
  });
});

test('a run that ends before the other is compared up to its end', async t => {
  const all = await marksOf(() => 10);
  t.like(findFirstDifference(all.slice(0, 3), all), {
    isKnown: false,
    equalCranks: 30,
    left: undefined,
    right: { block: 4, crank: 40 },
  });
  t.deepEqual(findFirstDifference([], []), undefined);
});

test('a block without cranks has no mark', async t => {
  const run = makeTestKernel({ vats: { boot: () => {} } });
  run.kernel.commit();
  t.is(run.store.streamLength(markStream), 0);
  await run.run();
  run.kernel.commit();
  const length = run.store.streamLength(markStream);
  run.kernel.setHostValue('local.baseDir', 'somewhere');
  run.kernel.commit();
  t.is(run.store.streamLength(markStream), length);
});

test('damaged marks are reported in one line', async t => {
  const run = makeTestKernel({ vats: { boot: () => {} } });
  await run.run();
  run.kernel.commit();
  const bytes = run.store.readStream(markStream);
  const read = (/** @type {Uint8Array} */ some) => [...readBlockMarks(some)];
  for (let length = 1; length < bytes.length; length += 1)
    t.throws(() => read(bytes.subarray(0, length)), {
      message: /^the mark of block 1 \(local\.blocks\) is damaged: /,
    });
  t.throws(() => read(new Uint8Array(5)), { message: /damaged: a block of 0 cranks$/ });
});
