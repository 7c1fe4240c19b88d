// An eventual send whose target turns out to be in the same vat: the call itself, and what it is refused with.

import { getRefusals } from './refusals.js';

/** @param {any} target */
const isObject = target => typeof target === 'object' || typeof target === 'function';

/**
 * @param {any} target
 * @param {any[]} args
 * @throws {TypeError} the target is no function
 */
export const applyFunction = (target, args) => {
  if (typeof target !== 'function') throw getRefusals().notFunction(target);
  return Reflect.apply(target, undefined, args);
};

/**
 * @param {any} target
 * @param {PropertyKey | null | undefined} name
 * @param {any[]} args
 * @throws {Error} the target does not take the message, in the words of `refusals.js`
 */
export const applyMethod = (target, name, args) => {
  if (name === undefined || name === null) return applyFunction(target, args);
  const method = target === undefined || target === null ? undefined : target[name];
  if (typeof method === 'function' && (isObject(target) || getRefusals().takesData))
    return Reflect.apply(method, target, args);
  throw getRefusals().noMethod(target, name, method);
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
  if (name === undefined || name === null) return getRefusals().notFunction(target);
  const method = target === undefined || target === null ? undefined : target[name];
  return typeof method === 'function' && getRefusals().takesData
    ? undefined
    : getRefusals().noMethod(target, name, method);
};

/**
 * @param {any} target
 * @param {PropertyKey} name
 */
export const get = (target, name) => target[name];
