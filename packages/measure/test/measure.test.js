// Timing loops; durations are never asserted.

import { createHash } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { measure, measureInTurns, spreadOf } from '../index.js';

test('a batch runs the requested number of times, after its setup', async t => {
  /** @type {string[]} */
  const log = [];
  const figure = await measure({
    name: 'thing',
    unit: 'us',
    setup: () => void log.push('setup'),
    run: n => void log.push(`run ${n}`),
    batches: 3,
    perBatch: 7,
    warmupMs: 0,
    params: { colour: 'red' },
  });
  // One batch to warm up, three that count.
  t.deepEqual(log, Array(4).fill(['setup', 'run 7']).flat());
  const { name, unit, n, median, min, max, p25, p75, params } = figure;
  t.deepEqual(
    { name, unit, n, params },
    { name: 'thing', unit: 'us', n: 3, params: { perBatch: 7, colour: 'red' } },
  );
  t.true(min <= p25 && p25 <= median && median <= p75 && p75 <= max);
});

test('contestants take turns', async t => {
  /** @type {string[]} */
  const log = [];
  const contestant = (/** @type {string} */ name) => ({ name, run: () => void log.push(name) });
  const figures = await measureInTurns([contestant('a'), contestant('b')], {
    batches: 3,
    perBatch: 1,
    warmupMs: 0,
  });
  t.is(log.slice(2).join(''), 'ababab');
  t.deepEqual(
    figures.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('a promise that a loop returns is awaited', async t => {
  let done = 0;
  await measure({
    name: 'later',
    run: async n => {
      await new Promise(resolve => setImmediate(resolve));
      done += n;
    },
    batches: 2,
    perBatch: 5,
    warmupMs: 0,
  });
  t.is(done, 15);
});

test('a batch grows until it takes the requested time', async t => {
  /** @type {number[]} */
  const sizes = [];
  const figure = await measure({
    name: 'hash',
    run: n => {
      sizes.push(n);
      const hash = createHash('sha256');
      for (let i = 0; i < n; i += 1) hash.update('some text');
      return hash.digest('hex');
    },
    batches: 2,
    // Longer than a single update on any machine.
    batchMs: 50,
    warmupMs: 1,
  });
  const { perBatch } = /** @type {{ perBatch: number }} */ (figure.params);
  t.deepEqual(sizes.slice(-2), [perBatch, perBatch]);
  t.true(perBatch > 1);
});

test('an error in a loop is not swallowed', async t => {
  const run = () => {
    throw Error('no such thing');
  };
  await t.throwsAsync(measure({ name: 'bad', run }), { message: 'no such thing' });
  await t.throwsAsync(measure({ name: 'none', run: () => {}, batches: 0 }), {
    message: '0 batches; there must be one at least',
  });
  await t.throwsAsync(measure({ name: 'hour', run: () => {}, unit: /** @type {any} */ ('hour') }), {
    message: 'unit "hour"; there are ns, us and ms',
  });
});

test('a spread is ordered, and does not depend on the order of the values', t => {
  const value = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), values => {
      const { n, min, p25, median, p75, max } = spreadOf(values);
      t.is(n, values.length);
      t.is(min, Math.min(...values));
      t.is(max, Math.max(...values));
      t.true(min <= p25 && p25 <= median && median <= p75 && p75 <= max);
      t.deepEqual(spreadOf([...values].reverse()), { n, median, p25, p75, min, max });
    }),
  );
  t.deepEqual(spreadOf([4, 1, 3, 2]), { n: 4, median: 2.5, p25: 1.75, p75: 3.25, min: 1, max: 4 });
  t.deepEqual(spreadOf([5]), { n: 1, median: 5, p25: 5, p75: 5, min: 5, max: 5 });
});

test('no value, or one that is not finite, is a bug', t => {
  t.throws(() => spreadOf([]), { message: 'no value was measured' });
  t.throws(() => spreadOf([1, NaN]), { message: /measured "NaN"; a figure is finite/ });
  t.throws(() => spreadOf([-Infinity, 1]), { message: /measured "-Infinity"; a figure is finite/ });
});
