// Promises whose outcome goes to a durable object, in whichever incarnation of the vat it arrives. The store has each
// watched promise by its vref, with its watchers and their arguments; a new incarnation makes promises for these vrefs
// and waits for them. The kernel has rejected those that the former incarnation was to settle.

import { Fail } from '@endo/errors';
import { E } from '../eventual-send/index.js';
import { isVirtualVref } from './vrefs.js';

/** @import { VirtualParts } from './virtual-data.js' */

/**
 * @typedef {object} WatcherTables
 * @property {any} watchers  a watcher by the handle of its kind
 * @property {any} watched  lists of `[watcher, ...args]`, by the vref of the promise
 */

/**
 * @param {VirtualParts} parts
 * @param {object} options
 * @param {() => WatcherTables} options.provideTables
 * @param {(...args: any[]) => any} options.defineDurableKind
 */
export const makePromiseWatchers = (parts, { provideTables, defineDurableKind }) => {
  const { references, kernelSlotOf, followPromise, revivePromise } = parts;

  /** @type {WatcherTables | undefined} */
  let tables;

  /**
   * Vrefs of promises watched while the root object is built, not by an earlier incarnation.
   *
   * @type {Set<string> | undefined}
   */
  let watchedAtStart = new Set();

  const requireTables = () => tables ?? Fail`promises cannot be watched yet`;

  /**
   * @param {any} watcher
   * @param {'onFulfilled' | 'onRejected'} method
   * @param {unknown} value
   * @param {unknown[]} args
   */
  const tell = (watcher, method, value, args) => {
    if (watcher[method]) watcher[method](value, ...args);
    // Becomes an unhandled rejection.
    else if (method === 'onRejected') throw value;
  };

  /**
   * @param {Promise<unknown>} promise
   * @param {string} vref
   */
  const await_ = (promise, vref) => {
    const settle = (/** @type {unknown} */ value, /** @type {boolean} */ isFulfilled) => {
      const { watched } = requireTables();
      const watches = watched.get(vref);
      watched.delete(vref);
      watchedAtStart?.delete(vref);
      for (const [watcher, ...args] of watches)
        void Promise.resolve().then(() =>
          tell(watcher, isFulfilled ? 'onFulfilled' : 'onRejected', value, args),
        );
    };
    void E.when(
      promise,
      (/** @type {unknown} */ value) => settle(value, true),
      (/** @type {unknown} */ reason) => settle(reason, false),
    );
  };

  /** @param {any} watcher */
  const insistWatcher = watcher => {
    const vref = kernelSlotOf(watcher);
    isVirtualVref(vref) || Fail`promise watcher must be a virtual object`;
    if (watcher.onFulfilled) assert.typeof(watcher.onFulfilled, 'function');
    if (watcher.onRejected) assert.typeof(watcher.onRejected, 'function');
    assert(
      watcher.onFulfilled || watcher.onRejected,
      'promise watcher must implement at least one handler method',
    );
  };

  /**
   * @param {any} promise
   * @param {any} watcher
   * @param {unknown[]} args
   */
  const watch = (promise, watcher, args) => {
    const vref = kernelSlotOf(promise);
    const { watched } = requireTables();
    if (watched.has(vref)) {
      watched.set(vref, harden([...watched.get(vref), [watcher, ...args]]));
      return;
    }
    watched.init(vref, harden([[watcher, ...args]]));
    watchedAtStart?.add(vref);
    await_(promise, vref);
    // The vat's own promise must be rejected by the kernel if the vat is upgraded before it settles it.
    followPromise(vref, promise);
  };

  return Object.freeze({
    /** The functions that a vat calls. */
    functions: {
      /**
       * @param {object} kindHandle
       * @param {(value: unknown, ...args: any[]) => void} [onFulfilled]
       * @param {(reason: unknown, ...args: any[]) => void} [onRejected]
       */
      providePromiseWatcher: (
        kindHandle,
        onFulfilled = () => {},
        onRejected = reason => {
          throw reason;
        },
      ) => {
        assert.typeof(onFulfilled, 'function');
        assert.typeof(onRejected, 'function');
        const make = defineDurableKind(kindHandle, () => harden({}), {
          onFulfilled: (
            /** @type {unknown} */ _context,
            /** @type {unknown} */ value,
            /** @type {any[]} */ ...args
          ) => onFulfilled(value, ...args),
          onRejected: (
            /** @type {unknown} */ _context,
            /** @type {unknown} */ reason,
            /** @type {any[]} */ ...args
          ) => onRejected(reason, ...args),
        });
        const { watchers } = requireTables();
        if (watchers.has(kindHandle)) return watchers.get(kindHandle);
        const watcher = make();
        watchers.init(kindHandle, watcher);
        return watcher;
      },

      /**
       * Watches in the next job, when the result of a send of this job has its vref. Wrong arguments are an unhandled
       * rejection of that job; their error has the place of this call.
       *
       * @param {any} promise
       * @param {any} watcher  a virtual or durable object with `onFulfilled` or `onRejected`
       * @param {any[]} args
       */
      watchPromise: (promise, watcher, ...args) => {
        let isFine = Promise.resolve();
        try {
          insistWatcher(watcher);
          promise instanceof Promise || Fail`watchPromise only watches promises`;
        } catch (error) {
          isFine = Promise.reject(error);
        }
        void isFine.then(() => watch(promise, watcher, args));
      },
    },

    start() {
      tables = provideTables();
    },

    /** Waits for earlier incarnations' promises, after the root object was built and all durable kinds are defined. */
    revive() {
      for (const vref of requireTables().watched.keys()) {
        if (watchedAtStart?.has(vref)) continue;
        await_(references.findValue(vref) ?? revivePromise(vref), vref);
      }
      watchedAtStart = undefined;
    },
  });
};
