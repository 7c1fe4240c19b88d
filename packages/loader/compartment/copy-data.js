// Copies the data properties of a vat's value, for code that reads values without such care.

import { types } from 'node:util';

/** Bound on the objects in a copy. */
const maxCopied = 10_000;

/**
 * Copy a value. `JSON.stringify` gives the same text for the copy as for the original, if that is plain data.
 * Accessors, methods (also `toJSON`) and symbols are left out, a proxy becomes an empty object, a date its string.
 *
 * @param {unknown} value
 * @returns {unknown}
 * @throws {Error} if the value is cyclic, or has more than 10,000 objects
 */
export const copyData = value => {
  let left = maxCopied;
  /** @type {Set<object>} */
  const within = new Set();
  /** @param {unknown} item @returns {unknown} */
  const copy = item => {
    if (typeof item === 'function') return undefined;
    if (typeof item !== 'object' || item === null) return item;
    if (types.isProxy(item)) return {};
    if (types.isDate(item)) {
      const time = Date.prototype.getTime.call(item);
      return Number.isNaN(time) ? null : Date.prototype.toISOString.call(item);
    }
    left -= 1;
    if (left < 0 || within.has(item)) throw Error('the data is cyclic or too large');
    within.add(item);
    /** @type {any} */
    const made = Array.isArray(item) ? [] : Object.create(null);
    for (const key of Object.keys(item)) {
      const found = Object.getOwnPropertyDescriptor(item, key);
      if (found === undefined || !('value' in found)) continue;
      const given = { value: copy(found.value), writable: true, enumerable: true };
      Object.defineProperty(made, key, { ...given, configurable: true });
    }
    if (Array.isArray(item)) made.length = Math.min(item.length, maxCopied);
    within.delete(item);
    return made;
  };
  return copy(value);
};
