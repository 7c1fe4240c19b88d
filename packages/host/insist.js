// Checks numbers and objects that a host program gives.

import { describeGiven, quote, UserError } from '#model';

/**
 * @param {string} name  for the message
 * @param {unknown} value
 * @param {number} least
 * @throws {UserError} if it is not a number, or below `least`
 */
export const insistNumber = (name, value, least) => {
  if (typeof value !== 'number' || Number.isNaN(value) || value < least)
    throw new UserError(
      `${name} must be a number from ${least}, got ${typeof value === 'number' ? value : quote(value)}`,
    );
};

/**
 * @param {string} name  for the message
 * @param {unknown} value
 * @param {number} least
 * @throws {UserError} if it is neither a whole number nor Infinity, or below `least`
 */
export const insistCount = (name, value, least) => {
  insistNumber(name, value, least);
  if (value !== Infinity && !Number.isInteger(value))
    throw new UserError(`${name} must be a whole number from ${least}, got ${value}`);
};

/**
 * Tell whether a value has methods of these names.
 *
 * @param {unknown} value
 * @param {readonly string[]} names
 */
const hasMethods = (value, names) =>
  typeof value === 'object' &&
  value !== null &&
  names.every(name => typeof (/** @type {Record<string, unknown>} */ (value)[name]) === 'function');

/**
 * @param {string} what  for the message: the argument or option, with the function
 * @param {unknown} value
 * @param {readonly string[]} names  of methods that it must have
 * @param {string} remedy  what to give
 * @throws {TypeError} if it lacks one of them
 */
export const insistMethods = (what, value, names, remedy) => {
  if (!hasMethods(value, names))
    throw TypeError(`${what} has a wrong value, got ${describeGiven(value)}; give ${remedy}`);
};
