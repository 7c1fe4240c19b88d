// Statistics of samples: their summary and slope. Used by reports and benchmarks.

import { insistArgument, quantileSorted } from '#model';

/**
 * @typedef {object} Summary
 * @property {number} n  finite values
 * @property {number} median
 * @property {number} min
 * @property {number} max
 * @property {number} p5
 * @property {number} p95
 */

/**
 * Summarise values of any order and unit.
 *
 * @param {ArrayLike<number>} values  NaN means "not measured" and is left out
 * @returns {Summary} without values, all fields except `n` are NaN
 */
export const summarise = values => {
  const sorted = Float64Array.from(values)
    .filter(value => !Number.isNaN(value))
    .sort();
  return {
    n: sorted.length,
    median: quantileSorted(sorted, 0.5),
    min: quantileSorted(sorted, 0),
    max: quantileSorted(sorted, 1),
    p5: quantileSorted(sorted, 0.05),
    p95: quantileSorted(sorted, 0.95),
  };
};

/** Student's t for 95 % (two-sided) at 1 to 10 degrees of freedom; above 10, a series is exact to four digits. */
const smallT = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281];
const normal975 = 1.959963985;

/**
 * The 97.5 % quantile of Student's t: 95 % lie between it and its negative.
 *
 * @param {number} freedom  degrees of freedom, a whole number from 1
 * @returns {number}
 */
export const studentT975 = freedom => {
  if (freedom <= smallT.length) return smallT[freedom - 1];
  const z = normal975;
  // Fisher's expansion of t around the normal quantile (Abramowitz and Stegun, 26.7.5).
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
};

/**
 * @typedef {object} Slope
 * @property {number} n  points
 * @property {number} slope  change of y for one x
 * @property {number} intercept
 * @property {number} standardError  of the slope; NaN with fewer than three points
 * @property {[number, number]} interval95  the 95 % confidence interval of the slope, if errors are
 *   independent
 */

/**
 * Fit a straight line through points by least squares. Pairs with a NaN are left out.
 *
 * @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @returns {Slope}
 * @throws {RangeError} with fewer than two different x
 * @throws {TypeError} for anything but lists
 */
export const fitSlope = (xs, ys) => {
  for (const list of [xs, ys])
    insistArgument('fitSlope()', list, { length: 'number' }, 'two lists of numbers');
  let n = 0;
  let meanX = 0;
  let meanY = 0;
  let varianceX = 0;
  let varianceY = 0;
  let covariance = 0;
  // Welford's running sums: block numbers and byte sizes are large, and their squares would lose
  // digits.
  for (let i = 0; i < xs.length; i += 1) {
    if (Number.isNaN(xs[i]) || Number.isNaN(ys[i])) continue;
    n += 1;
    const dx = xs[i] - meanX;
    const dy = ys[i] - meanY;
    meanX += dx / n;
    meanY += dy / n;
    varianceX += dx * (xs[i] - meanX);
    varianceY += dy * (ys[i] - meanY);
    covariance += dx * (ys[i] - meanY);
  }
  if (!(varianceX > 0)) {
    throw RangeError(`a slope needs points at two different x at least, got ${n} points`);
  }
  const slope = covariance / varianceX;
  const residue = Math.max(0, varianceY - slope * covariance);
  const standardError = n > 2 ? Math.sqrt(residue / (n - 2) / varianceX) : NaN;
  const reach = n > 2 ? studentT975(n - 2) * standardError : NaN;
  return {
    n,
    slope,
    intercept: meanY - slope * meanX,
    standardError,
    interval95: [slope - reach, slope + reach],
  };
};
