// `harden` for the usual data of messages. The shared prototypes are hardened since lockdown, so arrays and records of
// plain data are hardened by freezing them; other values go to `harden` itself.

import { hardenReference, isHardenedReference } from './references.js';

const {
  freeze,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  prototype: objectPrototype,
} = Object;
const { ownKeys } = Reflect;
const { isArray, prototype: arrayPrototype } = Array;
const { prototype: functionPrototype } = Function;
const asyncFunctionPrototype = getPrototypeOf(async () => {});
const { prototype: promisePrototype } = Promise;

/** Deeper data, including cyclic data, is left to `harden`. */
const deepest = 100;

/**
 * Objects that a vat's `harden` freezes by a walk of its own, at most. `harden` remembers what it has hardened in a
 * weak set, with an entry for each object; so larger data is left to it, and is walked once.
 */
const mostOfSmall = 50;

/** @param {unknown} proto */
const isPlainFunctionPrototype = proto =>
  proto === functionPrototype || proto === asyncFunctionPrototype;

/**
 * Hardens a function. Nearly every function has only a name and a length, and then freezing is enough. It is frozen
 * first, because a proxy may omit properties until then.
 *
 * @param {any} fn
 */
export const hardenFunction = fn => {
  freeze(fn);
  const keys = ownKeys(fn);
  if (
    keys.length === 2 &&
    keys[0] === 'length' &&
    keys[1] === 'name' &&
    isPlainFunctionPrototype(getPrototypeOf(fn))
  ) {
    const length = getOwnPropertyDescriptor(fn, 'length')?.value;
    const name = getOwnPropertyDescriptor(fn, 'name')?.value;
    if (typeof length === 'number' && typeof name === 'string') return;
  }
  harden(fn);
};

/** The number of objects that the walk may still freeze. */
let left = 0;

/** More objects than any data has. */
const unbounded = 2 ** 48;

/**
 * Records and arrays that were hardened with at least `fewInWalk` objects in them. Patterns, for example, are hardened
 * over and over as parts of new lists. Smaller data is walked again: that costs less than an entry.
 *
 * @type {WeakSet<object>}
 */
const walked = new WeakSet();
const fewInWalk = 3;

/**
 * Like `ownKeys`, but faster for a record of plain names (docs/v8-in-a-locked-down-realm.md).
 *
 * @param {object} value
 */
const keysOf = value =>
  isArray(value) || getOwnPropertySymbols(value).length > 0
    ? ownKeys(value)
    : getOwnPropertyNames(value);

/**
 * Like `harden`, it freezes before it looks inside, so that a proxy cannot answer differently afterwards.
 *
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean} false if something is not plain; then parts may be frozen already
 */
const freezePlain = (value, depth) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return true;
  const proto = getPrototypeOf(value);
  const isPlain = proto === objectPrototype || (proto === arrayPrototype && isArray(value));
  if (!isPlain && isHardenedReference(value)) return true;
  if (isPlain && walked.has(value)) return true;
  if (depth > deepest || left === 0) return false;
  left -= 1;
  if (!isPlain && proto !== promisePrototype) {
    if (isPlainFunctionPrototype(proto)) hardenFunction(value);
    else hardenReference(value);
    return true;
  }
  try {
    freeze(value);
  } catch {
    return false;
  }
  if (getPrototypeOf(value) !== proto) return false;
  if (!isPlain) {
    if (ownKeys(value).length > 0) hardenReference(value);
    return true;
  }
  const before = left;
  const keys = keysOf(value);
  // By index, since an iterator is slow in a locked-down realm.
  for (let i = 0; i < keys.length; i += 1) {
    const found = getOwnPropertyDescriptor(value, keys[i]);
    if (found === undefined || !('value' in found)) return false;
    if (!freezePlain(found.value, depth + 1)) return false;
  }
  if (before - left >= fewInWalk) walked.add(value);
  return true;
};

/**
 * `harden(value)` with a fast path for plain data (docs/v8-in-a-locked-down-realm.md).
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const hardenData = value => {
  left = unbounded;
  return freezePlain(value, 0) ? value : harden(value);
};

/**
 * The `harden` of vats: like `hardenData`, without an entry in a table for small plain data.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const hardenForVat = value => {
  left = mostOfSmall;
  return freezePlain(value, 0) ? value : harden(value);
};
// Vats see its name, which is that of SES's.
Object.defineProperty(hardenForVat, 'name', { value: 'harden' });
harden(hardenForVat);
