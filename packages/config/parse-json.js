// Parses JSON and gives the place of the first mistake. The engine's messages differ between versions, and most of them
// lack the line.

import { quote, UserError } from '#model';

/** Deeper nesting is refused, so that no input can exhaust the stack. */
const maxDepth = 1_000;

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// A string is taken in parts: the engine has no stack for an expression that repeats so often as a long one has characters.
// eslint-disable-next-line no-control-regex
const plain = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const word = /true|false|null/y;

/** @typedef {{ at: number, expected?: string, twice?: string }} Mistake  what JSON needs there, or a repeated field */

/**
 * The first place where a text stops being JSON, or `undefined` if it is JSON.
 *
 * @param {string} text
 * @returns {Mistake | undefined}
 */
const findMistake = text => {
  let at = 0;
  /** @type {Mistake | undefined} */
  let mistake;
  /** @param {RegExp} pattern */
  const take = pattern => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  /** @param {string} expected */
  const miss = expected => {
    mistake ??= { at, expected };
    return false;
  };
  /** @param {string} character */
  const takeCharacter = character => {
    take(space);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const takeString = () => {
    if (text[at] !== '"') return false;
    const start = at;
    at += 1;
    do take(plain);
    while (take(escape));
    if (text[at] === '"') {
      at += 1;
      return true;
    }
    at = start;
    return miss('a string that ends on its line, with control characters escaped');
  };
  /**
   * @param {string} close
   * @param {string} kind
   * @param {() => boolean} takeItem
   */
  const takeList = (close, kind, takeItem) => {
    if (takeCharacter(close)) return true;
    for (;;) {
      take(space);
      if (!takeItem()) return false;
      if (takeCharacter(close)) return true;
      if (!takeCharacter(',')) return miss(`"," or "${close}"`);
      take(space);
      if (text[at] === close) return miss(`another ${kind} after the ","`);
    }
  };
  /** @type {(depth: number) => boolean} */
  const takeValue = depth => {
    if (depth > maxDepth) return miss(`at most ${maxDepth} levels of nesting`);
    if (takeCharacter('{')) {
      /** @type {Set<string>} */
      const names = new Set();
      return takeList('}', 'field', () => {
        const start = at;
        if (!takeString()) return miss('the name of a field in double quotes');
        const name = JSON.parse(text.slice(start, at));
        if (names.has(name)) {
          // JSON takes the last one, but in a file that a person wrote it is a mistake.
          mistake ??= { at: start, twice: name };
          return false;
        }
        names.add(name);
        return takeCharacter(':') ? takeValue(depth + 1) : miss('":"');
      });
    }
    if (takeCharacter('[')) return takeList(']', 'item', () => takeValue(depth + 1));
    return takeString() || take(number) || take(word) || miss('a value');
  };
  if (takeValue(0)) {
    take(space);
    if (at < text.length) miss('the end of the file');
  }
  return mistake;
};

/** @param {string} text @param {number} at */
const describePlace = (text, at) => {
  const before = text.slice(0, at).split('\n');
  const found = text.slice(at).split(/\s/, 1)[0].slice(0, 20);
  const got = at >= text.length ? 'the end of the file' : found || 'a line break';
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, got };
};

/**
 * @param {string} text
 * @param {string} shownFile  names the file in messages
 * @returns {any}
 * @throws {UserError} with line and column, both counted from 1
 */
export const parseJson = (text, shownFile) => {
  const mistake = findMistake(text);
  if (mistake) {
    const { line, column, got } = describePlace(text, mistake.at);
    throw new UserError(
      mistake.twice === undefined
        ? `${shownFile}:${line}:${column}: not JSON: expected ${mistake.expected}, got ${got}`
        : `${shownFile}:${line}:${column}: the field ${quote(mistake.twice)} is there twice`,
    );
  }
  return JSON.parse(text);
};
