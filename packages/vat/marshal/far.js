// `Far` and `Remotable` as in @endo/pass-style, but much faster. The objects that they make are remotables to the
// library too, and unusual arguments are left to the library, which also words the errors.
//
// The library spends its time on hardening by the general algorithm. Nearly always the argument is an object of arrow
// functions and methods, each of which has only a name and a length.

import { GET_METHOD_NAMES, PASS_STYLE, libraryFar, libraryRemotable } from './pass-style.js';
import { hardenFunction } from './harden-data.js';
import {
  findSharedPrototype,
  longestKept,
  providePrototype,
  shareInterface,
} from './prototypes.js';
import { isMethod, rememberRemotable } from './references.js';

const {
  create,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  isExtensible,
  prototype: objectPrototype,
  setPrototypeOf,
} = Object;
const { ownKeys } = Reflect;
const { isArray } = Array;
const { toStringTag } = Symbol;

/** The library's own method, so that nobody can tell who made an object. */
const getMethodNames = /** @type {any} */ (libraryFar('names', {}))[GET_METHOD_NAMES];

const getMethodNamesDescriptor = freeze({
  value: getMethodNames,
  enumerable: false,
  configurable: false,
  writable: false,
});

/** @param {PropertyKey} key  an object with such a key is left to the library */
const isMeaningful = key =>
  key === toStringTag || key === PASS_STYLE || key === 'then' || key === 'constructor';

/**
 * All keys; faster than `ownKeys` for an object without symbols, as nearly all are (docs/v8-in-a-locked-down-realm.md).
 *
 * @param {object} object
 */
const keysOf = object =>
  getOwnPropertySymbols(object).length > 0 ? ownKeys(object) : getOwnPropertyNames(object);

/**
 * The keys of a fresh record of methods, as nearly every argument of `Far` is.
 *
 * @param {any} candidate
 * @returns {PropertyKey[] | undefined} undefined for anything else
 */
const findMethods = candidate => {
  if (typeof candidate !== 'object' || candidate === null || isArray(candidate)) return undefined;
  const proto = getPrototypeOf(candidate);
  // A presence that is being made has no prototype yet; afterwards it inherits from Object.prototype.
  if ((proto !== objectPrototype && proto !== null) || !isExtensible(candidate)) return undefined;
  const keys = keysOf(candidate);
  for (let i = 0; i < keys.length; i += 1) {
    if (isMeaningful(keys[i])) return undefined;
    const found = getOwnPropertyDescriptor(candidate, keys[i]);
    if (found === undefined || !isMethod(found.value)) return undefined;
  }
  return keys;
};

/**
 * The mark and the added properties come before the prototype is set: later steps are slow in V8.
 *
 * @template {object} T
 * @param {string} iface
 * @param {T} candidate  a fresh record of methods
 * @param {PropertyKey[]} keys  of the methods
 * @param {boolean} tellsNames  whether it gets the method that returns the names of methods
 * @returns {T}
 */
const finish = (iface, candidate, keys, tellsNames) => {
  for (let i = 0; i < keys.length; i += 1) hardenFunction(/** @type {any} */ (candidate)[keys[i]]);
  rememberRemotable(candidate, iface);
  if (tellsNames) defineProperty(candidate, GET_METHOD_NAMES, getMethodNamesDescriptor);
  setPrototypeOf(candidate, providePrototype(iface));
  return freeze(candidate);
};

/**
 * Interfaces by the names that `Far` was called with: a new string would be hashed again.
 *
 * @type {Map<string, string>}
 */
const alleged = new Map();

const mostAlleged = 1_000;

/** @param {string} farName */
const provideAlleged = farName => {
  const known = alleged.get(farName);
  if (known !== undefined) return known;
  const iface = shareInterface(`Alleged: ${farName}`);
  if (farName.length > longestKept) return iface;
  if (alleged.size >= mostAlleged) alleged.clear();
  alleged.set(farName, iface);
  return iface;
};

