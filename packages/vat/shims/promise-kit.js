// `@endo/promise-kit`, and its predecessors of 2020. The library uses the global `HandledPromise` at the time when it
// loads, which outside of a vat does not exist, so these are made over our own. A race takes as many jobs as the
// library's, since that decides the order of a vat's syscalls.

import { HandledPromise } from '../eventual-send/index.js';

/**
 * @template T
 * @typedef {{ promise: Promise<T>, resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void }} PromiseKit
 */

/**
 * A promise that takes messages, and the two functions that settle it, which then drop their reference to it.
 *
 * @returns {PromiseKit<any>}
 */
export const makePromiseKit = () => {
  /** @type {((value: unknown) => void) | undefined} */
  let fulfil;
  /** @type {((reason: unknown) => void) | undefined} */
  let refuse;
  const promise = new HandledPromise(
    (/** @type {(value: unknown) => void} */ toFulfil, /** @type {() => void} */ toRefuse) => {
      fulfil = toFulfil;
      refuse = toRefuse;
    },
  );
  const release = () => {
    const settlers = { fulfil, refuse };
    fulfil = undefined;
    refuse = undefined;
    return settlers;
  };
  const resolve = (/** @type {unknown} */ value) => {
    release().fulfil?.(value);
  };
  const reject = (/** @type {unknown} */ reason) => {
    release().refuse?.(reason);
  };
  // This hardens the kit completely: arrow functions and a handled promise have nothing else that could be changed.
  return Object.freeze({
    promise,
    resolve: Object.freeze(resolve),
    reject: Object.freeze(reject),
  });
};
harden(makePromiseKit);

/**
 * Whether a value is a promise of this realm, rather than something that has a `then`.
 *
 * @param {unknown} value
 * @returns {value is Promise<unknown>}
 */
export const isPromise = value => Promise.resolve(value) === value;
harden(isPromise);

/** A contender in races, with the races that wait for it until it has settled. */
class Contender {
  /** @type {Set<PromiseKit<any>> | undefined} */
  waiting = new Set();

  /** @param {unknown} value */
  constructor(value) {
    Promise.resolve(value).then(
      result => {
        for (const { resolve } of this.#release()) resolve(result);
      },
      reason => {
        for (const { reject } of this.#release()) reject(reason);
      },
    );
  }

  #release() {
    const { waiting } = this;
    this.waiting = undefined;
    return /** @type {Set<PromiseKit<any>>} */ (waiting);
  }
}

/**
 * A promise gets one listener, however many races it runs in, so that it does not keep each of them in memory. Promises
 * are never shared between vats, so this map shares nothing between them either.
 *
 * @type {WeakMap<Promise<unknown>, Contender>}
 */
const contenders = new WeakMap();

/** @param {Promise<unknown>} promise */
const provideContender = promise => {
  let found = contenders.get(promise);
  if (found === undefined) {
    found = new Contender(promise);
    contenders.set(promise, found);
  }
  return found;
};

/**
 * `Promise.race` without its leak: contenders that have not settled do not keep the outcome alive.
 *
 * @param {Iterable<unknown>} values
 * @returns {Promise<any>}
 */
export const racePromises = values => {
  /** @type {Contender[]} */
  const running = [];
  const kit = makePromiseKit();
  for (const value of values) {
    // Other objects may be shared between vats, such as a frozen shim, and get a contender for each race.
    const contender =
      Object(value) !== value
        ? undefined
        : isPromise(value)
          ? provideContender(value)
          : new Contender(value);
    if (contender?.waiting) {
      contender.waiting.add(kit);
      running.push(contender);
    } else {
      HandledPromise.resolve(value).then(kit.resolve, kit.reject);
    }
  }
  return harden(
    kit.promise.finally(() => {
      for (const { waiting } of running) waiting?.delete(kit);
    }),
  );
};
harden(racePromises);
