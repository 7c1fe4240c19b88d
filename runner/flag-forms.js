// Kinds of flags: whole numbers, durations, files, toggles.

import { parseDuration, parseWorkers, quote, UserError } from '#model';

/** @typedef {Record<string, import('yargs').Options>} FlagTable */

/** Formats a value for errors; blank values are quoted. @param {unknown} value */
const shownValue = value => (String(value).trim() === '' ? quote(String(value)) : String(value));

/**
 * @param {string} name
 * @param {number} least
 * @param {number} [most]
 */
export const wholeNumber = (name, least, most) => (/** @type {unknown} */ value) => {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (!Number.isSafeInteger(number) || number < least || number > (most ?? number)) {
    const to = most === undefined ? '' : ` to ${most}`;
    throw new UserError(
      `--${name} must be a whole number from ${least}${to}, got ${shownValue(value)}`,
    );
  }
  return number;
};

/**
 * @param {string} name
 * @param {number} least
 * @param {string} describe
 * @param {number} [most]
 * @returns {import('yargs').Options}
 */
export const count = (name, least, describe, most) => ({
  type: 'string',
  requiresArg: true,
  coerce: wholeNumber(name, least, most),
  describe,
});

/** Parses a number of threads; the host checks the upper limit. @param {unknown} value */
export const workerCount = value =>
  value === undefined ? undefined : parseWorkers(value, '--workers');

/**
 * @param {string} name
 * @param {string} describe
 * @param {string} [least]  a duration; shorter ones are refused
 * @returns {import('yargs').Options}
 */
export const duration = (name, describe, least) => ({
  type: 'string',
  requiresArg: true,
  describe,
  coerce: (/** @type {string | undefined} */ value) => {
    if (value === undefined) return undefined;
    let ns;
    try {
      ns = parseDuration(value);
    } catch {
      // Refused below.
    }
    if (ns === undefined || (least !== undefined && ns < parseDuration(least))) {
      const from = least === undefined ? '' : `at least ${least}, `;
      throw new UserError(
        `--${name} must be a duration like "10 s" or "1.5h", ${from}at most 104 days, got ${quote(value)}`,
      );
    }
    return ns;
  },
});

/** @param {string} describe @returns {import('yargs').Options} */
export const file = describe => ({ type: 'string', requiresArg: true, describe });

/** @param {string} describe @returns {import('yargs').Options} */
export const toggle = describe => ({ type: 'boolean', describe });

/**
 * @param {string} group
 * @param {FlagTable} table
 * @returns {FlagTable}
 */
export const inGroup = (group, table) =>
  Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, { group, ...flag }]));
