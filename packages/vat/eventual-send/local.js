// An eventual send whose target turns out to be in the same vat: the call itself, and its errors in the words
// that users of `@endo/eventual-send` know.

import { quote } from '#model';

/** A method in an error: a symbol stands in brackets. @param {PropertyKey} name */
const nameOf = name => (typeof name === 'symbol' ? `[${String(name)}]` : String(name));

const typeName = (/** @type {unknown} */ value) => (value === null ? 'null' : typeof value);

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
 * @param {any} target
 * @param {any[]} args
 */
export const applyFunction = (target, args) => {
  if (typeof target !== 'function') {
    throw TypeError(
      `Cannot invoke target as a function; typeof target is ${quote(typeName(target))}`,
    );
  }
  return Reflect.apply(target, undefined, args);
};

/**
 * @param {any} target
 * @param {PropertyKey | null | undefined} name
 * @param {any[]} args
 */
export const applyMethod = (target, name, args) => {
  if (name === undefined || name === null) return applyFunction(target, args);
  const method = target === undefined || target === null ? undefined : target[name];
  if (typeof method === 'function') return Reflect.apply(method, target, args);
  throw refuseMethod(target, name, method);
};

/**
 * @param {any} target
 * @param {PropertyKey} name
 * @param {unknown} method  what the target has of that name: no function
 * @returns {Error}
 */
const refuseMethod = (target, name, method) => {
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
};

/**
 * Why a primitive value does not take a message, if it does not. Made on the stack of the sender, whose place it shows;
 * the objects of a vat are asked when their turn comes.
 *
 * @param {any} target  no object
 * @param {PropertyKey | null | undefined} name
 * @returns {Error | undefined}
 */
export const refusePrimitive = (target, name) => {
  if (name === undefined || name === null) return undefined;
  const method = target === undefined || target === null ? undefined : target[name];
  return typeof method === 'function' ? undefined : refuseMethod(target, name, method);
};

/**
 * @param {any} target
 * @param {PropertyKey} name
 */
export const get = (target, name) => target[name];
