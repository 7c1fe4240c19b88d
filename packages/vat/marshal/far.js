// `Far` and `Remotable` as @endo/pass-style has them, in a fraction of their time. The objects that they make are
// remotables to the library too, and whatever is unusual about an argument is left to the library, which also
// words the errors.
//
// What costs the library its time is hardening by the general algorithm, for nearly always it is an object of arrow
// functions and methods, each of which has a name and a length and nothing else.

import { GET_METHOD_NAMES, PASS_STYLE, libraryFar, libraryRemotable } from './pass-style.js';
import { hardenFunction } from './harden-data.js';
import { providePrototype } from './prototypes.js';
import { isMethod, rememberRemotable } from './references.js';

const {
  create,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
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

/** @param {string | symbol} key  one of these on an object needs the library's opinion */
const isMeaningful = key =>
  key === toStringTag || key === PASS_STYLE || key === 'then' || key === 'constructor';

/**
 * Whether an object is a fresh record of methods, as nearly every argument of `Far` is.
 *
 * @param {any} candidate
 */
const isFreshMethods = candidate => {
  if (typeof candidate !== 'object' || candidate === null || isArray(candidate)) return false;
  const proto = getPrototypeOf(candidate);
  // What inherits from nothing, as a presence that is being made, inherits from Object.prototype afterwards.
  if ((proto !== objectPrototype && proto !== null) || !isExtensible(candidate)) return false;
  for (const key of ownKeys(candidate)) {
    if (isMeaningful(key)) return false;
    const found = getOwnPropertyDescriptor(candidate, key);
    if (found === undefined || !isMethod(found.value)) return false;
  }
  return true;
};

/**
 * @template {object} T
 * @param {string} iface
 * @param {T} candidate  a fresh record of methods
 * @returns {T}
 */
const finish = (iface, candidate) => {
  for (const key of ownKeys(candidate)) hardenFunction(/** @type {any} */ (candidate)[key]);
  setPrototypeOf(candidate, providePrototype(iface));
  rememberRemotable(candidate, iface);
  return freeze(candidate);
};

/** @param {unknown} iface */
const isInterface = iface =>
  iface === 'Remotable' ||
  (typeof iface === 'string' && (iface.startsWith('Alleged: ') || iface.startsWith('DebugName: ')));

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
  if (remotable === undefined || typeof farName !== 'string' || !isFreshMethods(remotable)) {
    return /** @type {any} */ (libraryFar(farName, /** @type {any} */ (remotable)));
  }
  if (!(GET_METHOD_NAMES in remotable)) {
    defineProperty(remotable, GET_METHOD_NAMES, getMethodNamesDescriptor);
  }
  return finish(`Alleged: ${farName}`, remotable);
};
harden(Far);

/**
 * A remotable of no methods, with the right prototype from the start.
 *
 * @param {string} iface
 * @param {(prototype: object | null) => object} make  a bare object that inherits from this
 * @returns {any}
 * @throws {Error} for what is no interface
 */
export const makeRemotable = (iface, make) => {
  // The library words the error.
  if (!isInterface(iface)) return libraryRemotable(iface, undefined, make(null));
  const made = make(providePrototype(iface));
  rememberRemotable(made, iface);
  return freeze(made);
};

/**
 * Declare an object to pass by reference under an interface: `Remotable`, or a text that begins with `Alleged: ` or
 * `DebugName: `. Without an object it makes an empty one, which is how presences are made.
 *
 * @template {object} T
 * @param {string} [iface]
 * @param {undefined} [props]  was the methods once; must be absent today
 * @param {T} [remotable]
 * @returns {T}
 */
export const Remotable = (iface = 'Remotable', props = undefined, remotable = undefined) => {
  if (props === undefined && isInterface(iface)) {
    if (remotable === undefined) return makeRemotable(iface, create);
    if (isFreshMethods(remotable)) return finish(iface, remotable);
  }
  return /** @type {any} */ (
    libraryRemotable(/** @type {any} */ (iface), props, /** @type {any} */ (remotable))
  );
};
harden(Remotable);

/**
 * `Remotable` as vats of 2020 knew it: the methods could come in `props`, from where they were copied.
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
