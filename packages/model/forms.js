// Forms of plain values: what data that was read from a file must be, and its name for messages.

import { isCapData } from './capdata.js';
import { quote } from './errors.js';
import { isRecord } from './is-record.js';

/** A form: its name for messages, and its check. @typedef {readonly [wanted: string, holds: (value: any) => boolean]} Form */

/** @typedef {Readonly<Record<string, Form>>} Forms  by the names of fields */

/** @param {unknown} value */
const isText = value => typeof value === 'string';

/** @param {Form} form @returns {Form} */
const listOf = ([wanted, holds]) => [
  `a list, each ${wanted}`,
  value => Array.isArray(value) && value.every(each => holds(each)),
];

/** @param {Record<string, unknown>} fields @param {Forms} wanted */
const findWrong = (fields, wanted) =>
  Object.entries(wanted).find(
    ([name, [, holds]]) => !holds(Object.hasOwn(fields, name) ? fields[name] : undefined),
  );

export const forms = Object.freeze({
  text: /** @type {Form} */ (['a string', isText]),
  texts: listOf(['a string', isText]),
  flag: /** @type {Form} */ (['true or false', value => typeof value === 'boolean']),
  count: /** @type {Form} */ (['a count', value => Number.isSafeInteger(value) && value >= 0]),
  whole: /** @type {Form} */ (['a whole number', value => Number.isSafeInteger(value)]),
  number: /** @type {Form} */ (['a number', value => Number.isFinite(value)]),
  record: /** @type {Form} */ (['an object', isRecord]),
  capData: /** @type {Form} */ (['capdata', isCapData]),

  /** @param {readonly unknown[]} values @returns {Form} */
  oneOf: values => [
    `one of ${values.map(value => quote(value)).join(', ')}`,
    value => values.includes(value),
  ],

  /** @param {Form} form @returns {Form} */
  orNone: ([wanted, holds]) => [`${wanted}, or null`, value => value === null || holds(value)],

  /** @param {Form} form @returns {Form} */
  orAbsent: ([wanted, holds]) => [
    `${wanted}, or absent`,
    value => value === undefined || holds(value),
  ],

  listOf,

  /** @param {Forms} fields @returns {Form} */
  recordOf: fields => [
    `an object with ${Object.entries(fields)
      .map(([name, [wanted]]) => `${quote(name)}, ${wanted}`)
      .join('; ')}`,
    value => isRecord(value) && findWrong(value, fields) === undefined,
  ],

  /** Objects whose fields may have any names. @param {Form} form @returns {Form} */
  tableOf: ([wanted, holds]) => [
    `an object whose fields are each ${wanted}`,
    value => isRecord(value) && Object.values(value).every(each => holds(each)),
  ],
});

/**
 * Checks the fields of an object.
 *
 * @param {unknown} value  as it was read
 * @param {Forms} wanted  others are not looked at
 * @returns {asserts value is Record<string, any>}
 * @throws {Error} it is no object, or a field is wrong
 */
export function insistFields(value, wanted) {
  if (!isRecord(value)) throw Error('it must hold an object');
  const wrong = findWrong(value, wanted);
  if (wrong !== undefined) throw Error(`its ${quote(wrong[0])} must be ${wrong[1][0]}`);
}
