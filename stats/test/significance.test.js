import test from 'ava';
import fc from 'fast-check';
import { quantileSorted } from '#model';
import { makeRandom } from '#testkit';
import { estimateSummary, holm, mannWhitney, welch } from '../significance.js';

/** @param {import('ava').ExecutionContext} t @param {number} actual @param {number} expected @param {number} within */
const near = (t, actual, expected, within) =>
  t.true(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);

test('small samples without ties are judged by all their orders', t => {
  // Figures of a textbook, and the orders counted by hand: of 6 orders of two and two values, 2 are as far apart as can be.
  const { u, p, superiority } = mannWhitney([20, 11, 17, 12], [19, 22, 16, 29, 24]);
  t.is(u, 17);
  near(t, p, 14 / 126, 1e-12);
  near(t, superiority, 17 / 20, 1e-12);
  near(t, mannWhitney([1, 2], [3, 4]).p, 2 / 6, 1e-12);
  t.is(mannWhitney([1, 3], [2, 4]).p > 0.5, true);
});

test('large samples are judged by the normal distribution, ties corrected for', t => {
  const left = Array.from({ length: 60 }, (_, i) => i % 10);
  t.is(mannWhitney(left, left).p, 1);
  t.is(mannWhitney([5, 5, 5], [5, 5]).p, 1, 'all values are one');
  const shifted = left.map(value => value + 2);
  t.true(mannWhitney(left, shifted).p < 0.001);
  // The normal distribution has 5 % beyond 1.96 deviations.
  const many = Array.from({ length: 400 }, (_, i) => i);
  const others = many.map(value => value + 16.3);
  near(t, mannWhitney(many, others).p, 0.05, 0.01);
});

test('the test asks neither for an order nor for a unit', t => {
  const sample = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sample, sample, (left, right) => {
      const one = mannWhitney(left, right);
      const other = mannWhitney(right, left);
      near(t, one.p, other.p, 1e-9);
      near(t, one.superiority, 1 - other.superiority, 1e-9);
      const scaled = mannWhitney(
        left.map(value => 3 * value + 7),
        [...right].reverse().map(value => 3 * value + 7),
      );
      near(t, one.p, scaled.p, 1e-9);
      t.true(one.p >= 0 && one.p <= 1);
    }),
  );
});

test('Welch’s p is that of Student’s t where that has a closed form', t => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 50, noNaN: true }), mean => {
      const wide = welch(
        { mean: 0, error: 0, freedom: 1 },
        { mean, error: Math.SQRT1_2, freedom: 1 },
      );
      near(t, wide.freedom, 1, 1e-9);
      near(t, wide.p, 1 - (2 / Math.PI) * Math.atan(wide.t), 1e-9);
      const even = welch(
        { mean: 0, error: Math.SQRT1_2, freedom: 1 },
        { mean, error: Math.SQRT1_2, freedom: 1 },
      );
      near(t, even.freedom, 2, 1e-9);
      near(t, even.p, 1 - even.t / Math.sqrt(2 + even.t ** 2), 1e-9);
    }),
  );
  t.is(welch({ mean: 1, error: 0, freedom: 4 }, { mean: 1, error: 0, freedom: 4 }).p, 1);
  t.like(welch({ mean: 1, error: 0, freedom: 4 }, { mean: 2, error: 0, freedom: 4 }), {
    t: Infinity,
    p: 0,
  });
  t.like(welch({ mean: 2, error: 0, freedom: 4 }, { mean: 1, error: 0, freedom: 4 }), {
    t: -Infinity,
    p: 0,
  });
});

test('the error of a mean is read from the quartiles of a normal sample', t => {
  const quartiles = { median: 10, p25: 10 - 0.6745, p75: 10.6745 };
  const { mean, error, freedom } = estimateSummary({ n: 1000, ...quartiles });
  near(t, mean, 10, 1e-9);
  near(t, error, Math.sqrt(1.163 / 1000), 0.0005);
  near(t, freedom, 0.4 * 999, 1e-9);
  // The second and the fourth of five values are 0.495 deviations from the middle, on average.
  const five = estimateSummary({ n: 5, median: 0, p25: -0.495, p75: 0.495 });
  near(t, five.error, Math.sqrt(1.163 / 5), 0.01);
});

test('samples of one distribution seldom differ by their quartiles', t => {
  for (const n of [2, 3, 5, 9, 15, 60]) {
    const { below } = makeRandom(`quartiles of ${n}`);
    const random = () => below(2 ** 30) / 2 ** 30;
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const summary = () => {
      const sorted = Float64Array.from({ length: n }, normal).sort();
      const [p25, median, p75] = [0.25, 0.5, 0.75].map(share => quantileSorted(sorted, share));
      return estimateSummary({ n, median, p25, p75 });
    };
    let different = 0;
    for (let i = 0; i < 2000; i += 1) if (welch(summary(), summary()).p < 0.05) different += 1;
    t.true(different <= 2000 * 0.06, `${different} of 2,000 pairs with ${n} values`);
  }
});

test("Holm's correction multiplies the smallest value by their number, and keeps the order", t => {
  t.deepEqual(
    holm([0.01, undefined, 0.04, 0.03]).map(p => p?.toFixed(4)),
    ['0.0300', undefined, '0.0600', '0.0600'],
  );
  t.deepEqual(holm([0.9, 0.8]), [1, 1]);
  t.deepEqual(holm([]), []);
});
