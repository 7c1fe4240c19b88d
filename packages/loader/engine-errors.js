// Recognises errors that the JavaScript engine made. Their texts differ between versions of the engine, so in profiles
// whose runs are the same on every version they must not leave a vat (packages/README.md, "Determinism").
//
// The engine makes its errors by itself; all others are made by somebody who calls a constructor. So before the
// realm is locked down each constructor that the engine has errors of is replaced by one that notes what it makes,
// and whatever was not noted is the engine's. No stack is looked at. `Error` itself is left alone: the engine makes
// none of that class, and SES has its own.

import { types } from 'node:util';
import { BaseError, findData, readError, UserError } from '#model';

const { isNativeError, isProxy } = types;

/** @typedef {{ name: string, message: string }} ToldError */

const classNames = /** @type {const} */ ([
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

/**
 * The replacement of an error that the engine made, by its prototype; empty until the constructors are replaced.
 *
 * @type {Map<object, ToldError>}
 */
const toldOfClass = new Map();

/** @param {string} name @param {object} prototype */
const addTold = (name, prototype) => {
  const article = /^[AE]/.test(name) ? 'an' : 'a';
  const message = `${article} ${name} made by the engine; its text is in the vat's console`;
  toldOfClass.set(prototype, Object.freeze({ name, message }));
};

/**
 * Constructors that SES does not see, since it finds others in their place or has not heard of them. They inherit from
 * the engine's own `Error`, whose hooks (`prepareStackTrace`) see every error of the process, and code of the engine
 * of Node and of ours leads to them: Node's error classes extend them, our own BaseError, and `using` throws a
 * SuppressedError.
 *
 * @type {Set<Function>}
 */
const untamed = new Set(/** @type {Function[]} */ ([BaseError]));

/** The engine's own, which lockdown puts another in the place of. @type {Function | undefined} */
let engineError;

/** Errors that were made by calling a constructor. @type {WeakSet<object>} */
const constructed = new WeakSet();

/**
 * A constructor in all things like `Native`, which notes the errors that it makes.
 *
 * @param {Function} Native
 */
const makeNotingConstructor = Native => {
  /** @param {unknown[]} args */
  const Noting = function (...args) {
    // A call without `new` is one with it, as for the engine's own. The engine leaves the frames of the function
    // that stands for `new.target` out of the stack, so that this one is not seen there.
    const error = Reflect.construct(Native, args, new.target ?? Noting);
    constructed.add(error);
    return error;
  };
  Object.defineProperties(Noting, {
    name: { value: Native.name },
    length: { value: Native.length },
    prototype: { value: Native.prototype, writable: false },
  });
  Object.setPrototypeOf(Noting, Object.getPrototypeOf(Native));
  untamed.add(Native);
  return Noting;
};

/**
 * Replace the constructors. It works in a realm that SES has not been loaded into, since SES keeps those it finds.
 *
 * @returns {boolean}  false if SES was there: then no error is known to be the engine's
 */
export const noteConstructedErrors = () => {
  if ('Compartment' in globalThis) return false;
  const globals = /** @type {Record<string, any>} */ (globalThis);
  const EngineError = globals.Error;
  for (const name of classNames) {
    const Native = globals[name];
    const Noting = makeNotingConstructor(Native);
    const keep = { writable: true, enumerable: false, configurable: true };
    Object.defineProperty(Native.prototype, 'constructor', { value: Noting, ...keep });
    Object.defineProperty(globalThis, name, { value: Noting, ...keep });
    addTold(name, Native.prototype);
  }
  // Only `using` makes them, and no vat has their constructor.
  if (globals.SuppressedError) addTold('SuppressedError', globals.SuppressedError.prototype);
  for (const holder of [globals, globals.WebAssembly ?? {}]) {
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(holder))) {
      const isClass = typeof value === 'function';
      if (isClass && Object.getPrototypeOf(value) === EngineError) untamed.add(value);
    }
  }
  engineError = EngineError;
  return true;
};

/**
 * Cut the way from the constructors that SES has not seen to the engine's `Error`: they inherit from the tamed one,
 * and are hardened. To be called when the realm is locked down, by whomever.
 */
export const tameLeftConstructors = () => {
  const { constructor: TamedError } = Error.prototype;
  const suppressed = findSuppressedError();
  if (suppressed) untamed.add(suppressed);
  for (const constructor of untamed) {
    if (Object.isFrozen(constructor)) continue;
    Object.setPrototypeOf(constructor, TamedError);
    harden(constructor);
  }
  untamed.clear();
  // Should there be another way to it, then at least nothing can be left there. The host sets its hooks through a
  // constructor of SES, and Node its own properties, which are there.
  if (engineError) Object.preventExtensions(engineError);
};

/** The engine's class that `using` throws, where another program locked the realm down. */
const findSuppressedError = () => {
  const code = `(() => {
    try {
      using first = new Proxy({}, { get: () => () => { throw 1; } });
      throw 2;
    } catch (error) { return error.constructor; }
  })()`;
  try {
    return new Compartment().evaluate(code);
  } catch {
    return undefined; // the engine has no `using`, or the compartment refuses it
  }
};

/** How the engine says that there is no memory for something, or that it is larger than anything may be. */
const refusalsOfMemory = new Set([
  'Array buffer allocation failed',
  'Invalid string length',
  'Map maximum size exceeded',
  'Set maximum size exceeded',
]);

/**
 * Whether the engine made this error because it had no memory to give. Lengths that no array can have, `new Array(-1)`
 * and its like, are mistakes of a program and are not meant.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export const isMemoryRefusal = error =>
  tellEngineError(error)?.name === 'RangeError' &&
  refusalsOfMemory.has(/** @type {string} */ (findData(error, 'message', isProxy)));

/**
 * Whether the engine made this error because it had no memory for a buffer.
 *
 * @param {unknown} error
 * @param {{ isAny?: boolean }} [options]  whether the caller has seen to it that no other RangeError can come, but for
 *   that of a stack that is full
 * @returns {boolean}
 */
export const isRefusalOfBuffer = (error, { isAny = false } = {}) => {
  if (tellEngineError(error)?.name !== 'RangeError') return false;
  const text = findData(error, 'message', isProxy);
  return isAny ? !/call stack/.test(`${text}`) : text === 'Array buffer allocation failed';
};

/**
 * The error that other vats get in place of one that the engine made, or of a reaction's failure caused by one. The latter
 * names the reaction and its tag.
 *
 * @param {unknown} error
 * @returns {ToldError | undefined}  undefined for an error that somebody constructed, and for what is no error
 */
export const tellEngineError = error => {
  // No proxy is one, so that asking for the prototype runs nothing.
  if (!isNativeError(error)) return undefined;
  if (UserError.is(error)) return tellWrapped(error);
  if (constructed.has(error)) return undefined;
  return toldOfClass.get(Object.getPrototypeOf(error));
};

/** @param {UserError} error  its text may end with that of its cause */
const tellWrapped = error => {
  const cause = findData(error, 'cause', isProxy);
  const told = tellEngineError(cause);
  if (told === undefined) return undefined;
  const { name, message } = readError(error, isProxy);
  const text = findData(cause, 'message', isProxy);
  if (typeof text !== 'string' || !message.endsWith(text)) return told;
  return { name, message: message.slice(0, message.length - text.length) + told.message };
};