/** @param {unknown} iface */
const isInterface = iface =>
  iface === 'Remotable' ||
  (typeof iface === 'string' && (iface.startsWith('Alleged: ') || iface.startsWith('DebugName: ')));

/** Stack frames of an error that the library makes in `Far`: some ten are its own, then come the vat's. */
const framesOfRefusal = 50;

/** @param {string} farName @param {any} remotable @returns {any} */
const farByLibrary = (farName, remotable) => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesOfRefusal;
  try {
    return libraryFar(farName, remotable);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/**
 * Declare an object of methods, or a function, to pass by reference under a name that helps in debugging.
 * The object itself is marked, hardened and returned.
 *
 * @template {object} T
 * @param {string} farName
 * @param {T} [remotable]  not yet hardened
 * @returns {T}
 * @throws {Error} when a property is no method, or the object is hardened or marked already
 */
export const Far = (farName, remotable) => {
  const methods = typeof farName === 'string' ? findMethods(remotable) : undefined;
  if (remotable === undefined || methods === undefined) {
    return farByLibrary(farName, /** @type {any} */ (remotable));
  }
  return finish(provideAlleged(farName), remotable, methods, !(GET_METHOD_NAMES in remotable));
};
harden(Far);

/**
 * Makes a remotable without methods, with the right prototype from the start.
 *
 * @param {string} iface
 * @param {(prototype: object | null) => object} make  a bare object that inherits from this
 * @returns {any}
 * @throws {Error} if it is no interface
 */
const makeRemotable = (iface, make) => {
  // The library words the error.
  if (!isInterface(iface)) return libraryRemotable(iface, undefined, make(null));
  const made = make(providePrototype(iface));
  rememberRemotable(made, iface);
  return freeze(made);
};

/**
 * Makes a remotable that stands for an object of another vat. Where all presences of a vat share a prototype, the
 * interface is an own property, hidden and constant: in 2020 nearly every presence has its own interface, and a
 * prototype for each slows the engine wherever it meets presences.
 *
 * @param {string} iface
 * @param {(prototype: object | null) => object} make  a bare object that inherits from this
 * @returns {any}
 * @throws {Error} if it is no interface
 */
export const makeImported = (iface, make) => {
  const shared = findSharedPrototype();
  if (shared === undefined || !isInterface(iface)) return makeRemotable(iface, make);
  const made = make(shared);
  defineProperty(made, toStringTag, { value: iface });
  rememberRemotable(made, iface);
  return freeze(made);
};

/**
 * Declare an object to pass by reference under an interface: `Remotable`, or a string that begins with `Alleged: ` or
 * `DebugName: `. Without an object it makes an empty one, which is how presences are made.
 *
 * @template {object} T
 * @param {string} [iface]
 * @param {undefined} [props]  formerly the methods; must be absent today
 * @param {T} [remotable]
 * @returns {T}
 */
export const Remotable = (iface = 'Remotable', props = undefined, remotable = undefined) => {
  if (props === undefined && isInterface(iface)) {
    if (remotable === undefined) return makeRemotable(iface, create);
    const methods = findMethods(remotable);
    if (methods !== undefined) return finish(iface, remotable, methods, false);
  }
  return /** @type {any} */ (
    libraryRemotable(/** @type {any} */ (iface), props, /** @type {any} */ (remotable))
  );
};
harden(Remotable);

/**
 * `Remotable` of 2020: it also copies methods from `props`.
 *
 * @param {string} [iface]
 * @param {Record<string, Function>} [props]
 * @param {object} [remotable]
 */
export const Remotable2020 = (iface = 'Remotable', props = {}, remotable = {}) => {
  for (const [name, value] of Object.entries(props)) defineProperty(remotable, name, { value });
  return Remotable(iface, undefined, remotable);
};
harden(Remotable2020);
