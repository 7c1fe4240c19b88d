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

/**
 * Texts to evaluate, by their originals: vats evaluate the same texts repeatedly, and what becomes of one depends on
 * nothing else.
 *
 * @type {Map<string, string>}
 */
const guarded = new Map();

/** Bounds of the cache: texts, and characters of all of them. When one is reached, it begins anew. */
const maxTexts = 1000;
const maxCharacters = 8_000_000;

let characters = 0;

/** @param {string} text @param {string} made */
const keep = (text, made) => {
  const size = text.length + (made === text ? 0 : made.length);
  if (size > maxCharacters) return;
  if (guarded.size === maxTexts || characters + size > maxCharacters) {
    guarded.clear();
    characters = 0;
  }
  guarded.set(text, made);
  characters += size;
};

/** @param {string} text */
const guard = text => {
  refuseImport(text);
  const needsParsing =
    mayHavePower(text) || mayHaveNewerRegExp(text) || usingDeclaration.test(text);
  return needsParsing ? refuseImport(rewriteEvaluated(text)) : text;
};

/**
 * @param {string} text
 * @returns {string}  the text to evaluate
 * @throws {SyntaxError}
 */
export const guardSource = text => {
  // A vat's own transforms come first, and may return anything.
  if (typeof text !== 'string') throw TypeError('a source must be a string');
  const known = guarded.get(text);
  if (known !== undefined) return known;
  const made = guard(text);
  keep(text, made);
  return made;
};
