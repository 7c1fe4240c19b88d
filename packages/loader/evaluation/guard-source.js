// Checks every text that a vat evaluates: by `eval`, `Function`, `Compartment.evaluate`, or as a module of a
// compartment that it makes. A text is refused, rewritten or left as it is, so that it has one meaning on every engine.
// The host compiles the vat's own modules with the same rules (bundle/compile-module.js).

import { rewriteEvaluated } from './parse-source.js';
import { refuseImport } from './refuse-import.js';
import { mayHaveNewerRegExp } from './regexp-syntax.js';
import { mayHavePower } from './rewrite-power.js';

/** `using x =`, `using x of`, possibly with comments between. */
const usingDeclaration =
  /\busing\s*(?:\/[/*]|(?<=\s)[^\s;,.(){}[\]'"`+\-*/%&|^!~?:<>=]+\s*(?:\/[/*]|=|of\b))/;

/** Rewritten texts, by their originals: vats evaluate the same texts repeatedly. @type {Map<string, string>} */
const rewritten = new Map();

/** Bounds of the cache: texts, and characters of each. */
const maxKept = 100;
const maxLength = 1_000_000;

/** @param {string} text */
const rewrite = text => {
  const known = rewritten.get(text);
  if (known !== undefined) return known;
  const made = rewriteEvaluated(text);
  if (text.length <= maxLength) {
    if (rewritten.size >= maxKept) rewritten.clear();
    rewritten.set(text, made);
  }
  return made;
};

/**
 * @param {string} text
 * @returns {string}  the text to evaluate
 * @throws {SyntaxError}
 */
export const guardSource = text => {
  // A vat's own transforms come first, and may return anything.
  if (typeof text !== 'string') throw TypeError('a source must be a string');
  refuseImport(text);
  const needsParsing =
    mayHavePower(text) || mayHaveNewerRegExp(text) || usingDeclaration.test(text);
  return needsParsing ? refuseImport(rewrite(text)) : text;
};
