// `harden` for what messages mostly carry. The shared prototypes are hardened since lockdown, so arrays and
// records of plain data are hardened by freezing them; anything else goes to `harden` itself.

import { hardenReference, isHardenedReference } from './references.js';

const { freeze, getOwnPropertyDescriptor, getPrototypeOf, prototype: objectPrototype } = Object;
const { ownKeys } = Reflect;
const { isArray, prototype: arrayPrototype } = Array;
const { prototype: promisePrototype } = Promise;

/** Deeper data, cyclic data among it, is left to `harden`. */
const deepest = 100;

/**
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean} false when something is not plain; then part of it may be frozen already
 */
const freezePlain = (value, depth) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return true;
  if (isHardenedReference(value)) return true;
  if (depth > deepest) return false;
  const proto = getPrototypeOf(value);
  if (proto === promisePrototype && ownKeys(value).length === 0) {
    freeze(value);
    return true;
  }
  if (proto !== objectPrototype && !(proto === arrayPrototype && isArray(value))) {
    hardenReference(value);
    return true;
  }
  for (const key of ownKeys(value)) {
    const found = getOwnPropertyDescriptor(value, key);
    if (found === undefined || !('value' in found)) return false;
    if (!freezePlain(found.value, depth + 1)) return false;
  }
  try {
    freeze(value);
  } catch {
    return false;
  }
  return true;
};

/**
 * The same as `harden(value)`, in a tenth of its time for plain data.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const hardenData = value => (freezePlain(value, 0) ? value : harden(value));
