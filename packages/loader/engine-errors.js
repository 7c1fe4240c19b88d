// Recognises errors that the JavaScript engine made. Their texts differ between versions of the engine, so they must
// not leave a vat (docs/design/determinism.md).
//
// All other errors come from the call of a constructor. So before lockdown each error constructor is replaced by one
// that notes the errors it makes; an error that was not noted is the engine's. No stack is read. `Error` itself is not
// replaced: the engine makes no instances of it, and SES has its own.

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
 * Prototype of an engine's error → its replacement; empty until the constructors are replaced.
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
 * Constructors that SES does not tame, since they were replaced or are unknown to it. They inherit from the engine's
 * `Error`, whose hooks (`prepareStackTrace`) see every error of the process. They are reachable: Node's error classes
 * and our BaseError extend them, and `using` throws a SuppressedError.
 *
 * @type {Set<Function>}
 */
const untamed = new Set(/** @type {Function[]} */ ([BaseError]));

/** The engine's own `Error`, which lockdown replaces. @type {Function | undefined} */
let engineError;

/** Errors that were made by calling a constructor. @type {WeakSet<object>} */
const constructed = new WeakSet();

/**
 * Make a constructor like `Native` that notes the errors it makes.
 *
 * @param {Function} Native
 */
const makeNotingConstructor = Native => {
  /** @param {unknown[]} args */
  const Noting = function (...args) {
    // As for the engine's own, a call without `new` equals one with it. The engine omits the frame of `new.target` from
    // the stack, so this function does not appear there.
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
 * Replace the error constructors. This must come before SES is loaded, since SES keeps those it finds.
 *
 * @returns {boolean}  false if SES was loaded before: then no error is recognised as the engine's
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
  // Only `using` makes SuppressedErrors, and no vat has their constructor.
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
 * Make the constructors that SES does not tame inherit from the tamed `Error`, and harden them. To be called after
 * lockdown, also after another program's.
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
  // If the engine's Error is reachable in another way, then at least no property can be added. The host sets its hooks
  // through SES's constructor, and Node sets properties that exist.
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
    return undefined; // the engine lacks `using`, or the compartment refuses it
  }
};

/** The engine's messages for a lack of memory or an excessive size. */
const refusalsOfMemory = new Set([
  'Array buffer allocation failed',
  'Invalid string length',
  'Map maximum size exceeded',
  'Set maximum size exceeded',
]);

/**
 * Whether the engine made this error for lack of memory. An invalid length, as in `new Array(-1)`, is a mistake of the
 * program and does not count.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export const isMemoryRefusal = error =>
  tellEngineError(error)?.name === 'RangeError' &&
  refusalsOfMemory.has(/** @type {string} */ (findData(error, 'message', isProxy)));

/**
 * Whether the engine made this error for lack of memory for a buffer.
 *
 * @param {unknown} error
 * @param {{ isAny?: boolean }} [options]  whether any RangeError counts, except that of a full stack: the caller has
 *   excluded the others
 * @returns {boolean}
 */
export const isRefusalOfBuffer = (error, { isAny = false } = {}) => {
  if (tellEngineError(error)?.name !== 'RangeError') return false;
  const text = findData(error, 'message', isProxy);
  return isAny ? !/call stack/.test(`${text}`) : text === 'Array buffer allocation failed';
};

/**
 * The error that other vats get instead of an engine's error, or instead of a reaction's failure caused by one. The
 * latter names the reaction and its tag.
 *
 * @param {unknown} error
 * @returns {ToldError | undefined}  undefined for a constructed error, and for any other value
 */
export const tellEngineError = error => {
  // A proxy is not a native error, so reading the prototype below runs no code.
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
