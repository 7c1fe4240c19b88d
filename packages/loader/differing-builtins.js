// Replaces built-ins that behave otherwise on some engines, so that vats find one behaviour on all: `Object.seal` of a
// typed array with elements throws (Node 20 and 22 leave it unsealed in silence); a typed array whose buffer can be resized
// stays extensible (on Node 20 and 22 it does not); `Object.prototype.toString` names an
// object that inherits from a proxy by its own kind (Node 20 names it by the proxy's); `Promise.race` does not keep
// its outcome reachable by the contenders that have not settled (before Node 26 it does, and what a vat reaches decides
// what a collection finds); and whether a proxy, or what inherits from one, is an instance of the engine's `Error` is found
// without its traps (from Node 22 on SES asks this of all that it hardens, and Node 20 calls no trap then).
// All engines get the replacements, since a vat can read the text of a function.

import { types } from 'node:util';

const { apply, preventExtensions: tryToPreventExtensions } = Reflect;
const { freeze, getPrototypeOf, preventExtensions, seal } = Object;
const { toString } = Object.prototype;
const { isArray } = Array;
const EnginePromise = Promise;
const EngineError = Error;
const { prototype: errorPrototype } = EngineError;
const { prototype: objectPrototype } = Object;
const { [Symbol.hasInstance]: hasInstance } = Function.prototype;
const { race } = EnginePromise;
const { isTypedArray } = types;

/** @param {object} holder @param {string} name @returns {() => any} */
const getterOf = (holder, name) =>
  /** @type {any} */ (Object.getOwnPropertyDescriptor(holder, name)).get;

const readLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const readBuffer = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'buffer');
const readResizable = getterOf(ArrayBuffer.prototype, 'resizable');

/** Tell whether it is a typed array that must stay extensible, since its buffer can be resized. @param {unknown} value */
const staysExtensible = value => {
  if (!isTypedArray(value)) return false;
  const buffer = apply(readBuffer, value, []);
  return types.isArrayBuffer(buffer) && apply(readResizable, buffer, []) === true;
};

/** @param {unknown} value @throws {TypeError} if it must stay extensible */
const insistEndsExtending = value => {
  if (staysExtensible(value))
    throw TypeError('a typed array stays extensible while its buffer can be resized');
};

/** @param {any} value @returns {value is object} */
const isObject = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether a proxy is among the prototypes of an object. Runs no code of a vat. @param {object} object */
const inheritsFromProxy = object => {
  if (types.isProxy(object)) return false;
  for (let at = getPrototypeOf(object); at !== null; at = getPrototypeOf(at))
    if (types.isProxy(at)) return true;
  return false;
};

/** The language's name for an object without a `Symbol.toStringTag`. @param {object} object  no proxy */
const kindOf = object => {
  if (isArray(object)) return 'Array';
  if (types.isArgumentsObject(object)) return 'Arguments';
  if (typeof object === 'function') return 'Function';
  if (types.isNativeError(object)) return 'Error';
  if (types.isBooleanObject(object)) return 'Boolean';
  if (types.isNumberObject(object)) return 'Number';
  if (types.isStringObject(object)) return 'String';
  if (types.isDate(object)) return 'Date';
  return types.isRegExp(object) ? 'RegExp' : 'Object';
};

const methodsOfObject = {
  /** @param {any} value */
  preventExtensions(value) {
    insistEndsExtending(value);
    return preventExtensions(value);
  },
  /** @param {any} value */
  seal(value) {
    if (!isTypedArray(value)) return seal(value);
    insistEndsExtending(value);
    preventExtensions(value);
    // To freeze it is refused by every engine, and the error is the engine's own.
    return apply(readLength, value, []) > 0 ? freeze(value) : value;
  },
};

const methodsOfReflect = {
  /** @param {any} value */
  preventExtensions(value) {
    return !staysExtensible(value) && tryToPreventExtensions(value);
  },
};

const laterMethodsOfObject = {
  /** @param {any} value */
  freeze(value) {
    insistEndsExtending(value);
    return freeze(value);
  },
};

const methodsOfObjects = {
  /** @this {any} */
  toString() {
    if (!isObject(this) || !inheritsFromProxy(this)) return apply(toString, this, []);
    const tag = /** @type {any} */ (this)[Symbol.toStringTag];
    return `[object ${typeof tag === 'string' ? tag : kindOf(this)}]`;
  },
};

const methodsOfPromise = {
  /** @this {any} @param {any} values */
  race(values) {
    if (this !== EnginePromise) return apply(race, this, [values]);
    /** @type {((value: unknown) => void) | undefined} */
    let fulfil;
    /** @type {((reason: unknown) => void) | undefined} */
    let refuse;
    const promise = new EnginePromise((toFulfil, toRefuse) => {
      fulfil = toFulfil;
      refuse = toRefuse;
    });
    // The contenders' listeners drop the functions that settle the outcome, since these may hold it.
    const release = () => {
      const settlers = { fulfil, refuse };
      fulfil = undefined;
      refuse = undefined;
      return settlers;
    };
    const win = (/** @type {unknown} */ value) => release().fulfil?.(value);
    const lose = (/** @type {unknown} */ reason) => release().refuse?.(reason);
    try {
      for (const value of values) this.resolve(value).then(win, lose);
    } catch (error) {
      lose(error);
    }
    return promise;
  },
};

/** @this {Function} @param {unknown} value */
function isError(value) {
  // Classes of errors inherit this method.
  if (this !== EngineError) return apply(hasInstance, this, [value]);
  if (!isObject(value) || types.isProxy(value)) return false;
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
    if (at === errorPrototype) return true;
    if (at === objectPrototype || types.isProxy(at)) break;
  }
  // SES makes the stack of what is an error a value, whatever it inherits from.
  return types.isNativeError(value);
}

/**
 * Only the values change: attributes and order stay.
 *
 * @param {object} holder
 * @param {Record<string, Function>} methods
 */
const replace = (holder, methods) => {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(holder, name, { value });
};

/** Replace them. To be called before SES is loaded, since SES keeps those it finds. */
export const replaceDifferingBuiltins = () => {
  replace(Object, methodsOfObject);
  replace(Reflect, methodsOfReflect);
  replace(Object.prototype, methodsOfObjects);
  replace(EnginePromise, methodsOfPromise);
  Object.defineProperty(EngineError, Symbol.hasInstance, { value: isError });
};

/** Replace `Object.freeze`. To be called when SES is loaded: hardening has its own way with typed arrays, and costs less so. */
export const replaceFreeze = () => replace(Object, laterMethodsOfObject);
