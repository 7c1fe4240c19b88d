// Functions that SwingSet or its store has and this package has not: each is there by name, and throws when it is used.

import { UserError } from '#model';

/**
 * @param {string} name  as a program calls it
 * @param {string} why  a clause that begins with a noun or "there"
 * @returns {(...args: any[]) => never}
 */
export const refuse = (name, why) => () => {
  throw new UserError(`${name}() is not here: ${why}`, { exitCode: 1 });
};
