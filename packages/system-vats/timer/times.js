// Parses and formats times. Inside the timer they are numbers: whole units since the start of the run. Outside they are
//
//   today   { absValue, timerBrand }, { relValue, timerBrand } with bigints; bare bigints and numbers are taken too
//   2020    numbers; bigints are taken too

import { quote } from '#model';

/** @typedef {'absValue' | 'relValue'} TimeField */

/** @type {Record<TimeField, string>} */
const nouns = { absValue: 'a time', relValue: 'a duration' };

/** A number itself, any other value by its type only. @param {unknown} value */
const describe = value => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  return value === null ? 'null' : typeof value;
};

/**
 * A whole number from 0 to 2^53-1.
 *
 * @param {unknown} value  number or bigint
 * @param {string} subject  for the error: `setWakeup: the time`
 * @param {string} [expected]
 * @returns {number}
 * @throws {RangeError}
 */
export const parseWhole = (value, subject, expected = 'a whole number from 0 to 2^53-1') => {
  const isKnown = typeof value === 'number' || typeof value === 'bigint';
  const number = isKnown ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw RangeError(`${subject} must be ${expected}, got ${describe(value)}`);
};

/**
 * @param {object} options
 * @param {object} options.timerBrand
 * @param {boolean} options.isNumeric  whether times go out as numbers
 */
export const makeTimes = ({ timerBrand, isNumeric }) => {
  /** @param {TimeField} field */
  const makeParser = field => (/** @type {any} */ value, /** @type {string} */ subject) => {
    const expected = `${nouns[field]} of this timer, a whole number from 0 to 2^53-1 or { ${field}, timerBrand }`;
    if (typeof value !== 'object' || value === null) return parseWhole(value, subject, expected);
    const names = Object.keys(value).sort();
    if (names.join() !== `${field},timerBrand`) {
      throw TypeError(`${subject} must be ${expected}, got an object with ${quote(names)}`);
    }
    if (value.timerBrand !== timerBrand) {
      throw TypeError(`${subject} has the timerBrand of another timer; it must be ${expected}`);
    }
    if (typeof value[field] !== 'bigint') {
      throw TypeError(`${subject} must be ${expected}; its ${field} is no bigint`);
    }
    return parseWhole(value[field], subject, expected);
  };

  return harden({
    parseTime: makeParser('absValue'),
    parseDuration: makeParser('relValue'),

    /** @param {number} time @returns {any} */
    formatTime: time => (isNumeric ? time : harden({ absValue: BigInt(time), timerBrand })),

    /** A place in a series, from 1. @param {number} count @returns {number | bigint} */
    formatCount: count => (isNumeric ? count : BigInt(count)),
  });
};

/** @typedef {ReturnType<typeof makeTimes>} Times */

/**
 * The position of the series start, start + interval, start + 2 × interval, … at a time.
 *
 * @param {number} start
 * @param {number} interval  above 0
 * @param {number} now
 * @returns {{ latest: { time: number, count: number } | undefined, next: number }} the latest member that is not in
 *   the future, counted from 1, and the time of the one after it
 */
export const measureSeries = (start, interval, now) => {
  if (now < start) return { latest: undefined, next: start };
  const phase = (now - start) % interval;
  const time = now - phase;
  return { latest: { time, count: (time - start) / interval + 1 }, next: time + interval };
};
