// The number of worker threads: one rule for the flag, the config and the library.

import { quote, UserError } from './errors.js';

/** Bound on worker threads. */
export const mostWorkers = 64;

/** The allowed values, for an error that says "must be …". */
export const workersExpected = `"auto" or a whole number from 0 to ${mostWorkers}`;

/**
 * @param {unknown} wanted
 * @returns {wanted is number | 'auto'}
 */
export const isWorkerCount = wanted =>
  wanted === 'auto' ||
  (typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 0 && wanted <= mostWorkers);

/**
 * @param {unknown} wanted  a number, its digits, or `auto`
 * @param {string} subject  the source of the value, such as `--workers`
 * @returns {number | 'auto'}
 * @throws {UserError} it is no allowed value
 */
export const parseWorkers = (wanted, subject) => {
  const count = typeof wanted === 'string' && /^\d+$/.test(wanted) ? Number(wanted) : wanted;
  if (isWorkerCount(count)) return count;
  const shown = typeof wanted === 'string' ? quote(wanted) : String(wanted);
  throw new UserError(`${subject} must be ${workersExpected}, got ${shown}`);
};
