// The arguments of a `console` method as the one text that is shown: a string first may hold `%s` and the like,
// other strings stand as they are, everything else as `inspectValue` shows it, joined by spaces.

import { types } from 'node:util';
import { isErrorLike } from '#model';
import { copyData } from './copy-data.js';
import { cutText, formatNumber, formatError, inspectValue } from './inspect-value.js';

/** @param {unknown} value */
const formatPlain = value => (typeof value === 'string' ? value : inspectValue(value));

/** @param {unknown} value  for `%s`: an object is shown, without what stands in its parts; everything else is its own text */
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
  // Styles of a browser's console: taken, and not shown.
  c: () => '',
};

/**
 * Formats a line of `testLog`: its arguments one after the other, and nothing for `undefined` and `null`.
 *
 * @param {unknown[]} parts
 */
export const joinParts = parts =>
  cutText(
    parts.map(part => (part === undefined || part === null ? '' : formatText(part))).join(''),
  );

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
