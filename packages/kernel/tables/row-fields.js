// Checks rows of the store. A state on disk may hold anything, so each row is checked when it is read: a wrong one is
// told by its key, before anything runs.

import { isCapData, isRecord, quote } from '#model';
import { quoteShort } from '../limits.js';

/** The form of a field: its name for messages, and its check. @typedef {readonly [wanted: string, holds: (value: any) => boolean]} Form */

/** @param {unknown} value */
const isText = value => typeof value === 'string';

/** @param {unknown} value */
const isWhole = value => Number.isSafeInteger(value);

/** @param {number} value */
const isCount = value => isWhole(value) && value >= 0;

/** @param {unknown} value */
const isFlag = value => typeof value === 'boolean';

/** @param {string} value */
export const isKref = value => /^k[opd](?:0|[1-9]\d{0,15})$/.test(value);

/** @type {Form} */
export const text = ['a string', isText];

/** @type {Form} */
export const texts = [
  'a list of strings',
  value => Array.isArray(value) && value.every(each => isText(each)),
];

/** @type {Form} */
export const flag = ['true or false', isFlag];

/** @type {Form} */
export const count = ['a count', isCount];

/** @type {Form} */
export const whole = ['a whole number', isWhole];

/** @type {Form} */
export const record = ['an object', isRecord];

/** @type {Form} */
export const capData = ['capdata', isCapData];

/** @param {readonly unknown[]} values @returns {Form} */
export const oneOf = values => [
  `one of ${values.map(value => quote(value)).join(', ')}`,
  value => values.includes(value),
];

/** @param {Form} form @returns {Form} */
export const orNone = ([wanted, holds]) => [
  `${wanted}, or null`,
  value => value === null || holds(value),
];

/** @param {Form} form @returns {Form} */
export const orAbsent = ([wanted, holds]) => [
  `${wanted}, or absent`,
  value => value === undefined || holds(value),
];

/** @param {Record<string, Form>} forms @returns {Form} */
export const recordOf = forms => [
  `an object with ${Object.entries(forms)
    .map(([name, [wanted]]) => `${quote(name)}, ${wanted}`)
    .join('; ')}`,
  value =>
    isRecord(value) &&
    Object.entries(forms).every(([name, [, holds]]) =>
      holds(Object.hasOwn(value, name) ? value[name] : undefined),
    ),
];

/** @param {Form} form @returns {Form} */
export const listOf = ([wanted, holds]) => [
  `a list, each ${wanted}`,
  value => Array.isArray(value) && value.every(each => holds(each)),
];

/**
 * Reads a row.
 *
 * @template V
 * @param {string} key
 * @param {() => V} read
 * @returns {V}
 * @throws {Error} it cannot be read; the text names it
 */
export const readRow = (key, read) => {
  try {
    return read();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw Error(`row ${quoteShort(key)}: ${message}`, { cause: error });
  }
};

/**
 * Reads a count or a number of a row.
 *
 * @param {string} written
 * @throws {Error} it is something else
 */
export const parseCount = written => {
  const number = Number(written);
  if (!/^\d+$/.test(written) || !Number.isSafeInteger(number))
    throw Error(`${quoteShort(written)} is no count`);
  return number;
};

/**
 * Reads the fields of a row.
 *
 * @param {string} written  JSON
 * @param {Record<string, Form>} forms  by the names of the fields; others are left out
 * @returns {any}
 * @throws {Error} it is no JSON of an object, or a field is wrong
 */
export const parseFields = (written, forms) => {
  const fields = JSON.parse(written);
  if (!isRecord(fields)) throw Error('it must hold an object');
  /** @type {Record<string, unknown>} */
  const read = {};
  for (const [name, [wanted, holds]] of Object.entries(forms)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!holds(value)) throw Error(`its ${quote(name)} must be ${wanted}`);
    if (value !== undefined) read[name] = value;
  }
  return read;
};

/**
 * Reads a row that is a list of fixed length.
 *
 * @param {string} written  JSON
 * @param {readonly (readonly [name: string, form: Form])[]} forms  in the order of the list
 * @returns {any[]}
 * @throws {Error} it is no JSON of a list, or an element is wrong
 */
export const parseList = (written, forms) => {
  const list = JSON.parse(written);
  if (!Array.isArray(list) || list.length !== forms.length)
    throw Error(`it must hold a list of ${forms.length}`);
  forms.forEach(([name, [wanted, holds]], i) => {
    if (!holds(list[i])) throw Error(`its ${name} must be ${wanted}`);
  });
  return list;
};
