// Values that pass by reference: remotables and promises. The library's verdict on an object stays valid, since the
// object is frozen; so verdicts are kept, and each object is examined once.

import { Stamped } from '../stamped.js';
import { PASS_STYLE, getInterfaceOf, passStyleOf } from './pass-style.js';

const {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  isFrozen,
  prototype: objectPrototype,
} = Object;
const { ownKeys } = Reflect;
const { isArray } = Array;
const { prototype: promisePrototype } = Promise;

/**
 * The verdict on a remotable made by far.js, which is hardened completely, including its methods. It is in a private
 * field stamped onto the object before it is frozen: cheaper than a weak map (docs/v8-in-a-locked-down-realm.md), and
 * less work for the garbage collector.
 */
export class Mark {
  /** The table of references that has the object, if any. @type {object | undefined} */
  owner = undefined;

  /** Its vref there. */
  vref = '';

  /** Whether it can be called in its vat, once checked. @type {boolean | undefined} */
  isOwn = undefined;

  /** @param {string} iface */
  constructor(iface) {
    this.iface = iface;
  }
}

class MarkStamp extends Stamped {
  /** @type {Mark} */
  #mark;

  /**
   * @param {object} object  extensible
   * @param {Mark} mark
   */
  constructor(object, mark) {
    super(object);
    this.#mark = mark;
  }

  /** @param {object} object */
  static find(object) {
    return #mark in object ? object.#mark : undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {Mark | undefined}
 */
export const findMark = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? MarkStamp.find(value)
    : undefined;

/**
 * The interfaces of remotables that are completely hardened but could not be stamped.
 *
 * @type {WeakMap<object, string>}
 */
const hardened = new WeakMap();

/**
 * The interfaces of other remotables that the library has accepted, which only requires them to be frozen.
 *
 * @type {WeakMap<object, string>}
 */
const accepted = new WeakMap();

/**
 * Hardened objects of methods that were not declared `Far`.
 *
 * @type {WeakSet<object>}
 */
const methodsOnly = new WeakSet();

/**
 * Keeps the verdict on a remotable that is made here.
 *
 * @param {object} remotable  hardened, except that it may still have to be frozen itself
 * @param {string} iface
 */
export const rememberRemotable = (remotable, iface) => {
  if (findMark(remotable) !== undefined) return;
  if (isExtensible(remotable)) new MarkStamp(remotable, new Mark(iface));
  else hardened.set(remotable, iface);
};

/**
 * The interface of a remotable with a kept verdict.
 *
 * @param {object} value
 */
export const findKnownInterface = value =>
  findMark(value)?.iface ?? hardened.get(value) ?? accepted.get(value);

/**
 * The library's `passStyleOf`, which is slow for a new remotable, with a fast path for those made here.
 *
 * @type {typeof passStyleOf}
 */
export const quickPassStyleOf = (/** @type {any} */ value) =>
  findMark(value) === undefined ? passStyleOf(value) : 'remotable';
harden(quickPassStyleOf);

/**
 * The library's `getInterfaceOf`, with the same fast path.
 *
 * @type {typeof getInterfaceOf}
 */
export const quickInterfaceOf = (/** @type {any} */ value) =>
  /** @type {any} */ (findMark(value)?.iface ?? getInterfaceOf(value));
harden(quickInterfaceOf);

/**
 * The interface of a remotable, `undefined` for everything else. Never throws.
 *
 * @param {object} value
 * @returns {string | undefined}
 */
export const findInterface = value => {
  const known = findKnownInterface(value);
  if (known !== undefined) return known;
  try {
    // Only passStyleOf checks everything: a remotable with a method `then` has an interface and does not pass.
    if (passStyleOf(/** @type {any} */ (value)) !== 'remotable') return undefined;
  } catch {
    return undefined;
  }
  const iface = String(getInterfaceOf(value));
  accepted.set(value, iface);
  return iface;
};

/**
 * Whether a value is a hardened promise without own properties (a safe promise in the library's terms), except for
 * marks that a debugger may leave on it. Never throws.
 *
 * @param {object} value
 */
export const isPlainPromise = value =>
  getPrototypeOf(value) === promisePrototype &&
  isFrozen(value) &&
  ownKeys(value).length === 0 &&
  Promise.resolve(value) === value;

/**
 * Whether a value is a method: a function that is not `Far`.
 *
 * @param {unknown} value
 */
export const isMethod = value => typeof value === 'function' && !(PASS_STYLE in value);

/**
 * Whether vats of 2020 passed a value by reference without a declaration: a hardened object with at least one
 * string-named property, all of them methods (today an empty object is an empty record). Symbol-named properties are
 * ignored, as then.
 *
 * @param {object} value
 */
export const isMethodsOnly = value => {
  if (methodsOnly.has(value)) return true;
  if (typeof value !== 'object' || isArray(value) || !isFrozen(value)) return false;
  const proto = getPrototypeOf(value);
  if (proto !== objectPrototype && proto !== null) return false;
  if (PASS_STYLE in value) return false;
  let methods = 0;
  for (const key of ownKeys(value)) {
    if (typeof key === 'string') {
      const found = getOwnPropertyDescriptor(value, key);
      // A method named `then` would make it a thenable.
      if (found === undefined || !isMethod(found.value) || key === 'then') return false;
      methods += 1;
    }
  }
  if (methods === 0) return false;
  methodsOnly.add(value);
  return true;
};

/**
 * Hardens a reference: a remotable only once, and a promise without own properties by freezing it.
 *
 * @template {object} T
 * @param {T} value
 * @returns {T}
 */
export const hardenReference = value => {
  if (isHardenedReference(value) || isPlainPromise(value)) return value;
  harden(value);
  const iface = accepted.get(value);
  if (iface !== undefined) {
    hardened.set(value, iface);
    accepted.delete(value);
  }
  return value;
};

/**
 * Whether a value is a remotable that is known to be hardened.
 *
 * @param {object} value
 */
export const isHardenedReference = value => findMark(value) !== undefined || hardened.has(value);
