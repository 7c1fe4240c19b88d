// Finds a method of a vat's object without running code of the vat: the host asks outside of cranks, where a vat must
// not act.

import { types } from 'node:util';

/** The method of the root object that a round calls. */
export const roundMethod = 'runBenchmarkRound';

/** Bound on the chain of prototypes. */
const maxDepth = 100;

/**
 * @param {unknown} object
 * @param {PropertyKey} name
 * @returns {Function | undefined}  undefined also for a method behind a proxy or an accessor
 */
export const findMethod = (object, name) => {
  let holder = object;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const isObject = typeof holder === 'object' ? holder !== null : typeof holder === 'function';
    if (!isObject || types.isProxy(holder)) return undefined;
    const property = Object.getOwnPropertyDescriptor(holder, name);
    if (property) return typeof property.value === 'function' ? property.value : undefined;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
};

/**
 * Whether an object has a method.
 *
 * @param {unknown} object
 * @param {string} name
 */
export const hasMethod = (object, name) =>
  typeof object === 'object' && findMethod(object, name) !== undefined;
