// Checks options. In plain JavaScript a misspelt name would silently be an option that is not set, so it is an error
// that names the nearest option. A flag is true or false: any string would count as true.

import { UserError, didYouMean, quote } from '#model';
import { describe } from './node.js';

/** The kind of an option: a flag, or a value that its user checks. @typedef {'flag' | 'value'} OptionKind */

/**
 * @template {object} T
 * @param {T | undefined} options
 * @param {Readonly<Record<string, OptionKind>>} known  by the names of all options
 * @param {string | (() => string)} subject  of the error message; may be a function, since finding a name walks over
 *   fields
 * @returns {T} empty if there are none
 * @throws {UserError} if it is no object, has an unknown name, or a flag that is neither true nor false
 */
export const insistOptions = (options, known, subject) => {
  if (options === undefined) return /** @type {T} */ ({});
  const name = () => (typeof subject === 'string' ? subject : subject());
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new UserError(
      `${name()}: its options are ${describe(options)}; give an object, with any of ${Object.keys(known).join(', ')}`,
    );
  }
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, key)) {
      const names = Object.keys(known);
      throw new UserError(
        `${name()}: there is no option ${quote(key)}${didYouMean(key, names) || `; it takes ${names.join(', ')}`}`,
      );
    }
    if (known[key] === 'flag' && value !== undefined && typeof value !== 'boolean') {
      throw new UserError(
        `${name()}: its option ${quote(key)} is ${describe(value)}; give true or false`,
      );
    }
  }
  return options;
};
