// The promises for which a host program waits: results of its calls, and promises in answers.
//
//   host.call.KREF      ''   a result, of an earlier block, for which the process waits
//   host.promise.KREF   ''   a promise in an answer, of an earlier block

import { callKey, makeEntry, promiseKey, stale } from './entry.js';

/** @import { Kernel } from '#kernel' */
/** @import { Entry } from './entry.js' */

export class Awaited {
  #kernel;

  #onSettled;

  /** Calls by the krefs of their results. @type {Map<string, Entry>} */
  #calls = new Map();

  /** Promises in answers, by kref. @type {Map<string, Entry & { promise: Promise<unknown> }>} */
  #promised = new Map();

  /** Krefs of unresolved promises in answers. @type {WeakMap<object, string>} */
  #krefs = new WeakMap();

  /** Entries added in this block. @type {Entry[]} */
  #added = [];

  /** Results of abandoned calls, to be released between two blocks. @type {string[]} */
  #abandoned = [];

  /** Promises that had settled before they were watched. @type {string[]} */
  #settled = [];

  /**
   * Promises that settled in this block, by kref, while answers are read: a promise may be settled to data that
   * contains it.
   *
   * @type {Map<string, Promise<unknown>>}
   */
  #justSettled = new Map();

  /**
   * @param {Kernel} kernel
   * @param {(entry: Entry, kref: string) => void} onSettled  reads the resolution before the promise is released
   */
  constructor(kernel, onSettled) {
    this.#kernel = kernel;
    this.#onSettled = onSettled;
  }

  /** The calls that wait for results. */
  get calls() {
    return this.#calls;
  }

  /** Whether there are results to release. */
  get hasAbandoned() {
    return this.#abandoned.length > 0;
  }

  /**
   * Release the promises of a resumed state for which the previous process waited.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  forgetStale(entries) {
    for (const [key] of entries) {
      const found = stale.exec(key);
      if (found === null) continue;
      this.#kernel.release(found[2]);
      this.#kernel.setHostValue(/** @type {`host.${string}`} */ (key), undefined);
    }
  }

  /** @param {Entry} entry @param {string} result  a promise that the kernel holds for the host */
  addCall(entry, result) {
    this.#calls.set(result, entry);
    this.#added.push(entry);
    this.#kernel.watchPromise(result);
  }

  /** Stop waiting for a call. @param {string} result */
  abandon(result) {
    if (this.#calls.delete(result)) this.#abandoned.push(result);
  }

  /** Release the results of abandoned calls. @returns {number} how many there were */
  forgetAbandoned() {
    const abandoned = this.#abandoned;
    this.#abandoned = [];
    for (const kref of abandoned) {
      this.#kernel.release(kref);
      this.#kernel.setHostValue(callKey(kref), undefined);
    }
    return abandoned.length;
  }

  /** @param {object} promise @returns {string | undefined} the kref of an unresolved promise in an answer */
  krefOf(promise) {
    return this.#krefs.get(promise);
  }

  /**
   * The host's promise for a promise in an answer.
   *
   * @param {string} kref
   * @returns {Promise<unknown>}
   */
  takePromise(kref) {
    const known = this.#promised.get(kref)?.promise ?? this.#justSettled.get(kref);
    if (known !== undefined) return known;
    /** @type {Pick<Entry, 'resolve' | 'reject'>} */
    let kit = { resolve: () => {}, reject: () => {} };
    const promise = harden(
      new Promise((resolve, reject) => {
        kit = { resolve, reject };
      }),
    );
    // It may be rejected without a listener.
    promise.catch(() => {});
    const name = `promise ${kref}`;
    const made = makeEntry({ name, vat: 'promise', method: kref, enter: () => kref, ...kit });
    const entry = { ...made, result: kref, promise };
    this.#kernel.hold(kref);
    this.#krefs.set(promise, kref);
    this.#promised.set(kref, entry);
    this.#added.push(entry);
    if (this.#kernel.promiseStatus(kref).state === 'unresolved') this.#kernel.watchPromise(kref);
    else this.#settled.push(kref);
    return promise;
  }

  /**
   * To be called before a block is committed: read and release settled promises, and record the others in the state.
   */
  collect() {
    let settled = this.#kernel.takeSettled();
    while (settled.length > 0 || this.#settled.length > 0) {
      for (let i = 0; i < settled.length; i += 1) this.#collectOne(settled[i]);
      settled = this.#settled;
      this.#settled = [];
    }
    this.#justSettled.clear();
    for (const entry of this.#added) {
      const kref = /** @type {string} */ (entry.result);
      if (this.#calls.get(kref) === entry) this.#record(entry, callKey(kref));
      else if (this.#promised.get(kref) === entry) this.#record(entry, promiseKey(kref));
    }
    this.#added = [];
  }

  /**
   * Record in the state that the process waits for it, for a process that resumes the run.
   *
   * @param {Entry} entry
   * @param {`host.${string}`} key
   */
  #record(entry, key) {
    entry.isRecorded = true;
    this.#kernel.setHostValue(key, '');
  }

  /** @param {string} kref */
  #collectOne(kref) {
    const call = this.#calls.get(kref);
    if (call !== undefined) {
      this.#calls.delete(kref);
      this.#settle(call, kref, callKey(kref));
    }
    const promised = this.#promised.get(kref);
    if (promised !== undefined) {
      this.#promised.delete(kref);
      this.#krefs.delete(promised.promise);
      this.#justSettled.set(kref, promised.promise);
      this.#settle(promised, kref, promiseKey(kref));
    }
  }

  /** @param {Entry} entry @param {string} kref @param {`host.${string}`} key */
  #settle(entry, kref, key) {
    this.#onSettled(entry, kref);
    this.#kernel.release(kref);
    if (entry.isRecorded) this.#kernel.setHostValue(key, undefined);
  }
}
