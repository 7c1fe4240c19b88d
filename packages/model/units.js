// Parses and formats durations as people write them. Internally, every duration is a safe integer of nanoseconds.

import { quote } from './errors.js';

/** Nanoseconds in one of each unit. */
export const unitsNs = Object.freeze({
  ns: 1,
  us: 1_000,
  ms: 1_000_000,
  s: 1_000_000_000,
  min: 60_000_000_000,
  h: 3_600_000_000_000,
  d: 86_400_000_000_000,
});

const durationPattern = /^(\d+)(?:\.(\d+))?\s*(ns|us|µs|ms|s|min|h|d)$/;

/**
 * Nanoseconds of `"10 ms"`, `"1.5s"`, `"0ns"`; a number is in nanoseconds.
 *
 * @param {string | number} text
 * @returns {number} a safe integer
 * @throws {RangeError} for text that is no duration, a fraction of a nanosecond, or more than 2^53-1 ns
 */
export const parseDuration = text => {
  let ns = NaN;
  if (typeof text === 'number') {
    ns = text;
  } else if (text === '0') {
    ns = 0;
  } else {
    const found = durationPattern.exec(text.trim());
    if (found) {
      const [, whole, fraction = '', name] = found;
      const unit = /** @type {keyof typeof unitsNs} */ (name === 'µs' ? 'us' : name);
      // Decimal fractions of a unit are not exact in binary: 1.1 ms would be 1,100,000.0000000001 ns.
      const scaled = BigInt(whole + fraction) * BigInt(unitsNs[unit]);
      const scale = 10n ** BigInt(fraction.length);
      if (scaled % scale === 0n) ns = Number(scaled / scale);
    }
  }
  if (!Number.isSafeInteger(ns) || ns < 0) {
    throw RangeError(
      `${quote(text)} is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days`,
    );
  }
  return ns;
};

/**
 * A rounded duration in the largest unit in which it is at least 1: `4.7 ms`, `812 ns`.
 *
 * @param {number} ns
 */
export const formatDuration = ns => {
  if (Math.round(ns) < 1_000) return `${Math.round(ns)} ns`;
  for (const unit of /** @type {const} */ (['us', 'ms'])) {
    const text = (ns / unitsNs[unit]).toPrecision(3);
    // A number that is rounded to 1,000 is shown in the next unit.
    if (Number(text) < 1_000) return `${text} ${unit === 'us' ? 'µs' : unit}`;
  }
  const seconds = ns / unitsNs.s;
  return `${seconds < 9_999.5 ? seconds.toPrecision(4) : seconds.toFixed(0)} s`;
};

/** Units in which an exact time is written, the largest first. */
const exactUnits = /** @type {const} */ (['s', 'ms', 'us']);

/**
 * A duration to the nanosecond, in the largest of s, ms, µs and ns in which it is at least 1: `1.5 s`, `500 ms`, `7
 * ns`. `parseDuration` reads it.
 *
 * @param {number} ns  a safe integer from 0
 */
export const formatExactDuration = ns => {
  const unit = exactUnits.find(name => ns >= unitsNs[name]);
  if (unit === undefined) return `${ns} ns`;
  const inUnit = unitsNs[unit];
  const digits = String(inUnit).length - 1;
  const fraction = String(ns % inUnit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  const whole = Math.floor(ns / inUnit);
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${unit === 'us' ? 'µs' : unit}`;
};

/**
 * A count with its noun: `1 crank`, `2 cranks`.
 *
 * @param {number} count
 * @param {string} noun  in the singular, of which the plural has one more letter, s
 * @returns {string}
 */
export const countOf = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
