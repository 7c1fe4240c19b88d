// Parses and formats times. Inside the timer they are numbers: whole units since the start of the run. Outside they are
//
//   today   { absValue, timerBrand }, { relValue, timerBrand } with bigints; bare bigints and numbers are taken too
//   2020    numbers; bigints are taken too

import { isErrorLike, quote } from '#model';
import { getInterfaceOf, passStyleOf } from '#vat';
import { parseWhole } from './times.js';

/** @typedef {'absValue' | 'relValue'} TimeField */

/** @type {Record<TimeField, string>} */
const nouns = { absValue: 'a time', relValue: 'a duration' };

/** SwingSet's names of a time and of a duration: of a record, of a bare bigint. @type {Record<TimeField, string[]>} */
const subjects = { absValue: ['timestamp', 'timestamp'], relValue: ['relativeTime', 'relative'] };

/** Names a value as SES does that hides it. @param {unknown} value */
const hide = value => {
  if (value === undefined) return '(an undefined)';
  if (isErrorLike(value)) return '(an Error)';
  const type = typeof value;
  return /^[aeiou]/.test(type) ? `(an ${type})` : `(a ${type})`;
};

/**
 * Refuse a record in the words of the pattern that SwingSet's timer matches it with.
 *
 * @param {any} value  neither a number, a bigint, undefined nor null
 * @param {TimeField} field
 * @param {string} subject
 * @throws {Error}
 */
const insistRecord = (value, field, subject) => {
  const fail = (/** @type {string} */ reason) => {
    throw Error(`${subject}: ${reason}`);
  };
  if (passStyleOf(value) !== 'copyRecord')
    fail(`${hide(value)} - Must be a copyRecord to match a copyRecord pattern: (a string)`);
  const names = ['timerBrand', field];
  const missing = names.filter(name => !Object.hasOwn(value, name));
  if (missing.length > 0) fail(`(an object) - Must have missing properties ${quote(missing)}`);
  const more = Object.keys(value).filter(name => !names.includes(name));
  if (more.length > 0) fail(`(an object) - Must not have unexpected properties: ${quote(more)}`);
  const { timerBrand, [field]: time } = value;
  const style = passStyleOf(timerBrand);
  if (style !== 'remotable')
    fail(`timerBrand: ${hide(timerBrand)} - Must be a remotable TimerBrand, not ${style}`);
  if (typeof time !== 'bigint')
    fail(`${field}: ${passStyleOf(time)} ${hide(time)} - Must be a bigint`);
};

/**
 * @param {object} options
 * @param {object} options.timerBrand
 * @param {boolean} options.isNumeric  whether times go out as numbers
 */
export const makeTimes = ({ timerBrand, isNumeric }) => {
  /** @param {TimeField} field */
  const makeParser = field => (/** @type {any} */ value, /** @type {string} */ what) => {
    const [ofRecord, ofBare] = subjects[field];
    const expected = `${nouns[field]} of this timer, a whole number from 0 to 2^53-1 or { ${field}, timerBrand }`;
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw RangeError(`${value} is not a safe integer`);
      if (value < 0) throw RangeError(`${value} is negative`);
      return value;
    }
    // SwingSet's error for these two is the engine's, about a variable of its own.
    if (value === undefined || value === null) return parseWhole(value, what, expected);
    const isBare = typeof value === 'bigint';
    if (!isBare) insistRecord(value, field, ofRecord);
    const time = isBare ? value : value[field];
    if (time < 0n)
      throw Error(`${isBare ? ofBare : ofRecord}: ${field}: (a bigint) - Must be non-negative`);
    if (!isBare && value.timerBrand !== timerBrand) {
      const [theirs, ours] = [value.timerBrand, timerBrand].map(
        brand => `[${getInterfaceOf(brand)}]`,
      );
      throw Error(`TimerBrands must match: ${quote(theirs)} vs ${quote(ours)}`);
    }
    return parseWhole(time, what, expected);
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
