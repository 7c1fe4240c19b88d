// Reading of smallcaps. `JSON.parse` makes a tree that no other code has seen; it is turned into the value in place,
// and frozen on the way back. A body comes from another vat: whatever is not smallcaps is refused as @endo/marshal
// refuses it, and property names such as `__proto__` are names like all others.

import { PASS_STYLE, passStyleOf, passableSymbolForName } from './pass-style.js';
import { insistFewArguments, insistShallow } from './depth.js';
import { decodeSmallcapsError } from './errors.js';
import { longestKept, shareInterface } from './prototypes.js';
import { findInterface, hardenReference, isMethodsOnly, isPlainPromise } from './references.js';
import { readPlainMessage, safeDigits } from './plain-message.js';
import { startsSpecial } from './text.js';

const { create, defineProperty, freeze, hasOwn, keys, prototype: objectPrototype } = Object;
const { isArray } = Array;
const { toStringTag } = Symbol;

const zero = '0'.charCodeAt(0);

/** A parsed reference. @typedef {{ index: number, iface: string | undefined }} Named */

/** References read recently, by text: there are few different ones. @type {Map<string, Named>} */
const read = new Map();

const mostRead = 1_000;

/**
 * @param {string} text  begins with `$` or `&`
 * @returns {Named}
 */
const readNamed = text => {
  const known = read.get(text);
  if (known !== undefined) return known;
  const dot = text.indexOf('.');
  // The library reads the index as JavaScript reads a number, and so do we.
  const index = Number(dot < 0 ? text.slice(1) : text.slice(1, dot));
  const named = { index, iface: dot < 0 ? undefined : shareInterface(text.slice(dot + 1)) };
  if (text.length > longestKept) return named;
  if (read.size >= mostRead) read.clear();
  read.set(text, named);
  return named;
};

/**
 * @typedef {object} Reading
 * @property {readonly string[]} slots
 * @property {unknown[]} values  by index, as far as they were read
 * @property {(slot: string, iface: string | undefined) => unknown} valOf
 * @property {boolean} lenient
 */

/**
 * Makes the tagged data of @endo/pass-style. Its payload was decoded here and need not be examined again.
 *
 * @param {string} tag
 * @param {unknown} payload
 */
const makeTaggedOf = (tag, payload) =>
  freeze(
    create(objectPrototype, {
      [PASS_STYLE]: { value: 'tagged' },
      [toStringTag]: { value: tag },
      payload: { value: payload, enumerable: true },
    }),
  );

/**
 * @param {string} text  begins with `$` or `&`
 * @param {Reading} reading
 */
const decodeReference = (text, reading) => {
  const digit = text.length === 2 ? text.charCodeAt(1) - zero : -1;
  const isDigit = digit >= 0 && digit <= 9;
  const named = isDigit ? undefined : readNamed(text);
  const index = named === undefined ? digit : named.index;
  return readReference(index, named?.iface, text[0] === '$', reading);
};

/**
 * Finds the value of a slot.
 *
 * @param {number} index
 * @param {string | undefined} iface
 * @param {boolean} isObjects  whether the body says that it is an object; otherwise a promise
 * @param {Reading} reading
 * @throws {Error} if there is no such slot, or it is of the other type
 */
const readReference = (index, iface, isObjects, reading) => {
  const { slots, values } = reading;
  if (!(Number.isSafeInteger(index) && index >= 0 && index < slots.length)) {
    throw RangeError(`a body refers to slot ${index}, and there are ${slots.length} slots`);
  }
  let value = values[index];
  if (!value) {
    value = reading.valOf(slots[index], iface);
    values[index] = value;
  }
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (isObjects) {
    if (!isObject || !isRemotable(value, reading.lenient)) {
      throw Error(`slot ${index} is no remotable, and the body says that it is one`);
    }
  } else if (!isObject || !isPromise(value)) {
    throw Error(`slot ${index} is no promise, and the body says that it is one`);
  }
  return hardenReference(/** @type {object} */ (value));
};

/**
 * @param {any} value
 * @param {boolean} lenient
 */
const isRemotable = (value, lenient) =>
  findInterface(value) !== undefined || (lenient && isMethodsOnly(value));

/** @param {any} value */
const isPromise = value => isPlainPromise(value) || passStyleOf(value) === 'promise';

/**
 * @param {string} text  begins with a special character
 * @param {Reading} reading
 * @returns {unknown}
 */
const decodeSpecial = (text, reading) => {
  switch (text[0]) {
    case '!':
      return text.slice(1);
    case '$':
    case '&':
      return decodeReference(text, reading);
    default:
      return decodeConstant(text);
  }
};

/**
 * @param {string} text  begins with a special character, and is no reference
 * @returns {unknown} a primitive value
 */
const decodeConstant = text => {
  switch (text[0]) {
    case '!':
      return text.slice(1);
    case '+':
    case '-':
      return BigInt(text);
    case '%':
      return passableSymbolForName(text.slice(1));
    case '#':
      if (text === '#undefined') return undefined;
      if (text === '#NaN') return NaN;
      if (text === '#Infinity') return Infinity;
      if (text === '#-Infinity') return -Infinity;
      throw TypeError(`${JSON.stringify(text)} is no constant of smallcaps`);
    default:
      throw Error(`strings of smallcaps that begin with ${JSON.stringify(text[0])} are reserved`);
  }
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading} reading
 */
