// The distribution of single calls: the average, which L4Re publishes, and the percentiles around
// it. On a busy machine the average includes other work; the median is the cost of a call.

import { spreadOf } from '../spread.js';

/** @import { Spread } from '../spread.js' */

/** @typedef {Spread & { average: number, p99: number }} Distribution */

/** @param {Float64Array} values  one at least @returns {Distribution} */
export const distributionOf = values => {
  const sorted = values.toSorted();
  let sum = 0;
  for (const value of values) sum += value;
  return {
    ...spreadOf(values),
    average: sum / values.length,
    p99: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))],
  };
};
