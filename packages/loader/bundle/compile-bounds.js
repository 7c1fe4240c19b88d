// Refuses modules for which the compiler takes time by the square of their size: a bundle may be a stranger's, and no limit
// of a vat bounds the compiler.

/** @import { Node } from '../evaluation/syntax-tree.js' */

/** Bound on names that a module imports and exports, times its statements, or times the names if these are more. */
const mostNamesByStatements = 16_000 ** 2;

/** Bound on the characters between block comments and the ends of their lines, all together: Babel reads them for each. */
const mostBehindComments = 2 ** 36;

/**
 * @param {string} text
 * @returns {string | undefined} the problem
 */
export const findLongLine = text => {
  let behind = 0;
  let lineEnd = -1;
  for (let at = text.indexOf('/*'); at >= 0; at = text.indexOf('/*', at + 2)) {
    if (at > lineEnd) {
      lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0) lineEnd = text.length;
    }
    behind += lineEnd - at;
    if (behind > mostBehindComments)
      return 'a long line has too many block comments to be compiled; break it into lines';
  }
  return undefined;
};

/**
 * @param {Node} program
 * @returns {string | undefined} the problem
 */
export const findNamesProblem = ({ body }) => {
  let names = 0;
  for (const { type, specifiers, declaration } of body)
    if (/^(?:Import|Export)/.test(type))
      names += Math.max(1, specifiers?.length ?? 0, declaration?.declarations?.length ?? 0);
  const { length: statements } = body;
  return names * Math.max(names, statements) > mostNamesByStatements
    ? `a module with ${statements} statements imports and exports ${names} names, which are too many to be compiled; divide it`
    : undefined;
};
