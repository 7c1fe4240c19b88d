import test from 'ava';
import fc from 'fast-check';
import { fitSlope, summarise } from '../index.js';

test('a summary gives order statistics with interpolation', t => {
  const values = [NaN, ...Array.from({ length: 21 }, (_, i) => 20 - i)];
  t.deepEqual(summarise(values), { n: 21, median: 10, min: 0, max: 20, p5: 1, p95: 19 });
  t.is(summarise([4, 1, 3, 2]).median, 2.5);
  t.deepEqual(summarise([7]), { n: 1, median: 7, min: 7, max: 7, p5: 7, p95: 7 });
  t.deepEqual(summarise([]), { n: 0, median: NaN, min: NaN, max: NaN, p5: NaN, p95: NaN });
});

test('summaries sort by number, not by text', t => {
  t.is(summarise([10, 9, 100]).median, 10);
});

test("a slope, its error and interval agree with the textbook's", t => {
  // Anscombe's first quartet: y = 3.00 + 0.500 x, standard error 0.1179, t(9) = 2.2622.
  const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const { n, slope, intercept, standardError, interval95 } = fitSlope(xs, ys);
  const round = (/** @type {number} */ value) => Number(value.toFixed(4));
  t.is(n, 11);
  t.is(round(slope), 0.5001);
  t.is(round(intercept), 3.0001);
  t.is(round(standardError), 0.1179);
  t.deepEqual(interval95.map(round), [0.2334, 0.7668]);
});

test('points on a line give the line, also far from zero', t => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 3, max: 200 }),
      (slope, intercept, start, n) => {
        const xs = Array.from({ length: n }, (_, i) => start + i);
        const fit = fitSlope(
          xs,
          xs.map(x => intercept + slope * x),
        );
        t.true(Math.abs(fit.slope - slope) < 1e-6);
        t.true(fit.standardError < 1e-3);
      },
    ),
    { numRuns: 50 },
  );
});

test('the interval is wide enough at every number of points', t => {
  // Student's t for 95 %, two-sided, from published tables, at 10, 11, 30 and 120 degrees of freedom.
  for (const [freedom, quantile] of [
    [10, 2.2281],
    [11, 2.201],
    [30, 2.0423],
    [120, 1.9799],
  ]) {
    const xs = Array.from({ length: freedom + 2 }, (_, i) => i);
    const { slope, standardError, interval95 } = fitSlope(
      xs,
      xs.map(x => (x % 2 ? 1 : -1)),
    );
    t.is(((interval95[1] - slope) / standardError).toFixed(3), quantile.toFixed(3));
  }
});

test('two points have a slope but no error, one point has neither', t => {
  const { slope, standardError } = fitSlope([1, 3], [1, 5]);
  t.is(slope, 2);
  t.is(standardError, NaN);
  t.throws(() => fitSlope([1], [1]), { instanceOf: RangeError });
  t.throws(() => fitSlope([2, 2], [1, 5]), { instanceOf: RangeError });
});
