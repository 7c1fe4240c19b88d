// A plain copy of what a vat made, of its data properties alone: for those who hand it on to code that reads it alive.

import { types } from 'node:util';

/** More than that is not copied; the copy is refused. */
const maxCopied = 10_000;

/**
 * The copy that `JSON.stringify` makes the same text of as of the original, where that is plain data: accessors, methods
 * (`toJSON` among them) and symbols are left out, a proxy is an empty object, a date its text.
 *
 * @param {unknown} value
 * @returns {unknown}
 * @throws {Error} for what is cyclic or too large
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
