// Finds the place of a vat's function in its sources. The engine gives no program that place, but it gives the
// function's text, which is searched in the vat's modules.

import { lineOf } from '#config';

/** @import { Frame } from '../compartment/error-report.js' */

/**
 * @typedef {object} ModuleText
 * @property {string} url
 * @property {string} program  the evaluated text, with the author's lines
 */

/**
 * @param {Iterable<ModuleText>} modules
 * @param {unknown} sought
 * @returns {Frame | undefined}  undefined if it is not a function of these modules, or if its text occurs twice
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
