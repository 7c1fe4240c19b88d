import test from 'ava';
import fc from 'fast-check';
import {
  findEnvelope,
  findRobustTop,
  pickExtremes,
  pickHighest,
  pickTypical,
  rollMedian,
  rollingWindow,
  roundAxis,
} from '../charts/sampling.js';

const someValues = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), {
  minLength: 1,
  maxLength: 400,
});
const asPoints = (/** @type {number[]} */ ys) => ({ xs: ys.map((_, i) => i), ys });

test('sampling keeps to its limit, its order, and the extremes of the whole run', t => {
  fc.assert(
    fc.property(someValues, fc.integer({ min: 2, max: 50 }), (ys, limit) => {
      const picked = pickExtremes(asPoints(ys), limit);
      t.true(picked.length <= Math.max(limit, 2));
      t.deepEqual(
        picked,
        [...new Set(picked)].sort((a, b) => a - b),
      );
      const values = picked.map(i => ys[i]);
      t.is(Math.max(...values), Math.max(...ys));
      t.is(Math.min(...values), Math.min(...ys));
      const highest = pickHighest(asPoints(ys), limit);
      t.is(Math.max(...highest.map(i => ys[i])), Math.max(...ys));
      const typical = pickTypical(asPoints(ys), limit);
      t.is(typical.length, Math.min(limit, ys.length));
      t.deepEqual(
        typical,
        [...new Set(typical)].sort((a, b) => a - b),
      );
    }),
  );
});

test('an envelope spans from the first block to the last and holds every value', t => {
  fc.assert(
    fc.property(someValues, fc.integer({ min: 1, max: 50 }), (ys, limit) => {
      const envelope = findEnvelope(asPoints(ys), limit);
      t.is(envelope.length, Math.min(limit, ys.length));
      t.is(envelope[0].x, 0);
      t.true(limit === 1 || envelope[envelope.length - 1].x === ys.length - 1);
      t.is(Math.max(...envelope.map(({ high }) => high)), Math.max(...ys));
      t.is(Math.min(...envelope.map(({ low }) => low)), Math.min(...ys));
      t.true(envelope.every(({ y, low, high }) => low <= y && y <= high));
    }),
  );
});

test('a rolling median does not move for single outliers', t => {
  const ys = Array.from({ length: 1000 }, (_, i) => (i % 50 === 0 ? 1e6 : 300));
  const medians = rollMedian(asPoints(ys), 200);
  t.is(medians.length, 200);
  t.is(medians[199].x, 999);
  t.true(medians.every(({ y }) => y === 300));
  t.is(rollingWindow(1000) % 2, 1);
  t.deepEqual(
    rollMedian(asPoints([5, 1, 9]), 200).map(({ y }) => y),
    [5, 1, 9],
  );
});

test('the end of the scale leaves a pause out but not the bulk', t => {
  const calm = Array.from({ length: 1000 }, (_, i) => 300 + (i % 10));
  t.is(findRobustTop(calm), 309);
  const withPause = [...calm, 40_000];
  t.true(findRobustTop(withPause) < 1000);
  const halfSlow = calm.map((y, i) => (i % 2 ? y : 20 * y));
  t.is(findRobustTop(halfSlow), Math.max(...halfSlow));
});

test('an axis ends at a tick, at or after the highest value', t => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
      fc.integer({ min: 2, max: 10 }),
      (top, count) => {
        const { end, ticks } = roundAxis(top, count);
        t.true(end >= top * (1 - 1e-6));
        t.is(ticks[0], 0);
        t.is(ticks[ticks.length - 1], end);
        t.true(ticks.length <= 2 * count + 2);
      },
    ),
  );
  t.deepEqual(roundAxis(0, 5), { end: 1, ticks: [0, 1] });
  t.deepEqual(roundAxis(1.74, 8).ticks, [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8]);
});
