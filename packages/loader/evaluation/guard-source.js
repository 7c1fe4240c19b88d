// Checks every text that a vat evaluates: by `eval`, `Function`, `Compartment.evaluate`, or as a module of a
// compartment that it makes. A text is refused, rewritten or left as it is, so that it has one meaning on every engine.
// The host compiles the vat's own modules with the same rules (bundle/compile-module.js).

import { KeptTexts } from './kept-texts.js';
import { rewriteEvaluated, rewriteOnlyTemplates } from './parse-source.js';
import { refuseImport } from './refuse-import.js';
import { mayHaveLargeRegExp } from './regexp-size.js';
import { mayHaveNewerRegExp } from './regexp-syntax.js';
import { mayHavePower } from './rewrite-power.js';
import { mayHaveTagged } from './rewrite-templates.js';

/**
 * `using x =`, `using x of`, possibly with comments between, and with escapes in the name. The name is a repetition of one
 * class, since the engine keeps each place to go back to in any other, until its stack ends.
 */
const usingDeclaration =
  /\busing\s*(?:\/[/*]|(?<=\s)[^\s;,.()[\]'"`+\-*/%&|^!~?:<>=]+\s*(?:\/[/*]|=|(?<=\s)of\b))/;

/**
 * Texts to evaluate, by their originals: vats evaluate the same texts repeatedly.
 *
 * @type {KeptTexts<string>}
 */
const guarded = new KeptTexts();

/** @param {string} text @param {string} made */
const keep = (text, made) =>
  guarded.keep(text, made, text.length + (made === text ? 0 : made.length));

/**
 * Texts that were rewritten in earlier processes. Parsing is slow, and so is loading the parser.
 *
 * @typedef {object} TextCache
 * @property {(text: string) => string | undefined} find
 * @property {(text: string, made: string) => void} keep
 */

/**
 * Whether a text may have the operator `**`, or what `findRefused` finds.
 *
 * @param {string} text
 */
export const needsParsing = text =>
  mayHavePower(text) ||
  mayHaveNewerRegExp(text) ||
  mayHaveLargeRegExp(text) ||
  usingDeclaration.test(text);

/** @param {string} text @param {TextCache | undefined} cache */
const guard = (text, cache) => {
  refuseImport(text);
  const isToParse = needsParsing(text);
  if (!isToParse && !mayHaveTagged(text)) {
    keep(text, text);
    return text;
  }
  let made = cache?.find(text);
  if (made === undefined) {
    made = isToParse ? rewriteEvaluated(text) : rewriteOnlyTemplates(text);
    if (made === undefined) return text;
    refuseImport(made);
    cache?.keep(text, made);
  }
  keep(text, made);
  return made;
};

/**
 * @param {TextCache} [cache]  default: texts are kept in memory only
 * @returns {(text: string) => string}  gives the text to evaluate, or throws a SyntaxError
 */
export const makeGuard = cache => text => {
  // A vat's own transforms come first, and may return anything.
  if (typeof text !== 'string') throw TypeError('a source must be a string');
  return guarded.get(text) ?? guard(text, cache);
};
