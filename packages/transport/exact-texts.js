// Strings with lone surrogates have no UTF-8. A vat may still make them, and its syscalls must be judged the same
// wherever it runs. So a frame with such a string carries all its strings escaped, and says so.

import { TagLog } from '#model';

/** The escape character, before four hexadecimal digits of a code unit. */
const mark = '\ue000';

const unpaired = /[\ue000]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const escaped = /\ue000([0-9a-f]{4})/g;

/** @param {string} text */
const escapeText = text =>
  text.replace(unpaired, unit => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'));

/** @param {string} text */
const unescapeText = text =>
  text.replace(escaped, (_, digits) => String.fromCharCode(parseInt(digits, 16)));

/** The first byte of U+FFFD (EF BF BD), the replacement character for a lone surrogate. */
const replacementStart = 0xef;

/**
 * Whether encoded data may have had such strings. Few frames have the byte, and searching the bytes is faster than
 * searching the strings.
 *
 * @param {Uint8Array} bytes
 */
export const mayBeUnpaired = bytes => bytes.includes(replacementStart);

/** Whether a value contains no strings. @param {unknown} value */
const isLeaf = value =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Uint8Array ||
  value instanceof TagLog;

/**
 * Whether plain data has a string that is not well-formed.
 *
 * @param {any} value  strings, numbers, arrays, records, bytes, logs of tags
 * @returns {boolean}
 */
export const hasUnpaired = value => {
  if (typeof value === 'string') return !value.isWellFormed();
  if (isLeaf(value)) return false;
  const parts = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < parts.length; i += 1) if (hasUnpaired(parts[i])) return true;
  return false;
};

/**
 * Copies the data, with each string converted.
 *
 * @template T
 * @param {T} value
 * @param {(text: string) => string} change
 * @returns {T}
 */
const mapTexts = (value, change) => {
  if (typeof value === 'string') return /** @type {any} */ (change(value));
  if (isLeaf(value)) return value;
  if (Array.isArray(value)) return /** @type {any} */ (value.map(each => mapTexts(each, change)));
  const fields = Object.entries(/** @type {object} */ (value));
  return /** @type {any} */ (
    Object.fromEntries(fields.map(([key, each]) => [key, mapTexts(each, change)]))
  );
};

/** @template T @param {T} value @returns {T} */
export const escapeTexts = value => mapTexts(value, escapeText);

/** The exact inverse of `escapeTexts`. @template T @param {T} value @returns {T} */
export const unescapeTexts = value => mapTexts(value, unescapeText);
