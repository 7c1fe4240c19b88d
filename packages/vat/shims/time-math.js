// `TimeMath` of `@agoric/time`: arithmetic on points in time (`absValue`) and durations (`relValue`), which can carry
// the brand of the timer that they belong to. Times without a brand are bare bigints and go with every brand.

import { Fail, quote } from '@endo/errors';
import { Nat } from '@endo/nat';
import { passStyleOf } from '../marshal/index.js';

/**
 * @typedef {{ timerBrand: object, absValue: bigint }} TimestampRecord
 * @typedef {{ timerBrand: object, relValue: bigint }} RelativeTimeRecord
 * @typedef {bigint | TimestampRecord} Timestamp
 * @typedef {bigint | RelativeTimeRecord} RelativeTime
 */

/**
 * @param {object | undefined} left
 * @param {object | undefined} right
 */
const agreeOnBrand = (left, right) => {
  if (left === undefined) return right;
  if (right === undefined || left === right) return left;
  throw Fail`TimerBrands must match: ${quote(left)} vs ${quote(right)}`;
};

/** @param {Timestamp | RelativeTime} time */
const brandOf = time => (typeof time === 'bigint' ? undefined : time.timerBrand);

/**
 * @param {any} record
 * @param {'absValue' | 'relValue'} field
 */
const insistRecord = (record, field) => {
  const what = field === 'absValue' ? 'timestamp' : 'relative time';
  passStyleOf(record) === 'copyRecord' ||
    Fail`a ${quote(what)} is a bigint or {timerBrand, ${quote(field)}}, got ${record}`;
  const names = Object.keys(record).sort().join();
  names === `${field},timerBrand`.split(',').sort().join() ||
    Fail`a ${quote(what)} is a bigint or {timerBrand, ${quote(field)}}, got a record of ${quote(names)}`;
  passStyleOf(record.timerBrand) === 'remotable' ||
    Fail`the timerBrand of a ${quote(what)} is a remotable, got ${record.timerBrand}`;
  typeof record[field] === 'bigint' ||
    Fail`the ${quote(field)} of a ${quote(what)} is a bigint, got ${record[field]}`;
};

/** @param {'absValue' | 'relValue'} field */
const makeReader = field => (/** @type {any} */ time) => {
  if (typeof time === 'bigint') return Nat(time);
  insistRecord(time, field);
  return Nat(time[field]);
};

/** @type {(abs: Timestamp) => bigint} */
const absValue = makeReader('absValue');
/** @type {(rel: RelativeTime) => bigint} */
const relValue = makeReader('relValue');

/**
 * Makes a time like its operands: with their brand if one of them has one.
 *
 * @param {'absValue' | 'relValue'} field
 * @param {Timestamp | RelativeTime} left
 * @param {Timestamp | RelativeTime} right
 * @param {bigint} value
 * @returns {any}
 * @throws {RangeError} if the value is below zero
 */
const makeLike = (field, left, right, value) => {
  Nat(value);
  const timerBrand = agreeOnBrand(brandOf(left), brandOf(right));
  return timerBrand === undefined ? value : harden({ timerBrand, [field]: value });
};

/** @param {'absValue' | 'relValue'} field */
const makeCoercer = field => (/** @type {any} */ time, /** @type {object} */ timerBrand) => {
  timerBrand || Fail`must have a brand`;
  const value = typeof time === 'number' ? Nat(time) : time;
  if (typeof value === 'bigint') return harden({ [field]: value, timerBrand });
  insistRecord(value, field);
  agreeOnBrand(value.timerBrand, timerBrand);
  return value;
};

/**
 * @param {Timestamp | RelativeTime} left
 * @param {Timestamp | RelativeTime} right
 * @param {bigint} leftValue
 * @param {bigint} rightValue
 * @returns {-1 | 0 | 1}
 */
const compare = (left, right, leftValue, rightValue) => {
  agreeOnBrand(brandOf(left), brandOf(right));
  return leftValue < rightValue ? -1 : leftValue > rightValue ? 1 : 0;
};

/**
 * @typedef {Timestamp} Abs
 * @typedef {RelativeTime} Rel
 */

export const TimeMath = harden({
  absValue,
  relValue,
  coerceTimestampRecord: makeCoercer('absValue'),
  coerceRelativeTimeRecord: makeCoercer('relValue'),

  addAbsRel: (/** @type {Abs} */ abs, /** @type {Rel} */ rel) =>
    makeLike('absValue', abs, rel, absValue(abs) + relValue(rel)),
  addRelRel: (/** @type {Rel} */ left, /** @type {Rel} */ right) =>
    makeLike('relValue', left, right, relValue(left) + relValue(right)),
  subtractAbsAbs: (/** @type {Abs} */ left, /** @type {Abs} */ right) =>
    makeLike('relValue', left, right, absValue(left) - absValue(right)),
  /** The difference, or zero if it would be negative. */
  clampedSubtractAbsAbs: (/** @type {Abs} */ left, /** @type {Abs} */ right) => {
    const difference = absValue(left) - absValue(right);
    return makeLike('relValue', left, right, difference > 0n ? difference : 0n);
  },
  subtractAbsRel: (/** @type {Abs} */ abs, /** @type {Rel} */ rel) =>
    makeLike('absValue', abs, rel, absValue(abs) - relValue(rel)),
  subtractRelRel: (/** @type {Rel} */ left, /** @type {Rel} */ right) =>
    makeLike('relValue', left, right, relValue(left) - relValue(right)),

  isRelZero: (/** @type {Rel} */ rel) => relValue(rel) === 0n,
  multiplyRelNat: (/** @type {Rel} */ rel, /** @type {bigint} */ factor) =>
    makeLike('relValue', rel, factor, relValue(rel) * factor),
  divideRelNat: (/** @type {Rel} */ rel, /** @type {bigint} */ divisor) =>
    makeLike('relValue', rel, divisor, relValue(rel) / divisor),
  divideRelRel: (/** @type {Rel} */ left, /** @type {Rel} */ right) => {
    agreeOnBrand(brandOf(left), brandOf(right));
    return relValue(left) / relValue(right);
  },
  /** The duration since the last multiple of the step. */
  modAbsRel: (/** @type {Abs} */ abs, /** @type {Rel} */ step) =>
    makeLike('relValue', abs, step, absValue(abs) % relValue(step)),
  modRelRel: (/** @type {Rel} */ rel, /** @type {Rel} */ step) =>
    makeLike('relValue', rel, step, relValue(rel) % relValue(step)),

  compareAbs: (/** @type {Abs} */ left, /** @type {Abs} */ right) =>
    compare(left, right, absValue(left), absValue(right)),
  compareRel: (/** @type {Rel} */ left, /** @type {Rel} */ right) =>
    compare(left, right, relValue(left), relValue(right)),
});
