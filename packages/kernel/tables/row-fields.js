// Checks rows of the store. A state on disk may hold anything, so each row is checked when it is read: a wrong one is
// told by its key, before anything runs.

import { insistFields } from '#model';
import { quoteShort } from '../limits.js';

/** @import { Form, Forms } from '#model' */

/** @param {string} value */
export const isKref = value => /^k[opd](?:0|[1-9]\d{0,15})$/.test(value);

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
 * @param {Forms} forms  of the fields; others are left out
 * @returns {any}
 * @throws {Error} it is no JSON of an object, or a field is wrong
 */
export const parseFields = (written, forms) => {
  const fields = JSON.parse(written);
  insistFields(fields, forms);
  /** @type {Record<string, unknown>} */
  const read = {};
  for (const name of Object.keys(forms)) if (Object.hasOwn(fields, name)) read[name] = fields[name];
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
