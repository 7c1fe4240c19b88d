// Fewer points than blocks, without hiding what an engineer looks for: a line shows what is typical, and the
// extremes of every stretch of blocks stay visible whatever the number of blocks.

import { quantileSorted } from '../summary.js';

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
 * Indices of at most `limit` points: all of them, or the lowest and the highest of each stretch, in their order.
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
 * Indices of points that lie as all do: one of each of `limit` stretches, at a place in it that changes from stretch
 * to stretch by a fixed rule, so that what recurs every so many blocks is neither always hit nor always missed.
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
      // The ends of the line stay where the blocks end.
      x: from === 0 ? xs[0] : to === n ? xs[n - 1] : xs[(from + to) >> 1],
      y: quantileSorted(sorted, 0.5),
      low: sorted[0],
      high: sorted[sorted.length - 1],
    });
  });
  return envelope;
};

/**
 * Blocks that a rolling median looks at: a fiftieth of the run, odd, and 1 (the values themselves) for a short run.
 *
 * @param {number} n
 */
export const rollingWindow = n => (n < 40 ? 1 : Math.max(5, Math.floor(n / 100) * 2 + 1));

/**
 * The median of the blocks around each of at most `limit` places, the first and the last block among them.
 * At the ends the window is cut, not moved.
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
 * Where an axis that starts at 0 should end so that a few outliers do not press everything else to the ground:
 * the typical value stays above a quarter of the height unless one block of twenty lies higher than that.
 * When the highest value is near that end, nothing is cut off.
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
 * @param {number} count  about how many steps
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
