// Whether an object of a vat has a method, found out without running any of the vat's code: it is asked outside of
// cranks, where a vat must not act.

import { types } from 'node:util';

/** Longer chains of prototypes are nobody's root object. */
const maxDepth = 100;

/**
 * @param {unknown} object
 * @param {string} name
 * @returns {boolean}  false also for what only a proxy could tell
 */
export const hasMethod = (object, name) => {
  let holder = object;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    if (typeof holder !== 'object' || holder === null || types.isProxy(holder)) return false;
    const property = Object.getOwnPropertyDescriptor(holder, name);
    if (property) return typeof property.value === 'function';
    holder = Object.getPrototypeOf(holder);
  }
  return false;
};
