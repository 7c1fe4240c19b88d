// Writing of the notation of 2020-09-30: JSON, with an object {"@qclass": kind, ...} for everything that JSON lacks.
// Objects are numbered as they are met, and a repeated one is written as {"@qclass":"ibid","index":n}, which makes even
// cyclic data finite. Slots are allocated as they are met, as by that marshaller: those allocated before a value turned
// out not to pass stay allocated.

import { insistLevel } from './depth.js';
import { findInterface2020, styleOf2020 } from './qclass-style.js';
import { quoteName, quoteText } from './text.js';

const { keys } = Object;
const { apply } = Reflect;

/** Up to this many objects a search through the list is faster than a map. */
const fewObjects = 12;

/**
 * @typedef {object} Walk2020
 * @property {object[]} objects  in the order in which they were met
 * @property {Map<object, number> | undefined} numbers  made when there are many objects
 * @property {string[]} slots
 * @property {(value: object) => string} slotOf
 * @property {(error: Error) => string} encodeError
 * @property {number} depth
 */

/**
 * @param {object} value
 * @param {Walk2020} walk
 * @returns {number}  its number if it was met before; otherwise -1, and it is numbered now
 */
const meet = (value, walk) => {
  const { objects } = walk;
  if (objects.length <= fewObjects) {
    const known = objects.indexOf(value);
    if (known < 0) objects.push(value);
    return known;
  }
  walk.numbers ??= new Map(objects.map((object, i) => [object, i]));
  const known = walk.numbers.get(value);
  if (known !== undefined) return known;
  walk.numbers.set(value, objects.push(value) - 1);
  return -1;
};

/**
 * @param {object} value
 * @param {Walk2020} walk
 */
const encodeReference = (value, walk) => {
  const iface = findInterface2020(value);
  const index = walk.slots.push(walk.slotOf(value)) - 1;
  return iface === undefined
    ? `{"@qclass":"slot","index":${index}}`
    : `{"@qclass":"slot","iface":${quoteText(iface)},"index":${index}}`;
};

/**
 * @param {readonly unknown[]} array
 * @param {Walk2020} walk
 */
export const encodeElements = (array, walk) => {
  let text = '';
  for (let i = 0; i < array.length; i += 1) {
    const part = encodeValue(array[i], i, walk);
    text += i === 0 ? part : `,${part}`;
  }
  return `[${text}]`;
};

/**
 * @param {any} record
 * @param {Walk2020} walk
 */
const encodeRecord = (record, walk) => {
  let text = '';
  for (const name of keys(record)) {
    const member = quoteName(name) + encodeValue(record[name], name, walk);
    text += text === '' ? member : `,${member}`;
  }
  return `{${text}}`;
};

/** @param {Walk2020} walk */
const goDeeper = walk => {
  walk.depth += 1;
  insistLevel(walk.depth);
};

/**
 * @param {any} value  an object or a function
 * @param {Walk2020} walk
 */
const encodeObject = (value, walk) => {
  const style = styleOf2020(value);
  const known = meet(value, walk);
  if (known >= 0) return `{"@qclass":"ibid","index":${known}}`;
  switch (style) {
    case 'copyArray':
    case 'copyRecord': {
      goDeeper(walk);
      const text = style === 'copyArray' ? encodeElements(value, walk) : encodeRecord(value, walk);
      walk.depth -= 1;
      return text;
    }
    case 'copyError':
      return walk.encodeError(value);
    default:
      return encodeReference(value, walk);
  }
};

/** @param {number} value */
const encodeNumber = value => {
  if (Number.isFinite(value)) return `${value}`;
  return `{"@qclass":"${value}"}`;
};

/**
 * @param {any} value
 * @param {string | number} key  its key in the object that has it
 * @param {Walk2020} walk
 * @returns {string}
 */
export const encodeValue = (value, key, walk) => {
  switch (typeof value) {
    case 'string':
      return quoteText(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return '{"@qclass":"undefined"}';
    case 'bigint':
      return `{"@qclass":"bigint","digits":"${value}"}`;
    case 'symbol':
      throw TypeError('Cannot pass symbols');
    default:
      break;
  }
  if (value === null) return 'null';
  // That marshaller was a replacer of `JSON.stringify`, which first calls an object's `toJSON`: a date passes as a
  // string.
  const { toJSON } = value;
  if (typeof toJSON !== 'function') return encodeObject(value, walk);
  const instead = apply(toJSON, value, [String(key)]);
  return (typeof instead === 'object' && instead !== null) || typeof instead === 'function'
    ? encodeObject(instead, walk)
    : encodeValue(instead, key, walk);
};

/**
 * @param {(value: object) => string} slotOf
 * @param {(error: Error) => string} encodeError
 * @returns {Walk2020}
 */
export const startWalk2020 = (slotOf, encodeError) => ({
  objects: [],
  numbers: undefined,
  slots: [],
  slotOf,
  encodeError,
  depth: 0,
});
