// The differences between `@endo/eventual-send` and `@agoric/eventual-send` of 2020-09-30: errors for messages that a value
// of the same vat refuses, what is hardened, and what a handler has to take. All vats of a thread share one eventual
// send, so a vat's supervisor sets the profile's rules at the start of each crank.

import { quote } from '#model';

/**
 * @typedef {object} Refusals
 * @property {(() => Error) | undefined} notANumber  makes the reason of a promise of messages that is resolved to NaN;
 *   undefined if such a promise is fulfilled
 * @property {boolean} takesData  whether a string, a number and the like take a message that names one of their methods
 * @property {boolean} hardens  whether a send hardens its arguments, its result and the reason of its rejection. In 2020
 *   only what left the vat was hardened, when it left
 * @property {boolean} isExact  whether a method goes only to the proxy that it was got from, a handler that lacks an operation
 *   refuses it, and a function call is an operation of its own. In 2020 a promise then waited until it was settled, a presence
 *   was asked itself, and a function call was a method call without a name
 * @property {(target: any) => Error} notFunction  `target` was called as a function
 * @property {(target: any, name: PropertyKey, method: unknown) => Error} noMethod  `method` is the target's property of
 *   that name, which is no function
 */

const typeName = (/** @type {unknown} */ value) => (value === null ? 'null' : typeof value);

/** A method in an error: a symbol stands in brackets. @param {PropertyKey} name */
const nameOf = name => (typeof name === 'symbol' ? `[${String(name)}]` : String(name));

/**
 * Names of everything that can be called on a value, symbols first.
 *
 * @param {any} value
 */
const methodNames = value => {
  /** @type {Set<string | symbol>} */
  const names = new Set();
  for (
    let layer = value;
    layer !== null && layer !== Object.prototype;
    layer = Object.getPrototypeOf(layer)
  ) {
    for (const name of Reflect.ownKeys(Object.getOwnPropertyDescriptors(layer))) {
      if (typeof value[name] === 'function') names.add(name);
    }
    if (Object(value) !== value) break;
  }
  const text = (/** @type {string | symbol} */ name) =>
    typeof name === 'symbol' ? `0${String(name)}` : `1${name}`;
  return [...names].sort((a, b) => (text(a) < text(b) ? -1 : 1)).map(nameOf);
};

/**
 * The error for a handler that lacks an operation, and what stands in for it.
 *
 * @param {object} handler
 * @param {string} name  `presenceHandler`, or `pendingHandler` of a promise
 * @param {string} operation
 */
export const refuseMissing = (handler, name, operation) =>
  TypeError(
    `${quote(name)} is defined but has no methods needed for ${quote(operation)} (has ${quote(methodNames(handler))})`,
  );

/** @type {Refusals} */
export const refusalsToday = Object.freeze({
  notANumber: undefined,
  takesData: true,
  hardens: true,
  isExact: true,
  notFunction: (/** @type {any} */ target) =>
    TypeError(`Cannot invoke target as a function; typeof target is ${quote(typeName(target))}`),
  noMethod: (/** @type {any} */ target, /** @type {PropertyKey} */ name, method) => {
    if (target === undefined || target === null) {
      return TypeError(
        `Cannot deliver ${quote(nameOf(name))} to target; typeof target is ${quote(typeName(target))}`,
      );
    }
    if (method === undefined) {
      return TypeError(
        `target has no method ${quote(nameOf(name))}, has ${quote(methodNames(target))}`,
      );
    }
    return Error(
      `invoked method ${quote(nameOf(name))} is not a function; it is a ${quote(typeName(method))}`,
    );
  },
});

/** The own names, separated by commas. @param {any} target */
const ownNames = target => String(Object.getOwnPropertyNames(target).sort());

/** @param {any} target @param {PropertyKey} name */
const refuseOf2020 = (target, name) => {
  // A symbol is `undefined` here, as JSON has none.
  const quoted = JSON.stringify(name);
  if (!target) return TypeError(`target cannot contain [${quoted}], typeof is ${typeof target}`);
  try {
    if (!(name in target))
      return TypeError(`target[${quoted}] does not exist, has ${ownNames(target)}`);
    return TypeError(
      `target[${quoted}] is not a function, typeof is ${typeof target[name]}, has ${ownNames(target)}`,
    );
  } catch (error) {
    // The engine's error for data without properties, or an error of the vat's own trap or getter.
    return /** @type {Error} */ (error);
  }
};

/** @type {Refusals} */
export const refusals2020 = Object.freeze({
  notANumber: () => TypeError('Invalid value used as weak map key'),
  takesData: false,
  hardens: false,
  isExact: false,
  notFunction: (/** @type {any} */ target) =>
    TypeError(`target is not a function, typeof is ${typeof target}`),
  noMethod: refuseOf2020,
});

let refusals = refusalsToday;

/**
 * Sets the words for the crank that begins.
 *
 * @param {Refusals} those
 */
export const setRefusals = those => {
  refusals = those;
};

/** @returns {Refusals} of the crank under way */
export const getRefusals = () => refusals;
