// Finds a vat by its name; the error suggests a similar name.

import { describeGiven, quote, suggestName, UserError } from '#model';

/** @import { Kernel } from '#kernel' */

/**
 * @param {Kernel} kernel
 * @param {string} name
 * @returns {string} its id
 * @throws {UserError} if there is no such vat, or `name` is not a string
 */
export const findVatByName = (kernel, name) => {
  if (typeof name !== 'string')
    throw new UserError(`a vat's name is a string, got ${describeGiven(name)}`);
  const vatId = kernel.findVat(name);
  if (vatId !== undefined) return vatId;
  const names = kernel.vats().map(vat => vat.name);
  const [vat, method] = name.split('.');
  const hint =
    method !== undefined && names.includes(vat)
      ? `the method's name comes second: ${quote(vat)}, ${quote(method)}`
      : suggestName(name, names);
  throw new UserError(`there is no vat ${quote(name)}; ${hint}`);
};
