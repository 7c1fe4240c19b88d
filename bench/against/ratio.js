// Compares two versions that ran in pairs: the median of the ratios of the pairs, and its 95 %
// interval by the bootstrap (pairs drawn with replacement, medians taken, 2.5 % cut off at each
// end). A pair runs within seconds, so slower changes of the machine cancel out in its ratio.

import { quantileSorted } from '#model';

/** Resamples; with so many, another seed moves the ends of the interval by less than a tenth of its width. */
const resamples = 4_000;

/** @param {ArrayLike<number>} values */
const medianOf = values => quantileSorted(Float64Array.from(values).sort(), 0.5);

/** A generator of numbers below `bound`, the same in each run (a linear congruence modulo 2^32). */
const makeDraw = () => {
  let state = 1;
  return (/** @type {number} */ bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

/**
 * @param {{ before: number, after: number }[]} pairs  two at least; positive, of one unit
 * @returns {{ before: number, after: number, ratio: number, low: number, high: number }}  medians of both sides; the
 *   median of after / before and the ends of its 95 % interval
 */
export const compareInPairs = pairs => {
  const ratios = pairs.map(({ before, after }) => after / before);
  const draw = makeDraw();
  const medians = Float64Array.from({ length: resamples }, () =>
    medianOf(ratios.map(() => ratios[draw(ratios.length)])),
  ).sort();
  const cut = Math.floor(resamples * 0.025);
  return {
    before: medianOf(pairs.map(({ before }) => before)),
    after: medianOf(pairs.map(({ after }) => after)),
    ratio: medianOf(ratios),
    low: medians[cut],
    high: medians[resamples - 1 - cut],
  };
};
