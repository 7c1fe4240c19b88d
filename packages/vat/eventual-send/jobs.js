// Promise jobs, and hardening of the values that they carry.

import { hardenForVat } from '../marshal/harden-data.js';
import { findHandle } from './handles.js';
import { getRefusals } from './refusals.js';

/**
 * A promise whose `then` queues a job. Its own `constructor` keeps `then` from looking for one through an accessor of
 * the locked-down prototype, which takes as long as all the rest.
 */
export const resolved = Object.defineProperty(Promise.resolve(), 'constructor', {
  value: undefined,
});

/**
 * Hardens a result, where the profile does.
 *
 * @param {any} result  of a handler or a local call
 * @returns {any}
 */
export const hardenResult = result => {
  // An object with a handle is frozen already.
  if (Object(result) !== result || findHandle(result) !== undefined) return result;
  if (!getRefusals().hardens) return result;
  return hardenForVat(result);
};

/**
 * Hardens the reason of a rejection, where the profile does. A reason that cannot be hardened, such as a proxy whose traps
 * throw, is replaced, since the promise must be settled whatever was thrown.
 *
 * @param {unknown} reason
 * @returns {unknown}
 */
export const hardenReason = reason => {
  if (!getRefusals().hardens) return reason;
  try {
    return harden(reason);
  } catch {
    return harden(TypeError('what was thrown cannot be hardened'));
  }
};
