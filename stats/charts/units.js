// The unit of an axis: the largest one in which its end is at least 1. Units are decimal (SI); for
// bytes the axis says so, since MB can mean 10⁶ or 2²⁰ bytes.

/**
 * @typedef {object} Unit
 * @property {string} name
 * @property {number} size  in the file's unit
 * @property {string} axis  the unit in the title of an axis
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
 * Format a value with three digits and its unit: `4.71 ms`.
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
 * Round to six digits, more than a picture shows, so that a specification with thousands of points
 * stays small.
 *
 * @param {number} value
 */
export const trim = value => Number(value.toPrecision(6));
