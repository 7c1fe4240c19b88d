// What every text passes that a vat has evaluated: by `eval`, `Function`, `Compartment.evaluate`, or as a module of a
// compartment that it makes. Modules of the vat itself are compiled by the host, which checks them there
// (bundle/compile-module.js).

import { refuseImport } from './refuse-import.js';

/**
 * @param {string} text
 * @returns {string}  what is evaluated
 * @throws {SyntaxError}
 */
export const guardSource = text => {
  // A vat's own transforms come first, and may return anything.
  if (typeof text !== 'string') throw TypeError('a source must be a string');
  return refuseImport(text);
};
