// `harden` for the usual data of messages. The shared prototypes are hardened since lockdown, so arrays and records of
// plain data are hardened by freezing them; other values go to `harden` itself.

import { PASS_STYLE } from './pass-style.js';
import { hardenReference, isHardenedReference } from './references.js';

const {
  freeze,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  prototype: objectPrototype,
} = Object;
const { ownKeys } = Reflect;
const { isArray, prototype: arrayPrototype } = Array;
const { prototype: functionPrototype } = Function;
const { __lookupGetter__, __lookupSetter__ } = /** @type {any} */ (objectPrototype);
/** @type {(object: object, key: PropertyKey) => unknown} */
const lookupGetter = functionPrototype.call.bind(__lookupGetter__);
/** @type {(object: object, key: PropertyKey) => unknown} */
const lookupSetter = functionPrototype.call.bind(__lookupSetter__);
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
 * Records and arrays that were hardened and are likely to be hardened over and over as parts of new lists, as patterns
 * are: those with at least `fewInWalk` objects in them, those with symbols (tagged data has them) and those with many
 * names. Others are walked again: that costs less than an entry.
 *
 * @type {WeakSet<object>}
 */
const walked = new WeakSet();
const fewInWalk = 3;
const fewNames = 8;

/**
 * Whether an object inherits from a record that was walked, as the limits of a pattern do. Remotables do, too; what is
 * known of them is kept with their names.
 *
 * @param {object} value
 * @param {object | null} proto  of the value
 */
const inheritsData = (value, proto) =>
  proto !== null && typeof value === 'object' && walked.has(proto) && !(PASS_STYLE in value);

/**
 * Walks properties of a frozen object.
 *
 * @param {object} value
 * @param {readonly (string | symbol)[]} keys
 * @param {number} depth
 * @returns {boolean} as of `freezePlain`
 */
const walkProperties = (value, keys, depth) => {
  // By index, since an iterator is slow in a locked-down realm.
  for (let i = 0; i < keys.length; i += 1) {
    const found = getOwnPropertyDescriptor(value, keys[i]);
    if (found === undefined || !('value' in found)) return false;
    if (!freezePlain(found.value, depth)) return false;
  }
  return true;
};

/**
 * Like `walkProperties`, for a frozen array: the engine is slow to describe an element
 * (docs/v8-in-a-locked-down-realm.md). All its own properties are elements if there are as many as elements, and
 * `length`.
 *
 * @param {readonly unknown[]} value
 * @param {number} depth
 * @returns {boolean}
 */
const walkElements = (value, depth) => {
  const { length } = value;
  if (ownKeys(value).length !== length + 1) return false;
  for (let i = 0; i < length; i += 1) {
    if (!hasOwn(value, i) || lookupGetter(value, i) !== undefined) return false;
    const element = value[i];
    // A setter without a getter.
    if (element === undefined && lookupSetter(value, i) !== undefined) return false;
    if (!freezePlain(element, depth)) return false;
  }
  return true;
};

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
  const isList = proto === arrayPrototype && isArray(value);
  const isPlain = proto === objectPrototype || isList || inheritsData(value, proto);
  if (!isPlain && isHardenedReference(value)) return true;
  if (isPlain && walked.has(value)) return true;
  if (depth > deepest || left === 0) return false;
  // From Node 22 on an error has its stack behind a getter and a setter, which a frozen error keeps: `harden` makes it a
  // value first, whatever the error inherits from.
  if (!isList && typeof value === 'object' && hasOwn(value, 'stack')) return false;
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
  let isWorthAnEntry = false;
  if (isList) {
    if (!walkElements(value, depth + 1)) return false;
  } else {
    // Names and symbols apart: `ownKeys` is slow (docs/v8-in-a-locked-down-realm.md).
    const names = getOwnPropertyNames(value);
    if (!walkProperties(value, names, depth + 1)) return false;
    const symbols = getOwnPropertySymbols(value);
    if (symbols.length > 0 && !walkProperties(value, symbols, depth + 1)) return false;
    isWorthAnEntry = symbols.length > 0 || names.length >= fewNames;
  }
  if (isWorthAnEntry || before - left >= fewInWalk) walked.add(value);
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