const decodeTagged = (tree, reading) => {
  const { '#tag': encodedTag, payload, ...rest } = tree;
  if (typeof encodedTag !== 'string') {
    throw Error(`the value of "#tag" is a ${typeof encodedTag}; it must be a string`);
  }
  const others = keys(rest);
  if (others.length > 0) {
    throw Error(`tagged data has properties besides "#tag" and "payload": ${others.length}`);
  }
  const tag = decodeAny(encodedTag, reading);
  if (!hasOwn(tree, 'payload')) throw TypeError('tagged data without a "payload"');
  const decoded = decodeAny(payload, reading);
  if (typeof tag !== 'string') throw Error(`a tag is a ${typeof tag}; it must be a string`);
  return makeTaggedOf(tag, decoded);
};

/**
 * Replaces the escaped names of a record. If two names become the same, the later value counts.
 *
 * @param {Record<string, any>} tree
 * @param {Reading} reading
 */
const renameRecord = (tree, reading) => {
  const record = {};
  for (const encodedName of keys(tree)) {
    const name = startsSpecial(encodedName) ? decodeName(encodedName, reading) : encodedName;
    const value = decodeAny(tree[encodedName], reading);
    insistNoThen(name, value);
    defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return freeze(record);
};

/**
 * @param {string} encodedName  begins with a special character
 * @param {Reading} reading
 */
const decodeName = (encodedName, reading) => {
  const name = encodedName[0] === '#' ? undefined : decodeSpecial(encodedName, reading);
  if (typeof name === 'string') return name;
  throw Error(`${JSON.stringify(encodedName)} is no property name of smallcaps`);
};

/**
 * @param {string} name
 * @param {unknown} value
 */
const insistNoThen = (name, value) => {
  if (name === 'then' && typeof value === 'function') {
    throw Error('a record with a function named "then" cannot pass; it would act as a promise');
  }
};

/**
 * @param {Record<string, any>} tree
 * @param {Reading} reading
 */
const decodeRecord = (tree, reading) => {
  const names = keys(tree);
  for (const name of names) {
    if (startsSpecial(name)) {
      if (hasOwn(tree, '#tag')) return decodeTagged(tree, reading);
      if (hasOwn(tree, '#error')) {
        return decodeSmallcapsError(tree, encoding => decodeAny(encoding, reading));
      }
      return renameRecord(tree, reading);
    }
  }
  for (const name of names) {
    const before = tree[name];
    if (typeof before === 'string' ? startsSpecial(before) : typeof before === 'object') {
      const value = decodeAny(before, reading);
      if (name === 'then') insistNoThen(name, value);
      // An own data property, whatever its name, since `JSON.parse` made it one.
      tree[name] = value;
    }
  }
  return freeze(tree);
};

/**
 * @param {unknown[]} tree
 * @param {Reading} reading
 */
const decodeElements = (tree, reading) => {
  for (let i = 0; i < tree.length; i += 1) {
    const before = tree[i];
    if (typeof before === 'string' ? startsSpecial(before) : typeof before === 'object') {
      tree[i] = decodeAny(before, reading);
    }
  }
  return tree;
};

/**
 * @param {any} tree
 * @param {Reading} reading
 * @returns {unknown}
 */
const decodeAny = (tree, reading) => {
  switch (typeof tree) {
    case 'string':
      return startsSpecial(tree) ? decodeSpecial(tree, reading) : tree;
    case 'number':
    case 'boolean':
      return tree;
    case 'object':
      if (tree === null) return null;
      return isArray(tree) ? freeze(decodeElements(tree, reading)) : decodeRecord(tree, reading);
    default:
      throw TypeError(`smallcaps has no ${typeof tree}`);
  }
};

/**
 * A fast path for whole numbers, the usual values of ports.
 *
 * @param {string} body
 * @returns {number} -1 for any other body
 */
const readCount = body => {
  const { length } = body;
  if (length < 2 || length > safeDigits + 1) return -1;
  let value = body.charCodeAt(1) - 0x30;
  if (value < 0 || value > 9 || (value === 0 && length > 2)) return -1;
  for (let i = 2; i < length; i += 1) {
    const digit = body.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
};

/**
 * @param {string} body
 * @param {Reading} reading
 * @returns {unknown}
 */
export const decodeBody = (body, reading) => {
  // The result of most calls.
  if (body === '#"#undefined"') return undefined;
  const count = readCount(body);
  if (count >= 0) return count;
  return decodeAny(JSON.parse(insistShallow(body).slice(1)), reading);
};

/**
 * The method and the arguments of a message. The list of arguments is fresh and not frozen; its elements are.
 *
 * @param {string} body
 * @param {Reading} reading
 * @returns {{ method: unknown, args: unknown[] }}
 */
export const decodeMessage = (body, reading) => {
  /** @type {{ method: unknown, args: unknown[] } | undefined} */
  const plain = readPlainMessage(body);
  if (plain !== undefined) {
    plain.method = decodeAny(plain.method, reading);
    decodeElements(plain.args, reading);
    return plain;
  }
  const tree = JSON.parse(insistShallow(body).slice(1));
  if (!isArray(tree) || tree.length !== 2 || !isArray(tree[1])) {
    throw TypeError('the body of a message must be [method, [arguments]]');
  }
  insistFewArguments(tree[1]);
  return { method: decodeAny(tree[0], reading), args: decodeElements(tree[1], reading) };
};
