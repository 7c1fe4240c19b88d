// Checks options. In plain JavaScript a misspelt name would silently be an option that is not set, so it is an error
// that names the nearest option.

import { UserError, didYouMean, quote } from '#model';
import { describe } from './node.js';

/**
 * @template {object} T
 * @param {T | undefined} options
 * @param {readonly string[]} known
 * @param {string | (() => string)} subject  of the error message; may be a function, since finding a name walks over
 *   fields
 * @returns {T} empty if there are none
 * @throws {UserError} if it is no object, or has an unknown name
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
