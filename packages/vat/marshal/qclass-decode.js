// Reading of the notation of 2020-09-30. The tree of `JSON.parse` becomes the value in place. Objects are numbered as
// the writer numbered them, so that an `ibid` finds its object; an `ibid` of an object that is still being read would
// make a cycle, and is refused.

import { findErrorConstructor2020 } from './qclass-style.js';
import { hardenReference } from './references.js';

const { freeze, hasOwn, keys } = Object;
const { isArray } = Array;

/**
 * @typedef {object} Reading2020
 * @property {readonly string[]} slots
 * @property {(slot: string, iface: string | undefined) => unknown} valOf
 * @property {unknown[]} objects  in the order in which they were met
 * @property {Set<unknown>} unfinished
 */

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {number}
 */
const insistIndex = (value, what) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw RangeError(`the index of a ${what} must be a whole number from 0, got a ${typeof value}`);
};

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {string}
 */
const insistString = (value, what) => {
  if (typeof value === 'string') return value;
  throw TypeError(`invalid ${what} typeof ${typeof value}`);
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading2020} reading
 */
const decodeIbid = (tree, { objects, unfinished }) => {
  const index = insistIndex(tree.index, 'repeated object');
  if (index >= objects.length) {
    throw RangeError(`ibid out of range: ${index}`);
  }
  const object = objects[index];
  if (unfinished.has(object)) throw TypeError(`Ibid cycle at ${index}`);
  return object;
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading2020} reading
 */
const decodeError = (tree, { objects }) => {
  const name = insistString(tree.name, 'error name');
  const message = insistString(tree.message, 'error message');
  const constructor = /** @type {ErrorConstructor} */ (findErrorConstructor2020(name) ?? Error);
  const error = harden(constructor(message));
  objects.push(error);
  return error;
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading2020} reading
 */
const decodeSlot = (tree, { slots, valOf, objects }) => {
  const index = insistIndex(tree.index, 'slot');
  if (index >= slots.length) {
    throw RangeError(`a body refers to slot ${index}, and there are ${slots.length} slots`);
  }
  const value = valOf(slots[index], tree.iface);
  objects.push(value);
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? hardenReference(value)
    : value;
};

/**
 * @param {Record<string, any>} tree  with an own property `@qclass`
 * @param {Reading2020} reading
 */
const decodeSpecial = (tree, reading) => {
  const qclass = insistString(tree['@qclass'], 'qclass');
  switch (qclass) {
    case 'undefined':
      return undefined;
    case 'NaN':
      return NaN;
    case 'Infinity':
      return Infinity;
    case '-Infinity':
      return -Infinity;
    case 'bigint':
      return BigInt(insistString(tree.digits, 'digits'));
    case 'ibid':
      return decodeIbid(tree, reading);
    case 'error':
      return decodeError(tree, reading);
    case 'slot':
      return decodeSlot(tree, reading);
    default:
      throw TypeError(`unrecognized @qclass ${qclass}`);
  }
};

/**
 * Decodes the elements in place; the array is numbered, and not frozen.
 *
 * @param {unknown[]} tree
 * @param {Reading2020} reading
 */
export const decodeElements2020 = (tree, reading) => {
  reading.objects.push(tree);
  reading.unfinished.add(tree);
  for (let i = 0; i < tree.length; i += 1) {
    if (typeof tree[i] === 'object') tree[i] = decodeTree(tree[i], reading);
  }
  reading.unfinished.delete(tree);
  return tree;
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading2020} reading
 */
const decodeRecord = (tree, reading) => {
  reading.objects.push(tree);
  reading.unfinished.add(tree);
  for (const name of keys(tree)) {
    // An own data property, whatever its name, since `JSON.parse` made it one.
    if (typeof tree[name] === 'object') tree[name] = decodeTree(tree[name], reading);
  }
  reading.unfinished.delete(tree);
  return freeze(tree);
};

/**
 * @param {any} tree
 * @param {Reading2020} reading
 * @returns {unknown}
 */
export const decodeTree = (tree, reading) => {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (isArray(tree)) return freeze(decodeElements2020(tree, reading));
  return hasOwn(tree, '@qclass') ? decodeSpecial(tree, reading) : decodeRecord(tree, reading);
};

/**
 * @param {readonly string[]} slots
 * @param {(slot: string, iface: string | undefined) => unknown} valOf
 * @returns {Reading2020}
 */
export const startReading2020 = (slots, valOf) => ({
  slots,
  valOf,
  objects: [],
  unfinished: new Set(),
});
