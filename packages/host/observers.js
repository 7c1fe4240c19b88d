// Guards the host program's callbacks: an error of a callback, thrown or by a rejected promise, is reported and does
// not change the run.

import { types } from 'node:util';
import { getStackFrames } from '#loader';
import { keepSuspended } from './engine/promise-hooks.js';

/** An error by which a crank observer ends the run at its last block: the run throws the reason. */
export class StopRun extends Error {
  /** @param {unknown} reason */
  constructor(reason) {
    super('whoever watches the run ends it', { cause: reason });
    this.name = 'StopRun';
  }
}

/**
 * @callback OnObserverError
 * @param {unknown} error  thrown, or the reason of its rejected promise
 * @param {string} name  of the callback, as `observer.onConsole`
 * @returns {void}
 */

/**
 * Make a handler that warns once for each callback, outside of cranks.
 *
 * @returns {OnObserverError}
 */
const makeWarning = () => {
  /** @type {Set<string>} */
  const warned = new Set();
  return (error, name) => {
    if (warned.has(name)) return;
    warned.add(name);
    const text = `${name} threw, which changes nothing of the run: ${describe(error)}`;
    setImmediate(() => process.emitWarning(text, 'ObserverWarning'));
  };
};

/** @param {unknown} error  of the host program */
const describe = error => {
  try {
    return types.isNativeError(error) ? `${error}\n${getStackFrames(error)}` : String(error);
  } catch {
    return 'something that cannot be shown';
  }
};

/** @param {OnObserverError} [onObserverError]  default: a warning of the process, once for each callback */
export const makeObserverGuard = onObserverError => {
  const warn = makeWarning();

  /** @type {OnObserverError} */
  const tell = (error, name) => {
    if (onObserverError === undefined) {
      warn(error, name);
      return;
    }
    try {
      const told = /** @type {unknown} */ (onObserverError(error, name));
      if (types.isPromise(told)) told.then(undefined, again => warn(again, 'onObserverError'));
    } catch (again) {
      warn(again, 'onObserverError');
    }
  };

  /**
   * Wrap a callback, so that it throws only the reason of a `StopRun`. Callbacks have at most four arguments, which are
   * written out: rest and spread are slow, and a vat's console uses this path.
   *
   * @template {(...args: any[]) => unknown} F
   * @param {string} name
   * @param {F | undefined} callback
   * @returns {((...args: Parameters<F>) => void) | undefined}
   */
  const guard = (name, callback) => {
    if (callback === undefined) return undefined;
    const guarded = (
      /** @type {any} */ first,
      /** @type {any} */ second,
      /** @type {any} */ third,
      /** @type {any} */ fourth,
    ) => {
      try {
        const returned = callback(first, second, third, fourth);
        if (returned !== undefined && types.isPromise(returned))
          returned.then(undefined, error => tell(error, name));
      } catch (error) {
        if (error instanceof StopRun) throw error.cause;
        tell(error, name);
      } finally {
        keepSuspended();
      }
    };
    return /** @type {any} */ (guarded);
  };

  return Object.freeze({
    guard,

    /**
     * Wrap an object of optional callbacks.
     *
     * @template {object} T
     * @param {string} name
     * @param {T} callbacks
     * @param {readonly (keyof T & string)[]} keys
     * @returns {T}
     */
    guardAll: (name, callbacks, keys) => {
      /** @type {any} */
      const guarded = {};
      for (const key of keys) {
        if (/** @type {any} */ (callbacks)[key] === undefined) continue;
        const own = /** @type {any} */ (callbacks);
        const call = (
          /** @type {any} */ first,
          /** @type {any} */ second,
          /** @type {any} */ third,
          /** @type {any} */ fourth,
        ) => own[key](first, second, third, fourth);
        guarded[key] = guard(`${name}.${key}`, call);
      }
      return guarded;
    },
  });
};

/** @typedef {ReturnType<typeof makeObserverGuard>} ObserverGuard */
