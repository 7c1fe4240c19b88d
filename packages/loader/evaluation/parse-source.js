// Parses evaluated texts with Babel, whose language is Node 20's except for what `findRefused` finds; other newer syntax
// is an error to it. It is loaded on demand: that is slow, and few evaluated texts need it.

import { loadParser } from '#vendored/compiler.js';
import { mayHavePower, rewritePower } from './rewrite-power.js';
import { findSizeProblem } from './regexp-size.js';
import { findNewerSyntax } from './regexp-syntax.js';
import { mayHaveTagged, rewriteTemplates } from './rewrite-templates.js';
import { walk } from './syntax-tree.js';

/** @import { Node } from './syntax-tree.js' */

/** @type {((text: string, options: object) => any) | undefined} */
let parse;

/**
 * @param {string} text
 * @param {object} options
 * @returns {Node} its program
 */
const parseText = (text, options) => {
  parse ??= loadParser();
  return parse(text, {
    createParenthesizedExpressions: true,
    ...options,
  }).program;
};

/** @param {Node} node @returns {string | undefined} */
const findProblem = ({ type, kind, pattern, flags }) => {
  if (type === 'RegExpLiteral') {
    const newer = findNewerSyntax(pattern, flags);
    if (newer !== undefined)
      return `a regular expression has ${newer}, which not every engine knows`;
    const excess = findSizeProblem(pattern, flags);
    return excess && `a regular expression has ${excess}`;
  }
  if (type === 'VariableDeclaration' && /using$/.test(kind))
    return `there is a declaration "${kind}", which not every engine knows`;
  return undefined;
};

/**
 * Finds what Babel or the engine accepts and vats may not have: syntax that Node 20 lacks, and regular expressions with
 * which the stack may end.
 *
 * @param {Node} program
 * @returns {{ problem: string, start: number } | undefined}
 */
export const findRefused = program => {
  /** @type {{ problem: string, start: number } | undefined} */
  let found;
  walk(program, node => {
    if (found !== undefined) return;
    const problem = findProblem(node);
    if (problem !== undefined) found = { problem, start: node.start };
  });
  return found;
};

/** @param {string} problem @returns {never} */
const refuse = problem => {
  throw SyntaxError(problem);
};

/** SES evaluates by a direct eval in a strict function. */
const scriptOptions = /** @type {const} */ ({
  sourceType: 'script',
  strictMode: true,
  allowNewTargetOutsideFunction: true,
});

/**
 * Text that SES refuses, or might: an HTML comment, an import expression or a direct eval. SES does not parse, so it
 * refuses comments and strings, too. Compare `mandatoryTransforms` of ses.
 */
export const suspicious = /<!--|-->|\bimport(?=\s*(?:\(|\/[/*]|\.(?!meta\b)))|\beval(?=\s*\()/g;

/**
 * Rewrite the tagged templates of a text that a vat evaluates. If SES would refuse the text then, it stays as it is: an
 * escape may hide such a text.
 *
 * @param {string} text
 * @param {Node} program  its syntax tree
 */
const rewriteEvaluatedTemplates = (text, program) => {
  const made = rewriteTemplates(text, program);
  return made.search(suspicious) < 0 ? made : text;
};

/**
 * Parse and rewrite a text that a vat evaluates.
 *
 * @param {string} text
 * @returns {string}
 * @throws {SyntaxError} if it does not parse, or has what `findRefused` finds
 */
export const rewriteEvaluated = text => {
  /** @type {Node} */
  let program;
  try {
    program = parseText(text, scriptOptions);
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
  const refused = findRefused(program);
  if (refused) refuse(refused.problem);
  const powerless = mayHavePower(text) ? rewritePower(text, program, refuse) : text;
  if (!mayHaveTagged(powerless)) return powerless;
  return rewriteEvaluatedTemplates(
    powerless,
    powerless === text ? program : parseText(powerless, scriptOptions),
  );
};

/**
 * Rewrite the tagged templates of a text that needs nothing else. The engine tells what is wrong in a text.
 *
 * @param {string} text
 * @returns {string | undefined}  undefined if it is nested too deeply for the stack that is left
 */
export const rewriteOnlyTemplates = text => {
  try {
    return rewriteEvaluatedTemplates(text, parseText(text, scriptOptions));
  } catch (error) {
    return error instanceof SyntaxError ? text : undefined;
  }
};

/**
 * @param {string} text  a module that parses
 * @param {(problem: string) => never} fail
 */
export const rewriteModule = (text, fail) =>
  rewritePower(text, parseText(text, { sourceType: 'module' }), fail);
