// Formats the arguments of a `console` method as one string, joined by spaces: a first string may hold directives such
// as `%s`, other strings stay as they are, `inspectValue` formats all other values.

import { types } from 'node:util';
import { isErrorLike } from '#model';
import { copyData } from './copy-data.js';
import { cutText, formatNumber, formatError, inspectValue } from './inspect-value.js';

/** @param {unknown} value */
const formatPlain = value => (typeof value === 'string' ? value : inspectValue(value));

/** Formats `%s`: an object to a depth of one level, any other value by `String()`. @param {unknown} value */
const formatText = value => {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (isErrorLike(value, types.isProxy)) return formatError(value);
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
    return inspectValue(value, 0);
  }
  return String(value);
};

/** @param {unknown} value @param {(text: string) => number} parse */
const formatParsed = (value, parse) => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return 'NaN';
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') return 'NaN';
  return formatNumber(parse(String(value)));
};

/** @param {unknown} value */
const formatJson = value => {
  try {
    return String(JSON.stringify(copyData(value)));
  } catch {
    return '[Circular]';
  }
};

/** @type {Record<string, (value: unknown) => string>} */
const directives = {
  s: formatText,
  d: value => formatParsed(value, Number),
  i: value => formatParsed(value, text => Number.parseInt(text, 10)),
  f: value => formatParsed(value, Number.parseFloat),
  j: formatJson,
  o: value => inspectValue(value),
  O: value => inspectValue(value),
  // Styles of a browser's console consume an argument and show nothing.
  c: () => '',
};

/** A string of this length within data is abbreviated in a line of `testLog`. */
const longText = 40;

/** Characters at either end that are left of it. */
const keptText = 15;

/** Writes data for `testLog` as SwingSet does. @param {string} _key @param {unknown} value */
const abbreviate = (_key, value) => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.length >= longText
    ? `${value.slice(0, keptText)}...${value.slice(-keptText)}`
    : value;
};

/** @param {unknown} part */
const formatPart = part => {
  if (typeof part === 'string') return part;
  try {
    return JSON.stringify(copyData(part), abbreviate) ?? '';
  } catch {
    return '[Circular]';
  }
};

/**
 * Format a line of `testLog`: its arguments without separators, all but strings as JSON, with numbers for bigints and with
 * long strings abbreviated. What JSON has no text for, as `undefined`, gives nothing.
 *
 * @param {unknown[]} parts
 */
export const joinParts = parts => cutText(parts.map(formatPart).join(''));

/**
 * @param {unknown[]} args
 * @returns {string}
 */
export const formatLog = args => cutText(join(args));

/** @param {unknown[]} args */
const join = args => {
  if (args.length === 0) return '';
  const first = args[0];
  // With one argument even `%%` stays as it is, as in Node.
  if (args.length === 1) return formatPlain(first);
  if (typeof first !== 'string') return args.map(formatPlain).join(' ');
  const rest = args.slice(1);
  let used = 0;
  const head = first.replace(/%([sdifjoOc%])/g, (whole, letter) => {
    if (letter === '%') return '%';
    if (used >= rest.length) return whole;
    const value = rest[used];
    used += 1;
    return directives[letter](value);
  });
  return [head, ...rest.slice(used).map(formatPlain)].join(' ');
};
