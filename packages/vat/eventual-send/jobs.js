// Promise jobs, and what goes through them.

import { hardenForVat } from '../marshal/harden-data.js';
import { findHandle } from './handles.js';

/**
 * Its `then` queues a job. It says itself that it has no constructor, or `then` would look for one through an accessor of
 * the locked-down prototype, which takes as long as all the rest.
 */
export const resolved = Object.defineProperty(Promise.resolve(), 'constructor', {
  value: undefined,
});

/**
 * @param {any} result  of a handler or a local call
 * @returns {any}
 */
export const hardenResult = result => {
  // An object with a handle was frozen when it was made.
  if (Object(result) !== result || findHandle(result) !== undefined) return result;
  return hardenForVat(result);
};

/**
 * Why a promise is rejected, hardened. What cannot be hardened, such as a proxy whose traps throw, is replaced: a promise
 * must be settled whatever was thrown.
 *
 * @param {unknown} reason
 * @returns {unknown}
 */
export const hardenReason = reason => {
  try {
    return harden(reason);
  } catch {
    return harden(TypeError('what was thrown cannot be hardened'));
  }
};
