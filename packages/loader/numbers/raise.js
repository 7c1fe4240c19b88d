// Implements `**` and `**=` of vats: sources are rewritten to call this (../evaluation/rewrite-power.js), since the
// results of the engine's operator differ between versions. Operands are evaluated once and in the order of the
// language.

import { power } from './functions.js';

/** Convert an operand as the operator does. @param {any} value @returns {number | bigint} */
const toNumeric = value => {
  if (typeof value === 'number') return value;
  const negative = -value;
  return -negative;
};

/** @param {any} left @param {any} right @returns {any} left ** right */
const raise = (left, right) => {
  const base = toNumeric(left);
  const exponent = toNumeric(right);
  if (typeof base === 'number' && typeof exponent === 'number') return power(base, exponent);
  // The engine's operator is exact for big integers, and throws the right error for mixed operands.
  return /** @type {any} */ (base) ** /** @type {any} */ (exponent);
};

/** A key of a property, converted once. @param {any} key @returns {PropertyKey} */
const toKey = key =>
  (typeof key === 'object' && key !== null) || typeof key === 'function'
    ? Reflect.ownKeys({ [key]: 0 })[0]
    : key;

/**
 * `object[key] **= value`, in two calls: the expression of the value is evaluated between them, after the property is
 * read, and may hold `yield` and `await`.
 *
 * @param {any} object
 * @param {any} key
 */
const member = (object, key) => {
  const known = object === null || object === undefined ? key : toKey(key);
  const left = object[known];
  return (/** @type {any} */ right) => {
    const result = raise(left, right);
    object[known] = result;
    return result;
  };
};

/**
 * `member` for `super[key]` and `object.#name`: only the rewritten code can name these, so it passes functions that
 * read and write them.
 *
 * @param {any} object
 * @param {any} key
 * @param {(object: any, key: PropertyKey) => any} get
 * @param {(object: any, key: PropertyKey, value: any) => void} set
 */
const slot = (object, key, get, set) => {
  const known = toKey(key);
  const left = get(object, known);
  return (/** @type {any} */ right) => {
    const result = raise(left, right);
    set(object, known, result);
    return result;
  };
};

/** The global that rewritten sources call. */
export const powerName = '__power__';

/** Frozen with the compartment's globals. */
export const powerOperator = Object.assign(raise, { member, slot });
