// Spelling of prose: comments of sources, and Markdown. British English, words of test/words.txt and of
// scripts/house/words.txt. Code in backticks, links, names with capitals or digits inside are no prose.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import dictionary from 'dictionary-en-gb';
import nspell from 'nspell';
import { commentsOf } from './comments.js';

/** @import { House } from './house.js' */

const ownWords = 'scripts/house/words.txt';

/** A file whose text is not ours, or is data. */
const isForeign = /(^|\/)(fixtures|vendored|snapshots|reference|alias)\/|CHANGELOG\.md$|LICENSE/;

/**
 * The prose of a text: without code, links, tags of JSDoc with their types, and places.
 *
 * @param {string} text
 */
const proseOf = text =>
  text
    .replace(/```[^]*?```/g, ' ')
    .replace(/`[^`]*`/g, ' ')
    .replace(/@import\b.*|@(param|property|returns|type|template|typedef|throws|satisfies)\b/g, ' ')
    .replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, ' ')
    .replace(/https?:\/\/\S+|\]\([^)]*\)|<[^>]*>|"[^"\n]*"/g, ' ')
    .replace(/\S*[/_=\\#@*$|~.]\w\S*/g, ' ');

/**
 * Words of a text: letters only, with no capital behind the first letter.
 *
 * @param {string} text
 * @returns {string[]}
 */
export const wordsOf = text =>
  [...proseOf(text).matchAll(/(?<![\w'’-])\p{L}\p{Ll}+(?:['’]\p{Ll}+)?(?![\w'’])/gu)].map(
    ([word]) => word.replace('’', "'").replace(/'s$|'$/, ''),
  );

/** Prose of a source: its comments. @param {string} text @returns {string} */
const proseOfSource = text =>
  commentsOf(text)
    .map(({ value }) => value)
    .filter(value => !/eslint|@ts-|prettier/.test(value))
    // The first word of a docstring's line of a parameter is its name.
    .map(value => value.replace(/@(param|property|typedef|template)[^\n]*?(\s{2,}|$)/gm, ' $2'))
    .join('\n');

/**
 * @param {string} own  words of the house, one a line
 * @returns {(word: string) => boolean}
 */
export const makeSpeller = own => {
  const spell = nspell(/** @type {any} */ (dictionary));
  const known = new Set(own.split('\n'));
  return word =>
    known.has(word) ||
    known.has(word.toLowerCase()) ||
    spell.correct(word) ||
    spell.correct(word.toLowerCase());
};

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkSpelling = ({ root, files }) => {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
  const own = read(ownWords).trim();
  const isKnown = makeSpeller(`${own}\n${read('test/words.txt')}`);
  const used = new Set();
  /** @type {Map<string, string>} unknown word, and the first file that has it */
  const unknown = new Map();
  for (const file of files) {
    if (isForeign.test(file)) continue;
    const isSource = /^(packages|stats|runner|scripts|test|bench)\/.*\.js$/.test(file);
    if (!isSource && !file.endsWith('.md')) continue;
    const text = read(file);
    for (const word of wordsOf(isSource ? proseOfSource(text) : text)) {
      used.add(word.toLowerCase());
      if (!unknown.has(word) && !isKnown(word)) unknown.set(word, file);
    }
  }
  return [
    ...[...unknown].map(
      ([word, file]) =>
        `${file}: "${word}" is in neither the dictionary nor ${ownWords}; mend it, or add it there`,
    ),
    ...own
      .split('\n')
      .filter(word => !used.has(word))
      .map(word => `${ownWords}: no text has "${word}" any more; take it out`),
  ];
};
