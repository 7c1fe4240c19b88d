// A fast path for the JSON of messages without arguments, or whose arguments are short strings without escapes and
// whole numbers: the engine takes several times as long for such short texts. Other bodies are left to `JSON.parse`.

import { intern } from './text.js';

/** Characters of a body, at most. A string cut out of a body may keep all of it in memory, so bodies are short. */
const longestBody = 200;

/** Digits that are always a safe integer. */
export const safeDigits = 15;

/** Places for method names; a power of two. */
const namePlaces = 512;

/**
 * Method names that were read last, by `placeOf`. Names repeat: one that is known is found by its characters, without a
 * new string.
 */
const names = Array.from({ length: namePlaces }, () => '');

const [quote, backslash, comma, openList, closeList, zero] = [...'"\\,[]0'].map(character =>
  character.charCodeAt(0),
);

/** Codes below it are control characters, which JSON has only as escapes. */
const space = 0x20;

/**
 * By all characters, for names such as `ping` and `pong` differ in one.
 *
 * @param {string} body
 * @param {number} start
 * @param {number} end
 */
const placeOf = (body, start, end) => {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum = (sum * 31 + body.charCodeAt(at)) | 0;
  return (sum ^ (sum >>> 9)) & (namePlaces - 1);
};

/**
 * @param {string} body
 * @param {number} start
 * @param {number} end
 */
const readName = (body, start, end) => {
  const count = end - start;
  if (count === 0) return '';
  const place = placeOf(body, start, end);
  const known = names[place];
  if (known.length === count) {
    let same = 0;
    while (same < count && known.charCodeAt(same) === body.charCodeAt(start + same)) same += 1;
    if (same === count) return known;
  }
  const name = intern(body.slice(start, end));
  names[place] = name;
  return name;
};

/**
 * @param {string} body
 * @param {number} start  after the opening quotation mark
 * @returns {number} index of the closing quotation mark; -1 if there is none, or an escape before it
 */
const findEnd = (body, start) => {
  for (let at = start; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash || code < space) return -1;
  }
  return -1;
};

/**
 * @param {string} body
 * @param {number} start
 * @returns {number} index after the digits; -1 if they are not a whole number that is surely safe
 */
const findEndOfDigits = (body, start) => {
  let at = start;
  for (; at < body.length && at - start <= safeDigits; at += 1) {
    const digit = body.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) break;
  }
  const count = at - start;
  if (count === 0 || count > safeDigits) return -1;
  return count > 1 && body.charCodeAt(start) === zero ? -1 : at;
};

/**
 * @template T
 * @param {T[] | undefined} list
 * @param {T} last
 */
const added = (list, last) => {
  // Not an empty list: one that grows from empty reserves 17 elements.
  if (list === undefined) return [last];
  list.push(last);
  return list;
};

/**
 * Read `#["method",[arguments]]`.
 *
 * @param {string} body  begins with `#`
 * @returns {{ method: string, args: (string | number)[] } | undefined} the same as `JSON.parse` gives; undefined for a
 *   body that is left to it
 */
export const readPlainMessage = body => {
  const { length } = body;
  if (length > longestBody) return undefined;
  if (body.charCodeAt(1) !== openList || body.charCodeAt(2) !== quote) return undefined;
  const nameEnd = findEnd(body, 3);
  if (nameEnd < 0 || body.charCodeAt(nameEnd + 1) !== comma) return undefined;
  if (body.charCodeAt(nameEnd + 2) !== openList) return undefined;
  /** @type {(string | number)[] | undefined} */
  let args;
  let at = nameEnd + 3;
  if (body.charCodeAt(at) === closeList) {
    at += 1;
  } else {
    for (;;) {
      if (body.charCodeAt(at) === quote) {
        const end = findEnd(body, at + 1);
        if (end < 0) return undefined;
        args = added(args, body.slice(at + 1, end));
        at = end + 1;
      } else {
        const end = findEndOfDigits(body, at);
        if (end < 0) return undefined;
        args = added(args, Number(body.slice(at, end)));
        at = end;
      }
      const next = body.charCodeAt(at);
      at += 1;
      if (next === closeList) break;
      if (next !== comma) return undefined;
    }
  }
  if (at !== length - 1 || body.charCodeAt(at) !== closeList) return undefined;
  return { method: readName(body, 3, nameEnd), args: args ?? [] };
};
