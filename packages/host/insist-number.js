// Checks numbers that a host program gives.

import { quote, UserError } from '#model';

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
