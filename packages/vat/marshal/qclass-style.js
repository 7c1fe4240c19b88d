// How vats of 2020-09-30 passed an object: the rules of @agoric/marshal 0.2.6. Their differences from today's: objects
// of methods pass by reference without a declaration, including empty objects; functions and symbols do not pass;
// symbol-named properties are ignored; an object is examined before its contents.
//
// Newer kinds of values are treated as today where they cannot be mistaken: far objects and far functions pass by
// reference under their interface. Tagged data is refused, since it would arrive as a record.
//
// The errors are those of that marshaller, which made text of what it refused by the value's own code.

import { findData, isErrorLike } from '#model';
import { PASS_STYLE, getErrorConstructor, getInterfaceOf } from './pass-style.js';
import { findKnownInterface, isMethod } from './references.js';

const {
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  isFrozen,
  prototype: objectPrototype,
} = Object;
const { isArray, prototype: arrayPrototype } = Array;

/** @typedef {'remotable' | 'promise' | 'copyError' | 'copyArray' | 'copyRecord'} Style2020 */

/**
 * The interface under which a value was declared, `undefined` if it was not.
 *
 * @param {any} value
 * @returns {string | undefined}
 */
export const findInterface2020 = value => findKnownInterface(value) ?? getInterfaceOf(value);

/**
 * The error classes of that year; AggregateError came later.
 *
 * @param {string} name
 */
export const findErrorConstructor2020 = name =>
  name === 'AggregateError' ? undefined : getErrorConstructor(name);

/** @param {any} error */
const insistPlainError = error => {
  const constructor = findErrorConstructor2020(/** @type {any} */ (findData(error, 'name')));
  if (constructor === undefined || constructor.prototype !== getPrototypeOf(error)) {
    throw TypeError(`Errors must inherit from an error class .prototype ${error}`);
  }
  const others = getOwnPropertyNames(error).filter(name => name !== 'message' && name !== 'stack');
  if (others.length > 0) throw TypeError(`Unexpected own properties in error: ${others}`);
  const found = getOwnPropertyDescriptor(error, 'message');
  if (found === undefined) return;
  if (typeof found.value !== 'string') throw TypeError(`Malformed error object: ${error}`);
  if (found.enumerable) throw TypeError(`An error's .message must not be enumerable`);
};

/**
 * @param {any} array
 * @throws {TypeError} if it is no plain array; checked before the elements themselves are
 */
export const insistPlainArray = array => {
  if (getPrototypeOf(array) !== arrayPrototype) throw TypeError(`Malformed array: ${array}`);
  const { length } = array;
  for (let i = 0; i < length; i += 1) {
    const found = getOwnPropertyDescriptor(array, i);
    if (found === undefined) throw TypeError(`Arrays must not contain holes: ${i}`);
    if (!('value' in found)) throw TypeError(`Arrays must not contain accessors: ${i}`);
    if (isMethod(found.value)) throw TypeError(`Arrays must not contain methods: ${i}`);
    if (!found.enumerable) throw TypeError(`Array elements must be enumerable: ${i}`);
  }
  if (getOwnPropertyNames(array).length !== length + 1) {
    throw TypeError(`Arrays must not have non-indexes: ${array}`);
  }
};

/**
 * @param {any} value
 * @returns {boolean} whether it is a record, that is, neither empty nor with a method
 */
const isPlainRecord = value => {
  if (getPrototypeOf(value) !== objectPrototype) return false;
  const names = getOwnPropertyNames(value);
  if (names.length === 0) return false;
  /** @type {string | undefined} */
  let problem;
  for (const name of names) {
    const found = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(value, name));
    if (isMethod(found.value)) return false;
    if (!('value' in found)) problem ??= `Records must not contain accessors: ${name}`;
    else if (!found.enumerable) problem ??= `Record fields must be enumerable: ${name}`;
  }
  if (problem !== undefined) throw TypeError(problem);
  return true;
};

/**
 * Checks that only methods can be reached by name, in the object and in its prototypes.
 *
 * @param {any} value
 * @throws {Error} if it does not pass by reference
 */
export const insistRemotable2020 = value => {
  if (Object(value) !== value) {
    throw Error(
      value === null
        ? 'null cannot be pass-by-remote'
        : `cannot serialize non-objects like ${value}`,
    );
  }
  for (
    let layer = value;
    layer !== null && layer !== objectPrototype;
    layer = getPrototypeOf(layer)
  ) {
    if (!isFrozen(layer)) throw Error(`cannot serialize non-frozen objects like ${layer}`);
    if (findInterface2020(layer) === undefined) {
      if (typeof layer === 'function') throw Error(`cannot serialize non-objects like ${layer}`);
      if (isArray(layer)) throw Error('Arrays cannot be pass-by-remote');
      for (const name of getOwnPropertyNames(layer)) {
        if (typeof layer[name] !== 'function') {
          throw Error(`cannot serialize objects with non-methods like the .${name} in ${layer}`);
        }
      }
    }
  }
};

/**
 * @param {any} value  an object or a function
 * @returns {Style2020}
 * @throws {Error} if it does not pass; its contents are not examined
 */
export const styleOf2020 = value => {
  if (findInterface2020(value) !== undefined) return 'remotable';
  if (typeof value === 'function') throw Error(`Bare functions like ${value} are disabled for now`);
  if ('@qclass' in value) throw Error('property "@qclass" reserved');
  if (!isFrozen(value)) throw Error(`Cannot pass non-frozen objects like ${value}. Use harden()`);
  if (value instanceof Promise && Promise.resolve(value) === value) return 'promise';
  if (typeof value.then === 'function') throw Error('Cannot pass non-promise thenables');
  if (isErrorLike(value)) {
    insistPlainError(value);
    return 'copyError';
  }
  if (isArray(value)) {
    insistPlainArray(value);
    return 'copyArray';
  }
  if (PASS_STYLE in value) throw Error('tagged data cannot pass in the notation of 2020');
  if (isPlainRecord(value)) return 'copyRecord';
  insistRemotable2020(value);
  return 'remotable';
};
