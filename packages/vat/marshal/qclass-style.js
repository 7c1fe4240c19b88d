// How vats of 2020-09-30 passed an object: the rules of @agoric/marshal 0.2.6. Their differences from today's: objects
// of methods pass by reference without a declaration, including empty objects; functions and symbols do not pass;
// symbol-named properties are ignored; an object is examined before its contents.
//
// Newer kinds of values are treated as today where they cannot be mistaken: far objects and far functions pass by
// reference under their interface. Tagged data is refused, since it would arrive as a record.

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
    throw TypeError(
      'an error passes only if it inherits from one of the standard error prototypes',
    );
  }
  for (const name of getOwnPropertyNames(error)) {
    if (name === 'message') {
      const found = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(error, name));
      if (typeof found.value !== 'string' || found.enumerable) {
        throw TypeError('the message of an error that passes must be a string and not enumerable');
      }
    } else if (name !== 'stack') {
      throw TypeError(`an error with a property ${JSON.stringify(name)} cannot pass`);
    }
  }
};

/** @param {unknown} element @param {number} i */
const refuseMethod = (element, i) => {
  if (isMethod(element)) throw TypeError(`an array with a function at ${i} cannot pass`);
};

/** @param {readonly unknown[]} list  a plain array @throws {TypeError} if an element is a function that does not pass */
export const insistNoMethods = list => {
  for (let i = 0; i < list.length; i += 1) refuseMethod(list[i], i);
};

/**
 * @param {any} array
 * @throws {TypeError} if it is no plain array; checked before the elements themselves are
 */
export const insistPlainArray = array => {
  if (getPrototypeOf(array) !== arrayPrototype) {
    throw TypeError('an array that passes must inherit from Array.prototype');
  }
  const { length } = array;
  for (let i = 0; i < length; i += 1) {
    const found = getOwnPropertyDescriptor(array, i);
    if (found === undefined) throw TypeError(`an array with a hole at ${i} cannot pass`);
    if (!('value' in found)) throw TypeError(`an array with an accessor at ${i} cannot pass`);
    refuseMethod(found.value, i);
    if (!found.enumerable) throw TypeError(`an array with a hidden element ${i} cannot pass`);
  }
  if (getOwnPropertyNames(array).length !== length + 1) {
    throw TypeError('an array with properties that are no elements cannot pass');
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
  let accessor;
  /** @type {string | undefined} */
  let hidden;
  for (const name of names) {
    const found = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(value, name));
    if (isMethod(found.value)) return false;
    if (!('value' in found)) accessor ??= name;
    else if (!found.enumerable) hidden ??= name;
  }
  if (accessor !== undefined) {
    throw TypeError(`a record with an accessor ${JSON.stringify(accessor)} cannot pass`);
  }
  if (hidden !== undefined) {
    throw TypeError(`a record with a hidden property ${JSON.stringify(hidden)} cannot pass`);
  }
  return true;
};

/**
 * Checks that only methods can be reached by name, in the object and in its prototypes.
 *
 * @param {any} value
 */
const insistMethods = value => {
  for (
    let layer = value;
    layer !== null && layer !== objectPrototype;
    layer = getPrototypeOf(layer)
  ) {
    if (!isFrozen(layer)) throw Error('cannot pass objects that are not frozen; use harden()');
    if (findInterface2020(layer) === undefined) {
      if (isArray(layer)) throw Error('an array cannot pass by reference');
      for (const name of getOwnPropertyNames(layer)) {
        if (typeof layer[name] !== 'function') {
          throw Error(
            `an object with ${JSON.stringify(name)}, which is no method, cannot pass by reference; and with methods it cannot pass as data`,
          );
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
  if (typeof value === 'function') throw Error('a function cannot pass, unless it is Far');
  if ('@qclass' in value) throw Error('the property "@qclass" is reserved');
  if (!isFrozen(value)) throw Error('cannot pass objects that are not frozen; use harden()');
  if (value instanceof Promise && Promise.resolve(value) === value) return 'promise';
  if (typeof value.then === 'function') {
    throw Error('cannot pass objects with a method "then" that are no promises');
  }
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
  insistMethods(value);
  return 'remotable';
};
