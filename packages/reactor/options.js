// Options as authors write them. In plain JavaScript a slip in a name would be an option that is not set, so it is an error
// that names the nearest one.

import { UserError, didYouMean, quote } from '#model';
import { describe } from './node.js';

/**
 * @template {object} T
 * @param {T | undefined} options
 * @param {readonly string[]} known
 * @param {string | (() => string)} subject  of the error message; a name takes a walk over fields, so it may be a function
 * @returns {T} empty if there are none
 * @throws {UserError} for what is no object, and for a name that is not known
 */
export const insistOptions = (options, known, subject) => {
  if (options === undefined) return /** @type {T} */ ({});
  const name = () => (typeof subject === 'string' ? subject : subject());
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new UserError(
      `${name()}: its options are ${describe(options)}; give an object, with any of ${known.join(', ')}`,
    );
  }
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    throw new UserError(
      `${name()}: there is no option ${quote(key)}${didYouMean(key, known) || `; it takes ${known.join(', ')}`}`,
    );
  }
  return options;
};
