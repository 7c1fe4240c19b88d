// Reduces the number of points: a line shows typical values, and the extremes of every stretch of
// blocks stay visible for any number of blocks.

import { quantileSorted } from '#model';

/**
 * A line's values; `xs` ascending, no NaN.
 *
 * @typedef {object} Points
 * @property {ArrayLike<number>} xs
 * @property {ArrayLike<number>} ys
 */

/**
 * Cut 0…n into equal stretches.
 *
 * @param {number} n
 * @param {number} stretches  not more than n
 * @param {(from: number, to: number) => void} visit  `to` is excluded
 */
const forStretches = (n, stretches, visit) => {
  for (let i = 0; i < stretches; i += 1) {
    visit(Math.floor((i * n) / stretches), Math.floor(((i + 1) * n) / stretches));
  }
};

/**
 * Indices of at most `limit` points: all, or the lowest and the highest of each stretch, in their
 * order.
 *
 * @param {Points} points
 * @param {number} limit
 * @returns {number[]}
 */
export const pickExtremes = ({ ys }, limit) => {
  const n = ys.length;
  if (n <= limit) return Array.from({ length: n }, (_, i) => i);
  /** @type {number[]} */
  const picked = [];
  forStretches(n, Math.max(1, Math.floor(limit / 2)), (from, to) => {
    let low = from;
    let high = from;
    for (let i = from + 1; i < to; i += 1) {
      if (ys[i] < ys[low]) low = i;
      if (ys[i] > ys[high]) high = i;
    }
    picked.push(Math.min(low, high));
    if (low !== high) picked.push(Math.max(low, high));
  });
  return picked;
};

/**
 * Indices of the highest point of each of at most `limit` stretches.
 *
 * @param {Points} points
 * @param {number} limit
 * @returns {number[]}
 */
export const pickHighest = ({ ys }, limit) => {
  /** @type {number[]} */
  const picked = [];
  forStretches(ys.length, Math.min(ys.length, limit), (from, to) => {
    let high = from;
    for (let i = from + 1; i < to; i += 1) if (ys[i] > ys[high]) high = i;
    picked.push(high);
  });
  return picked;
};

/**
 * Indices of typical points: one of each of `limit` stretches. Its position in the stretch varies
 * by a fixed rule, so that periodic values are neither always nor never picked.
 *
 * @param {Points} points
 * @param {number} limit
 * @returns {number[]}
 */
export const pickTypical = ({ ys }, limit) => {
  /** @type {number[]} */
  const picked = [];
  forStretches(ys.length, Math.min(ys.length, limit), (from, to) => {
    const scattered = Math.imul(picked.length + 1, 0x9e3779b1) >>> 0;
    picked.push(from + (scattered % (to - from)));
  });
  return picked;
};

/**
 * Median, lowest and highest of each of at most `limit` stretches.
 *
 * @param {Points} points
 * @param {number} limit
 * @returns {{ x: number, y: number, low: number, high: number }[]}
 */
export const findEnvelope = ({ xs, ys }, limit) => {
  const n = ys.length;
  /** @type {{ x: number, y: number, low: number, high: number }[]} */
  const envelope = [];
  forStretches(n, Math.min(n, limit), (from, to) => {
    const sorted = Float64Array.from({ length: to - from }, (_, i) => ys[from + i]).sort();
    envelope.push({
      // The line begins at the first block and ends at the last one.
      x: from === 0 ? xs[0] : to === n ? xs[n - 1] : xs[(from + to) >> 1],
      y: quantileSorted(sorted, 0.5),
      low: sorted[0],
      high: sorted[sorted.length - 1],
    });
  });
  return envelope;
};

/**
 * The window of a rolling median, in blocks: a fiftieth of the run, odd; 1 (the values themselves)
 * for a short run.
 *
 * @param {number} n
 */
export const rollingWindow = n => (n < 40 ? 1 : Math.max(5, Math.floor(n / 100) * 2 + 1));

/**
 * The median of the window around each of at most `limit` blocks, including the first and the last
 * one. At the ends the window is cut, not moved.
 *
 * @param {Points} points
 * @param {number} limit  at least 2
 */
export const rollMedian = ({ xs, ys }, limit) => {
  const n = ys.length;
  const half = (rollingWindow(n) - 1) / 2;
  const places = Math.min(n, limit);
  return Array.from({ length: places }, (_, i) => {
    const at = places === 1 ? 0 : Math.round((i * (n - 1)) / (places - 1));
    const from = Math.max(0, at - half);
    const to = Math.min(n, at + half + 1);
    const window = Float64Array.from({ length: to - from }, (__, j) => ys[from + j]).sort();
    return { x: xs[at], y: quantileSorted(window, 0.5) };
  });
};

/**
 * Choose the end of an axis from 0 so that a few outliers do not flatten the rest: the median stays
 * above a quarter of the height, unless one block of twenty is higher than four medians. If the
 * highest value is near that end, nothing is cut off.
 *
 * @param {ArrayLike<number>} ys
 */
export const findRobustTop = ys => {
  const sorted = Float64Array.from(ys).sort();
  const max = quantileSorted(sorted, 1);
  const median = quantileSorted(sorted, 0.5);
  const most = Math.max(4 * median, 1.2 * quantileSorted(sorted, 0.95));
  const top = Math.min(most, Math.max(2 * median, 1.2 * quantileSorted(sorted, 0.99)));
  return max <= 1.3 * top ? max : top;
};

/**
 * A linear axis from 0 that ends at a tick: steps of 1, 2 or 5 times a power of ten.
 *
 * @param {number} top  not below 0; the axis ends there or after it
 * @param {number} count  the approximate number of steps
 * @returns {{ end: number, ticks: number[] }}
 */
export const roundAxis = (top, count) => {
  if (!(top > 0)) return { end: 1, ticks: [0, 1] };
  const rough = top / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = rough / power;
  const step = (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10) * power;
  const steps = Math.ceil(top / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { end: ticks[steps], ticks };
};
