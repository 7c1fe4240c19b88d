// Where a function of a vat is written. The engine does not tell that to a program, but it tells a function's own
// text, and that text stands in one of the vat's modules.

import { lineOf } from '#config';

/** @import { Frame } from '../compartment/error-report.js' */

/**
 * @typedef {object} ModuleText
 * @property {string} url
 * @property {string} program  as it was evaluated, line for line as the author wrote it
 */

/**
 * @param {Iterable<ModuleText>} modules
 * @param {unknown} sought
 * @returns {Frame | undefined}  undefined if it is no function of these modules, or if one like it stands elsewhere too
 */
export const findFunction = (modules, sought) => {
  if (typeof sought !== 'function') return undefined;
  const text = Function.prototype.toString.call(sought);
  /** @type {Frame | undefined} */
  let found;
  for (const { url, program } of modules) {
    for (let at = program.indexOf(text); at !== -1; at = program.indexOf(text, at + 1)) {
      if (found) return undefined;
      const column = at - program.lastIndexOf('\n', at);
      const { value } = Object.getOwnPropertyDescriptor(sought, 'name') ?? {};
      const functionName = typeof value === 'string' ? value : '';
      found = { functionName, url, line: lineOf(program, at), column };
    }
  }
  return found;
};
