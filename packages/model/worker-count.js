// How many worker threads somebody wants: one rule for the flag, the config and the library.

import { quote, UserError } from './errors.js';

/** Bound on worker threads. */
export const mostWorkers = 64;

/** The right values, for an error that says "must be …". */
export const workersExpected = `"auto" or a whole number from 0 to ${mostWorkers}`;

/**
 * @param {unknown} wanted
 * @returns {wanted is number | 'auto'}
 */
export const isWorkerCount = wanted =>
  wanted === 'auto' ||
  (typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 0 && wanted <= mostWorkers);

/**
 * @param {unknown} wanted  a number, the same in digits, or `auto`
 * @param {string} subject  what says so, as `--workers`
 * @returns {number | 'auto'}
 * @throws {UserError} it is neither
 */
export const parseWorkers = (wanted, subject) => {
  const count = typeof wanted === 'string' && /^\d+$/.test(wanted) ? Number(wanted) : wanted;
  if (isWorkerCount(count)) return count;
  const shown = typeof wanted === 'string' ? quote(wanted) : String(wanted);
  throw new UserError(`${subject} must be ${workersExpected}, got ${shown}`);
};
