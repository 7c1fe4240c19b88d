// The median and the spread of measured values. Noise only adds time, so the distance of the median
// from the minimum shows the noise; a mean would not.

import { Fail, quantileSorted } from '#model';

/**
 * @typedef {object} Spread
 * @property {number} n  the number of values
 * @property {number} median
 * @property {number} p25  a quarter of the values is below
 * @property {number} p75  a quarter is above
 * @property {number} min
 * @property {number} max
 */

/**
 * @param {ArrayLike<number>} values  one at least, all finite
 * @returns {Spread}
 */
export const spreadOf = values => {
  values.length > 0 || Fail`no value was measured`;
  const sorted = Float64Array.from(values).sort();
  // Sorting puts NaN last.
  const strange = [sorted[0], sorted[sorted.length - 1]].find(value => !Number.isFinite(value));
  strange === undefined || Fail`measured ${String(strange)}; a figure is finite`;
  return {
    n: sorted.length,
    median: quantileSorted(sorted, 0.5),
    p25: quantileSorted(sorted, 0.25),
    p75: quantileSorted(sorted, 0.75),
    min: sorted[0],
    max: sorted[sorted.length - 1],
  };
};
