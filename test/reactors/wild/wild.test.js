// Wild programs do as a library, in federates, in one vat and split over vats what the naive interpreter says.
//
// WILD_SEEDS=20000 runs so many more seeds, WILD_FROM=N those from N on; WILD_VATS=200 runs so many in vats as well. A seed
// that failed once is kept in `corpus.js`.

import process from 'node:process';
import test from 'ava';
import { runInFederates } from '../in-federates.js';
import { runInLibrary } from '../in-library.js';
import { runForDigest, runInOneVat, runSplit } from '../in-vats.js';
import { corpus } from './corpus.js';
import { interpret } from './interpreter.js';
import { wildShape } from './shape.js';
import { wildProgram } from './wild.js';

const module = new URL('wild.js', import.meta.url);

const count = Number(process.env.WILD_SEEDS ?? 400);
const first = Number(process.env.WILD_FROM ?? 1);
const inVats = Number(process.env.WILD_VATS ?? 6);

/** Why a program may be refused, or stopped. */
const refusals = ['zero-delay cycle', 'more than 60 microsteps'];

/**
 * Lines by instance: the order of instances that do not depend on each other is not the point.
 *
 * @param {Record<string, string[]>} trace
 */
const byInstance = trace => {
  /** @type {Record<string, string[]>} */
  const lines = {};
  for (const line of Object.values(trace).flat()) {
    const [, path] = line.split(' ');
    lines[path] ??= [];
    lines[path].push(line);
  }
  return lines;
};

/** @param {() => any} run */
const outcomeOf = async run => {
  try {
    return byInstance(await run());
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const known = refusals.find(text => message.includes(text));
    if (known === undefined) throw error;
    return known;
  }
};

/** Half of the programs can be split. @param {number} seed */
const shapeOf = seed => wildShape(seed, { canSplit: seed % 2 === 0 });

/** @param {import('ava').ExecutionContext} t @param {number} seed */
const compare = async (t, seed) => {
  const shape = shapeOf(seed);
  const said = interpret(shape);
  const expected = typeof said === 'string' ? said : byInstance(said);
  const what = wildProgram(shape);
  const rerun = `WILD_FROM=${seed} WILD_SEEDS=1`;
  t.deepEqual(await outcomeOf(() => runInLibrary(what)), expected, `library, ${rerun}`);
  if (seed % 2 === 1) return typeof expected === 'string' ? null : expected;
  t.deepEqual(await outcomeOf(() => runInFederates(what)), expected, `federates, ${rerun}`);
  return typeof expected === 'string' ? null : expected;
};

test('the programs of the corpus do what the interpreter says', async t => {
  for (const seed of corpus) await compare(t, seed);
  t.pass();
});

test('wild programs do what the interpreter says, as a library and in federates', async t => {
  let lines = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    lines += Object.values((await compare(t, seed)) ?? {}).flat().length;
  }
  // A generator whose programs do nothing would find nothing.
  if (count >= 400) t.true(lines > count * 10);
  else t.pass();
});

test('wild programs do the same in one vat, split, in blocks of any size, and resumed', async t => {
  let left = inVats;
  for (let seed = 2 * first; left > 0; seed += 2) {
    const expected = await compare(t, seed);
    if (expected === null) continue;
    left -= 1;
    const what = wildProgram(shapeOf(seed));
    const rerun = `WILD_FROM=${seed / 2} WILD_VATS=1`;
    t.deepEqual(byInstance(await runInOneVat(what, module)), expected, `one vat, ${rerun}`);
    t.deepEqual(byInstance(await runSplit(what, module)), expected, `split, ${rerun}`);
    const whole = await runForDigest(what, module, {});
    const blockSize = 1 + (seed % 7);
    t.deepEqual(await runForDigest(what, module, { blockSize }), whole, `blocks, ${rerun}`);
    t.deepEqual(
      await runForDigest(what, module, { blockSize, reopen: true }),
      whole,
      `resumed, ${rerun}`,
    );
  }
});
