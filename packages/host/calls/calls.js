// Calls of the host program: a bounded queue of what is to enter the run between two blocks, and those that have entered and
// wait for their answers. A call is answered behind the commit of the block in which its result settled, when that is as
// durable as the store was asked for; its result is let go of in the same block.

import { UserError } from '#model';
import { Answers } from './answers.js';
import { Awaited } from './awaited.js';
import { Deadlines } from './deadlines.js';
import { EntryQueue } from './entry-queue.js';
import { makeEntry, readAnswer } from './entry.js';
import { Handles } from './handles.js';
import { makeHostValues } from './host-values.js';
import { Requests } from './requests.js';
import { queueFull, storeFailed, stuck, timedOut } from './unanswered.js';

/** @import { CallPowers, Entry } from './entry.js' */
/** @import { CallError } from './errors.js' */
/** @import { Handle } from './handles.js' */

export class Calls {
  #powers;

  #kernel;

  #handles;

  #values;

  /** Entries that have not entered. */
  #queue = new EntryQueue();

  #requests;

  #awaited;

  #answers;

  /** Why nothing is accepted. @type {(() => CallError) | undefined} */
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

  /** Calls that wait, entered or not. */
  get size() {
    return this.#queue.size + this.#awaited.calls.size;
  }

  /** Whether something is to be done between two blocks. */
  get hasEntries() {
    return this.#queue.size > 0 || this.#awaited.hasAbandoned;
  }

  /** Whether somebody waits for an answer of a call. */
  get isAwaited() {
    return this.size > 0;
  }

  /** Whether answers wait for the disk. */
  get isFlushing() {
    return this.#answers.isFlushing;
  }

  /**
   * Releases, in a resumed state, what the process before this one waited for or held without a name.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  dropStale(entries) {
    const all = [...entries];
    this.#handles.dropStale(all);
    this.#awaited.dropStale(all);
  }

  /**
   * @param {string | Handle} target  a vat's name, for its root, or a handle
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @param {{ timeoutMs?: number }} [options]
   * @returns {Promise<any>} what the method's result comes to
   */
  call(target, method, args = [], { timeoutMs = this.#powers.timeoutMs } = {}) {
    return this.#add(timeoutMs, () => this.#requests.message(target, method, args));
  }

  /**
   * @param {string | Handle} target
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @returns {Promise<void>} settles when the message is in the run, as durably as was asked for
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

  /** Nobody waits for it any more. @param {Entry} entry @param {unknown} reason */
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
   * Between two blocks: what waits enters, in its order.
   *
   * @param {number} most  messages
   * @returns {number} how many things were done
   */
  enter(most) {
    const dropped = this.#awaited.dropAbandoned();
    return dropped + this.#queue.takeEach(most, entry => this.#enterOne(entry));
  }

  /** @param {Entry} entry */
  #enterOne(entry) {
    try {
      entry.result = entry.enter();
    } catch (error) {
      if (!UserError.is(error)) throw error;
      this.#end(entry);
      entry.reject(error);
      return;
    }
    if (entry.result === undefined) {
      this.#end(entry);
      this.#answers.add({ tell: () => entry.resolve(undefined), reject: entry.reject });
      return;
    }
    this.#awaited.addCall(entry, entry.result);
  }

  /** Before a block is committed: answers that have come are read, and their results let go of. */
  collect() {
    this.#awaited.collect();
  }

  /** @param {Entry} entry @param {string} kref  settled */
  #answer(entry, kref) {
    const tell = readAnswer(this.#kernel, this.#values, this.#powers.findReport, entry, kref);
    this.#end(entry);
    this.#answers.add({ tell, reject: entry.reject });
  }

  /** The block is committed: what was read in it is told when that is durable. */
  committed() {
    this.#answers.committed();
  }

  /** Nothing is left to run: reject whoever still waits. Between two blocks. */
  rejectStuck() {
    const explain = this.#powers.makeExplainer();
    for (const entry of [...this.#awaited.calls.values()])
      this.#reject(entry, stuck(entry, explain));
  }

  /**
   * Reject all that wait.
   *
   * @param {() => CallError} makeError
   */
  failAll(makeError) {
    const all = [...this.#queue.clear(), ...this.#awaited.calls.values()];
    for (const entry of all) if (!entry.isOver) this.#reject(entry, makeError());
    for (const answer of this.#answers.takeAll()) answer.reject(makeError());
  }

  /**
   * Refuse what comes from now on, or accept it again.
   *
   * @param {(() => CallError) | undefined} makeError
   */
  refuse(makeError) {
    this.#refusal = makeError;
  }
}
