// The unit of an axis: the largest one in which its end is above 1. Steps are decimal (SI); the axis says so for
// bytes, where MB is taken for 10⁶ by some and 2²⁰ by others.

/**
 * @typedef {object} Unit
 * @property {string} name
 * @property {number} size  of one, in the file's unit
 * @property {string} axis  the unit as an axis title gives it
 */

/** @type {Unit[]} */
const times = [
  { name: 'ns', size: 1, axis: 'ns' },
  { name: 'µs', size: 1e3, axis: 'µs' },
  { name: 'ms', size: 1e6, axis: 'ms' },
  { name: 's', size: 1e9, axis: 's' },
];

/** @type {Unit[]} */
const sizes = [
  { name: 'B', size: 1, axis: 'bytes' },
  { name: 'kB', size: 1e3, axis: 'kB = 1,000 bytes' },
  { name: 'MB', size: 1e6, axis: 'MB = 10⁶ bytes' },
  { name: 'GB', size: 1e9, axis: 'GB = 10⁹ bytes' },
];

/** @type {Unit[]} */
const counts = [
  { name: '', size: 1, axis: 'single ones' },
  { name: 'thousand', size: 1e3, axis: 'thousands' },
  { name: 'million', size: 1e6, axis: 'millions' },
  { name: 'billion', size: 1e9, axis: 'billions = 10⁹' },
];

/** @param {Unit[]} units @param {number} end */
const chooseUnit = (units, end) => units.findLast(({ size }) => end >= size) ?? units[0];

/** @param {number} endNs */
export const chooseTimeUnit = endNs => chooseUnit(times, endNs);

/** @param {number} endBytes */
export const chooseByteUnit = endBytes => chooseUnit(sizes, endBytes);

/** @param {number} end */
export const chooseCountUnit = end => chooseUnit(counts, end);

/**
 * Three digits and the unit: `4.71 ms`.
 *
 * @param {number} value
 * @param {(end: number) => Unit} choose
 */
export const formatIn = (value, choose) => {
  const unit = choose(Math.abs(value));
  const scaled = value / unit.size;
  return `${scaled >= 100 ? Math.round(scaled) : Number(scaled.toPrecision(3))} ${unit.name}`.trimEnd();
};

/** @param {number} count  `10,000` */
export const formatCount = count => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * Six digits are more than a picture shows, and keep a spec with thousands of points small.
 *
 * @param {number} value
 */
export const trim = value => Number(value.toPrecision(6));
