// Calls of the host program: a bounded queue of entries that will enter the run between two blocks, and the calls that
// wait for answers. A call is answered when the block in which its result settled is as durable as the store's setting;
// its result is released in the same block.

import { UserError } from '#model';
import { Answers } from './answers.js';
import { Awaited } from './awaited.js';
import { Deadlines } from './deadlines.js';
import { EntryQueue } from './entry-queue.js';
import { makeEntry, readAnswer } from './entry.js';
import { Handles } from './handles.js';
import { makeHostValues } from './host-values.js';
import { Requests } from './requests.js';
import { ended, queueFull, storeFailed, stuck, timedOut } from './unanswered.js';

/** @import { CallPowers, Entry } from './entry.js' */
/** @import { CallError } from './errors.js' */
/** @import { Handle } from './handles.js' */

export class Calls {
  #powers;

  #kernel;

  #handles;

  #values;

  /** Entries that have not entered the run. */
  #queue = new EntryQueue();

  #requests;

  #awaited;

  #answers;

  /** Makes the error with which new calls are refused. @type {(() => CallError) | undefined} */
  #refusal;

  #deadlines = new Deadlines((/** @type {Entry[]} */ due) => this.#giveUp(due));

  /** @param {CallPowers} powers */
  constructor(powers) {
    this.#powers = powers;
    this.#kernel = powers.kernel;
    this.#handles = new Handles(powers.kernel);
    const awaited = new Awaited(powers.kernel, (entry, kref) => this.#answer(entry, kref));
    this.#awaited = awaited;
    this.#values = makeHostValues({
      profile: powers.kernel.profile,
      handles: this.#handles,
      promises: {
        take: kref => awaited.takePromise(kref),
        krefOf: promise => awaited.krefOf(promise),
      },
    });
    this.#requests = new Requests(powers, this.#handles, this.#values);
    this.#answers = new Answers({
      durable: powers.durable,
      onLost: cause => this.failAll(() => storeFailed(cause)),
    });
  }

  /** How values are read and written. */
  get values() {
    return this.#values;
  }

  /** The number of waiting calls, entered or not. */
  get size() {
    return this.#queue.size + this.#awaited.calls.size;
  }

  /** Whether there is work to do between two blocks. */
  get hasEntries() {
    return this.#queue.size > 0 || this.#awaited.hasAbandoned;
  }

  /** Whether a caller waits for an answer. */
  get isAwaited() {
    return this.size > 0;
  }

  /** Whether answers wait for the disk. */
  get isFlushing() {
    return this.#answers.isFlushing;
  }

  /**
   * Release the promises and unnamed handles of a resumed state that the previous process held.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  forgetStale(entries) {
    const all = [...entries];
    this.#handles.forgetStale(all);
    this.#awaited.forgetStale(all);
  }

  /**
   * @param {string | Handle} target  a vat's name, for its root, or a handle
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @param {{ timeoutMs?: number }} [options]
   * @returns {Promise<any>} the settled result of the method
   */
  call(target, method, args = [], { timeoutMs = this.#powers.timeoutMs } = {}) {
    return this.#add(timeoutMs, () => this.#requests.message(target, method, args));
  }

  /**
   * @param {string | Handle} target
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @returns {Promise<void>} settles when the message is in the run, as durable as requested
   */
  send(target, method, args = []) {
    return this.#add(undefined, () => this.#requests.sendOnly(target, method, args));
  }

  /** @param {string} name @param {Handle} handle @returns {Promise<void>} */
  keep(name, handle) {
    return this.#add(undefined, () => this.#requests.keep(name, handle));
  }

  /** @param {string} name @returns {Promise<void>} */
  forget(name) {
    return this.#add(undefined, () => this.#requests.forget(name));
  }

  /** @param {string} name @returns {Promise<Handle | undefined>} */
  find(name) {
    /** @type {Handle | undefined} */
    let found;
    const take = (/** @type {Handle | undefined} */ handle) => {
      found = handle;
    };
    return this.#add(undefined, () => this.#requests.find(name, take)).then(() => found);
  }

  /** @param {Handle} handle @returns {Promise<void>} */
  releaseHandle(handle) {
    return this.#add(undefined, () => this.#requests.release(handle));
  }

  /** @param {unknown} value @returns {value is Handle} */
  isHandle(value) {
    return this.#handles.isHandle(value);
  }

  /**
   * @param {number | undefined} timeoutMs
   * @param {() => import('./requests.js').Request} make
   * @returns {Promise<any>}
   */
  #add(timeoutMs, make) {
    const { maxCalls, wake } = this.#powers;
    return new Promise((resolve, reject) => {
      if (this.#refusal !== undefined) throw this.#refusal();
      if (this.size >= maxCalls) throw queueFull(maxCalls);
      const { name, vat, method, enter } = make();
      const entry = makeEntry({ name, vat, method, enter, resolve, reject });
      if (timeoutMs !== undefined && timeoutMs < Infinity) this.#deadlines.add(entry, timeoutMs);
      this.#queue.push(entry);
      wake(this.#queue.size);
    });
  }

  /** @param {Entry[]} due */
  #giveUp(due) {
    const explain = this.#powers.makeExplainer();
    for (const entry of due) {
      if (!entry.isOver) this.#reject(entry, timedOut(entry, explain));
    }
  }

  /** Reject an entry and stop waiting for it. @param {Entry} entry @param {unknown} reason */
  #reject(entry, reason) {
    this.#end(entry);
    if (entry.result !== undefined) this.#awaited.abandon(entry.result);
    entry.reject(reason);
  }

  /** @param {Entry} entry */
  #end(entry) {
    entry.isOver = true;
    this.#deadlines.remove(entry);
  }

  /**
   * Let waiting entries enter the run, in order. Between two blocks.
   *
   * @param {number} most  entries to take
   * @returns {number} number of entries and released results
   */
  enter(most) {
    const forgotten = this.#awaited.forgetAbandoned();
    return forgotten + this.#queue.takeEach(most, entry => this.#enterOne(entry));
  }

  /** @param {Entry} entry */
  #enterOne(entry) {
    try {
      entry.result = entry.enter();
    } catch (error) {
      if (!UserError.is(error)) throw error;
      this.#end(entry);
      entry.reject(ended(error, this.#powers.explainEnded(entry.vat), this.#kernel.isStopped));
      return;
    }
    if (entry.result === undefined) {
      this.#end(entry);
      this.#answers.add({ tell: () => entry.resolve(undefined), reject: entry.reject });
      return;
    }
    this.#awaited.addCall(entry, entry.result);
  }

  /** To be called before a block is committed: read the answers, and release their results. */
  collect() {
    this.#awaited.collect();
  }

  /** @param {Entry} entry @param {string} kref  settled */
  #answer(entry, kref) {
    const tell = readAnswer(this.#kernel, this.#values, this.#powers.findReport, entry, kref);
    this.#end(entry);
    this.#answers.add({ tell, reject: entry.reject });
  }

  /** To be called when the block is committed: its answers are given when it is durable. */
  committed() {
    this.#answers.committed();
  }

  /** Reject all waiting calls, since nothing is left to run. Between two blocks. */
  rejectStuck() {
    const explain = this.#powers.makeExplainer();
    for (const entry of [...this.#awaited.calls.values()])
      this.#reject(entry, stuck(entry, explain));
  }

  /**
   * Reject all waiting calls.
   *
   * @param {() => CallError} makeError
   */
  failAll(makeError) {
    const all = [...this.#queue.clear(), ...this.#awaited.calls.values()];
    for (const entry of all) if (!entry.isOver) this.#reject(entry, makeError());
    for (const answer of this.#answers.takeAll()) answer.reject(makeError());
    this.#deadlines.rest();
  }

  /**
   * Refuse new calls from now on, or accept them again.
   *
   * @param {(() => CallError) | undefined} makeError
   */
  refuse(makeError) {
    this.#refusal = makeError;
  }
}
