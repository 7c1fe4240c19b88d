// Durations and tags in reactor programs. Internally, a duration is a safe integer of nanoseconds.

import { UserError, describeGiven, parseDuration, quote, unitsNs } from '#model';

/** @typedef {number | string} Duration  nanoseconds, or text with a unit: `"10 ms"` */

/**
 * Nanoseconds of a duration.
 *
 * @param {Duration} value
 * @param {string | (() => string)} what  the subject of the error message; may be a function, since finding a name
 *   walks over fields
 * @returns {number}
 * @throws {UserError} if it is no duration: an unknown unit, a negative number, more than 104 days
 */
export const duration = (value, what) => {
  if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) return value;
  const subject = () => (typeof what === 'string' ? what : what());
  try {
    if (typeof value === 'number' || typeof value === 'string') return parseDuration(value);
  } catch (error) {
    throw new UserError(`${subject()}: ${/** @type {Error} */ (error).message}`);
  }
  throw new UserError(`${subject()}: ${quote(value)} is not a duration; write one like "10 ms"`);
};

/** @type {(name: string, unitNs: number) => (count: number) => number} */
const unit = (name, unitNs) => count => {
  if (typeof count !== 'number')
    throw new UserError(`${name}() takes a number, got ${describeGiven(count)}`);
  return Math.round(count * unitNs);
};

/** Duration of so many nanoseconds. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const nsec = unit('nsec', 1);

/** Duration of so many microseconds. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const usec = unit('usec', unitsNs.us);

/** Duration of so many milliseconds. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const msec = unit('msec', unitsNs.ms);

/** Duration of so many seconds. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const sec = unit('sec', unitsNs.s);

/** Duration of so many minutes. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const minutes = unit('minutes', unitsNs.min);

/** Duration of so many hours. @param {number} count @returns {number} nanoseconds, whole @throws {UserError} no number */
export const hours = unit('hours', unitsNs.h);

/**
 * The names of reactor-ts, for programs written for it. A time value is a number of nanoseconds, so `a.add(b)` becomes
 * `a + b`, and `a.isEarlierThan(b)` becomes `a < b`.
 */
export const TimeValue = Object.freeze({
  zero: () => 0,
  forever: () => Number.MAX_SAFE_INTEGER,
  nsec,
  nsecs: nsec,
  usec,
  usecs: usec,
  msec,
  msecs: msec,
  sec,
  secs: sec,
  /** @type {(seconds: number, ns: number) => number} */
  secsAndNs: (seconds, ns) => sec(seconds) + ns,
  /** @type {(count: number, unitNs: number) => number} */
  withUnits: (count, unitNs) => Math.round(count * unitNs),
});

/** Nanoseconds in the units of `TimeValue.withUnits`. */
export const TimeUnit = Object.freeze({
  nsec: 1,
  usec: unitsNs.us,
  msec: unitsNs.ms,
  sec: unitsNs.s,
  minute: unitsNs.min,
  hour: unitsNs.h,
  day: unitsNs.d,
});
