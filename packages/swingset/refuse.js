// Makes stand-ins for functions of SwingSet or its store that this package lacks: they exist by name and throw when
// called.

import { UserError } from '#model';

/**
 * @param {string} name  the name in the error
 * @param {string} why  a clause that begins with a noun or "there"
 * @returns {(...args: any[]) => never}
 */
export const refuse = (name, why) => () => {
  throw new UserError(`${name}() is not here: ${why}`, { exitCode: 1 });
};
