// The mean of values and its 99 % interval, by Student's distribution.

import { spreadOf } from '#measure';

/** Half the width of the interval in standard errors, by degrees of freedom from 1. */
const quantiles = [
  63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.25, 3.169, 3.106, 3.055, 3.012, 2.977,
  2.947, 2.921, 2.898, 2.878, 2.861, 2.845, 2.831, 2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763,
  2.756, 2.75,
];

/** The limit of `quantiles` for many degrees of freedom. */
const limit = 2.576;

/** @param {number} freedom */
const quantileOf = freedom => quantiles[freedom - 1] ?? limit + (2.75 - limit) * (30 / freedom);

/**
 * @typedef {import('#measure').Spread & { mean: number, half: number }} Mean  the interval is
 *   `mean` ± `half`; `half` is NaN for a single value, which tells nothing of the spread
 */

/** @param {number[]} values @returns {Mean} */
export const meanOf = values => {
  const spread = spreadOf(values);
  const { n } = spread;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { ...spread, mean, half: NaN };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / (n - 1) / n);
  return { ...spread, mean, half: quantileOf(n - 1) * error };
};
