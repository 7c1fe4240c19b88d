// Eventual sends to targets in the same vat: the call itself, and the errors that refuse it.

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
 * @param {PropertyKey} name
 * @returns {Function} the target's method
 * @throws {Error} the target does not take the message, in the words of `refusals.js`
 */
export const takeMethod = (target, name) => {
  const refusals = getRefusals();
  // In 2020 it was first asked whether there is such a property, which a proxy may deny.
  const isThere = refusals.takesData || !isObject(target) || target === null || name in target;
  const method = target === undefined || target === null || !isThere ? undefined : target[name];
  if (typeof method === 'function' && (isObject(target) || refusals.takesData)) return method;
  throw refusals.noMethod(target, name, method);
};

/**
 * @param {any} target
 * @param {PropertyKey | null | undefined} name
 * @param {any[]} args
 * @throws {Error} the target does not take the message, in the words of `refusals.js`
 */
export const applyMethod = (target, name, args) =>
  name === undefined || name === null
    ? applyFunction(target, args)
    : Reflect.apply(takeMethod(target, name), target, args);

/**
 * The error with which a primitive value refuses a message, or undefined. Made on the sender's stack, so that it shows
 * the place of the send; objects of a vat are checked when their turn comes.
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
