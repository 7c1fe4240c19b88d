// Promises whose outcome goes to a durable object, in whichever incarnation of the vat it comes. The store knows each watched
// promise by its vref, and who watches it with which arguments; a new incarnation makes promises for these vrefs anew and
// waits for them. Those that the vat decided itself, the kernel has rejected meanwhile.

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

  /** Watched while the root object was built, and not by an earlier incarnation. @type {Set<string> | undefined} */
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
    // For whoever listens to rejections that nobody handles.
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
    insistWatcher(watcher);
    promise instanceof Promise || Fail`watchPromise only watches promises`;
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
       * In the next job: then the result of a send that was made in this one has its vref.
       *
       * @param {any} promise
       * @param {any} watcher  a virtual or durable object with `onFulfilled` or `onRejected`
       * @param {any[]} args
       */
      watchPromise: (promise, watcher, ...args) => {
        void Promise.resolve().then(() => watch(promise, watcher, args));
      },
    },

    start() {
      tables = provideTables();
    },

    /** The root object is built, and all durable kinds are defined: earlier incarnations' promises are waited for. */
    revive() {
      for (const vref of requireTables().watched.keys()) {
        if (watchedAtStart?.has(vref)) continue;
        await_(references.findValue(vref) ?? revivePromise(vref), vref);
      }
      watchedAtStart = undefined;
    },
  });
};
