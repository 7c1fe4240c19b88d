import fc from 'fast-check';
import test from 'ava';
import { meanOf } from '../mean.js';

test('the interval of thirty values is 2.756 standard errors on each side', t => {
  const values = Array.from({ length: 30 }, (_, i) => i);
  const { mean, half, n, median } = meanOf(values);
  t.is(n, 30);
  t.is(mean, 14.5);
  t.is(median, 14.5);
  // The variance of 0 to 29 is 77.5.
  t.true(Math.abs(half - 2.756 * Math.sqrt(77.5 / 30)) < 1e-12);
});

test('a single value has no interval', t => {
  t.like(meanOf([5]), { mean: 5, half: NaN, n: 1 });
});

test('the interval shifts and scales with the values', t => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: -99, max: 99 }),
      (values, factor, offset) => {
        const before = meanOf(values);
        const after = meanOf(values.map(value => value * factor + offset));
        t.true(Math.abs(after.mean - (before.mean * factor + offset)) < 1e-6);
        t.true(Math.abs(after.half - before.half * factor) < 1e-6);
      },
    ),
  );
});
