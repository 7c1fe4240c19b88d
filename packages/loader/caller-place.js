// Adds the host program's lines to an error that a method for host programs throws. Lockdown hides the stack of such an
// error (host-stacks.js): its first frame is in this package, so a vat might get it.

import { types } from 'node:util';
import { BaseError, readError } from '#model';
import { isOfThisPackage } from './host-stacks.js';
import { getStackFrames } from './lockdown.js';

/** @param {string} frame */
const isOfNode = frame => /[( ]node:/.test(frame);

/**
 * The frames of the program that called this package, innermost first; also across `await`.
 *
 * @returns {string[]}
 */
const readCallerFrames = () => {
  const frames = getStackFrames(Error('called')).split('\n');
  const first = frames.findIndex(frame => !isOfThisPackage(frame) && !isOfNode(frame));
  if (first < 0) return [];
  const own = frames.slice(first);
  // Frames behind those of this package ran the program's callback, perhaps in a vat's crank.
  const end = own.findIndex(isOfThisPackage);
  return (end < 0 ? own : own.slice(0, end))
    .filter(frame => !isOfNode(frame))
    .map(frame => `    ${frame.trim()}`);
};

/**
 * Wait for what a method returns, and place its error at the caller. It waits in an `async` function, so that the engine
 * knows who waits for it.
 *
 * @template T
 * @param {Promise<T>} answer
 * @returns {Promise<T>}
 */
export const placed = async answer => {
  try {
    return await answer;
  } catch (error) {
    throw placeAtCaller(error);
  }
};

/**
 * Have a function place its errors, and those of the promise that it returns, at the caller.
 *
 * @template {(...args: any[]) => unknown} F
 * @param {F} fn  takes no `this`
 * @returns {F}
 */
export const placedFunction = fn => {
  const replacing = (/** @type {Parameters<F>} */ ...args) => {
    /** @type {unknown} */
    let result;
    try {
      result = fn(...args);
    } catch (error) {
      throw placeAtCaller(error);
    }
    return result instanceof Promise ? placed(result) : result;
  };
  return /** @type {F} */ (replacing);
};

/**
 * Have methods place their errors, and those of the promises that they return, at the caller.
 *
 * @template {object} T
 * @param {T} object  whose methods are replaced
 * @param {readonly (keyof T)[]} names  of methods that take no `this`
 * @returns {T}
 */
export const placeErrors = (object, names) => {
  for (const name of names) object[name] = placedFunction(/** @type {any} */ (object[name]));
  return object;
};

/**
 * Write the caller's frames into the stack of an error, behind frames that it has. To be called where only the host
 * program gets the error.
 *
 * @template T
 * @param {T} error
 * @returns {T}
 */
const placeAtCaller = error => {
  const isOurs = types.isNativeError(error) && (error instanceof BaseError || !error.stack);
  if (!isOurs || Object.isFrozen(error)) return error;
  const frames = readCallerFrames();
  const shown = error.stack || undefined;
  // An error may reject several calls.
  if (frames.length === 0 || shown?.includes(frames[0])) return error;
  const { name, message } = readError(error);
  const value = [shown ?? `${name}: ${message}`, ...frames].join('\n');
  Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  return error;
};
