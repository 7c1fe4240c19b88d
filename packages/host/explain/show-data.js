// Formats capdata for people: `undefined`, not `{"body":"#\"#undefined\"","slots":[]}`. The text is for a terminal
// only; capdata is stored and compared. A vat chose the body, so it may be any string, with data of any depth.

import { inspect } from 'node:util';

/** @import { CapData } from '#model' */

/** Bound on the shown characters of a value. */
const longestText = 300;

/** A longer body is shown without parsing, which would take long, and little of it would be shown. */
const longestBody = 100_000;

const inspectOptions = { breakLength: Infinity, depth: 4, maxArrayLength: 20, compact: true };

/** Make a value that `inspect` shows as this text. @param {string} text */
const shownAs = text => ({ [inspect.custom]: () => text });

/** The values of constants, by their names in both notations. @type {Map<string, unknown>} */
const constants = new Map([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** @param {string} kind @param {string} reference  `0.Alleged: purse`, `0` @param {string[]} slots */
const showReference = (kind, reference, slots) => {
  const [, index, name = kind] = /^(\d+)(?:\.(?:Alleged: )?(.*))?$/s.exec(reference) ?? [];
  return shownAs(`[${name} ${slots[Number(index)] ?? '?'}]`);
};

/** @param {string} text @param {string[]} slots */
const readText = (text, slots) => {
  const rest = text.slice(1);
  switch (text[0]) {
    case '#':
      return constants.has(rest) ? constants.get(rest) : text;
    case '!':
      return rest;
    case '+':
    case '-':
      return /^[+-]\d+$/.test(text) ? BigInt(text) : text;
    case '$':
      return showReference('object', rest, slots);
    case '&':
      return showReference('promise', rest, slots);
    case '%':
      return shownAs(`Symbol(${rest})`);
    default:
      return text;
  }
};

/** @param {any} value  parsed @param {string[]} slots @returns {unknown} */
const readSmallcaps = (value, slots) => {
  if (typeof value === 'string') return readText(value, slots);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(each => readSmallcaps(each, slots));
  if (typeof value['#error'] === 'string')
    return shownAs(`${readText(String(value.name), slots)}: ${readText(value['#error'], slots)}`);
  return readEach(value, each => readSmallcaps(each, slots));
};

/** @param {any} value  parsed @param {string[]} slots @returns {unknown} */
const readQclass = (value, slots) => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(each => readQclass(each, slots));
  const kind = value['@qclass'];
  if (constants.has(kind)) return constants.get(kind);
  if (kind === 'error') return shownAs(`${value.name}: ${value.message}`);
  if (kind === 'bigint') return shownAs(`${value.digits}n`);
  if (kind === 'slot') {
    const name = String(value.iface ?? 'object').replace(/^Alleged: /, '');
    return shownAs(`[${name} ${slots[value.index] ?? '?'}]`);
  }
  return readEach(value, each => readQclass(each, slots));
};

/** @param {object} record @param {(value: unknown) => unknown} read */
const readEach = (record, read) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, read(value)]));

/**
 * Format the data of a resolved promise in one line; the body itself if it cannot be parsed.
 *
 * @param {CapData} data
 * @returns {string} at most 300 characters; the caller escapes it for a terminal
 */
export const showData = ({ body, slots }) => {
  if (body.length > longestBody) return `${body.slice(0, longestText)}…`;
  let text = body;
  try {
    const isSmallcaps = body.startsWith('#');
    const parsed = JSON.parse(isSmallcaps ? body.slice(1) : body);
    text = inspect((isSmallcaps ? readSmallcaps : readQclass)(parsed, slots), inspectOptions);
  } catch {
    // A raw vat's body may not be JSON, or too deep for the stack.
  }
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
};

/**
 * Format a result of a report (`fulfilled: {capdata}`) for people; a fulfilled one as its value alone.
 *
 * @param {string} result
 * @returns {string} unchanged if it has no capdata
 */
export const showResult = result => {
  const [, state, json] = /^(fulfilled|rejected): (\{.*\})$/s.exec(result) ?? [];
  if (state === undefined) return result;
  try {
    const { body, slots } = JSON.parse(json);
    const shown = showData({ body: String(body), slots: Array.isArray(slots) ? slots : [] });
    return state === 'fulfilled' ? shown : `rejected: ${shown}`;
  } catch {
    return result;
  }
};
