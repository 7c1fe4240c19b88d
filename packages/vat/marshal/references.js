// Values that pass by reference: remotables and promises. An object that the library has accepted stays accepted, since it
// is frozen; so verdicts are kept, and each object is examined once.

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
 * The verdict on a remotable that far.js has made, which is hardened through and through, methods included. It is in a
 * private field that is stamped onto the object itself before it is frozen: cheaper than a weak map
 * (docs/v8-in-a-locked-down-realm.md), and less work for the garbage collector.
 */
export class Mark {
  /** The table of references that has the object, if any. @type {object | undefined} */
  owner = undefined;

  /** Its vref there. */
  vref = '';

  /** Whether it can be called in its vat, once that was asked. @type {boolean | undefined} */
  isOwn = undefined;

  /** @param {string} iface */
  constructor(iface) {
    this.iface = iface;
  }
}

/** A constructor that returns what it is given, so that a subclass adds its private field to that. */
class Stamped {
  /** @param {object} object */
  constructor(object) {
    return object;
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
 * The interfaces of remotables that are hardened through and through as well, and could not be stamped.
 *
 * @type {WeakMap<object, string>}
 */
const hardened = new WeakMap();

/**
 * The interfaces of other remotables that the library has accepted: it asks only that they be frozen.
 *
 * @type {WeakMap<object, string>}
 */
const accepted = new WeakMap();

/**
 * Hardened objects of methods that nobody declared `Far`.
 *
 * @type {WeakSet<object>}
 */
const methodsOnly = new WeakSet();

/**
 * Keep what is known of a remotable that is made here.
 *
 * @param {object} remotable  hardened, but that it may still have to be frozen itself
 * @param {string} iface
 */
export const rememberRemotable = (remotable, iface) => {
  if (findMark(remotable) !== undefined) return;
  if (isExtensible(remotable)) new MarkStamp(remotable, new Mark(iface));
  else hardened.set(remotable, iface);
};

/**
 * The interface of a remotable that was asked about before.
 *
 * @param {object} value
 */
export const findKnownInterface = value =>
  findMark(value)?.iface ?? hardened.get(value) ?? accepted.get(value);

/**
 * The library's `passStyleOf`, which looks a new remotable over slowly; those that are made here need no look.
 *
 * @type {typeof passStyleOf}
 */
export const quickPassStyleOf = (/** @type {any} */ value) =>
  findMark(value) === undefined ? passStyleOf(value) : 'remotable';
harden(quickPassStyleOf);

/**
 * The library's `getInterfaceOf`, which looks a new remotable over as well.
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
    // Only passStyleOf looks at everything: a remotable with a method `then` has an interface and does not pass.
    if (passStyleOf(/** @type {any} */ (value)) !== 'remotable') return undefined;
  } catch {
    return undefined;
  }
  const iface = String(getInterfaceOf(value));
  accepted.set(value, iface);
  return iface;
};

/**
 * Whether a value is a hardened promise without ornaments, which is what the library calls a safe promise, but
 * for marks that a debugger may leave on it. Never throws.
 *
 * @param {object} value
 */
export const isPlainPromise = value =>
  getPrototypeOf(value) === promisePrototype &&
  isFrozen(value) &&
  ownKeys(value).length === 0 &&
  Promise.resolve(value) === value;

/**
 * Whether a value is a method and no object of its own right: a function that is not `Far`.
 *
 * @param {unknown} value
 */
export const isMethod = value => typeof value === 'function' && !(PASS_STYLE in value);

/**
 * Whether a value is what vats of 2020 passed by reference without a word: a hardened object whose string-named
 * properties are methods, at least one (today an empty object is an empty record). Symbol-named properties were
 * not looked at, and are not here.
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
      // A method named `then` would make it a promise to everyone who awaits it.
      if (found === undefined || !isMethod(found.value) || key === 'then') return false;
      methods += 1;
    }
  }
  if (methods === 0) return false;
  methodsOnly.add(value);
  return true;
};

/**
 * Harden a reference; a remotable only once, and a bare promise by freezing it, since all that it inherits is hardened.
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
 * Whether a value is a remotable that was hardened by us or before our eyes.
 *
 * @param {object} value
 */
export const isHardenedReference = value => findMark(value) !== undefined || hardened.has(value);
