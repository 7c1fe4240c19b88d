// Calls of the host program: a bounded queue of what is to enter the run between two blocks, and those that have entered and
// wait for their answers. A call is answered behind the commit of the block in which its result settled, when that is as
// durable as the store was asked for; its result is let go of in the same block.
//
//   host.call.KREF      ''   a result that the process waits for, of an earlier block
//   host.promise.KREF   ''   a promise in an answer that it waits for, the same

import { formatExactDuration, quote, showInLine, UserError } from '#model';
import { CallError } from './errors.js';
import { Deadlines } from './deadlines.js';
import { callKey, makeEntry, promiseKey, readAnswer, stale } from './entry.js';
import { Handles } from './handles.js';
import { makeHostValues } from './host-values.js';

/** @import { Answer, CallPowers, Entry } from './entry.js' */
/** @import { Handle } from './handles.js' */

const nsPerMs = 1_000_000;

// eslint-disable-next-line house/max-class-lines -- the queue, what waits and what is answered are one private state; reading and recording are in entry.js
export class Calls {
  #powers;

  #kernel;

  #handles;

  #values;

  /** Calls that have not entered, from `#first` on. @type {Entry[]} */
  #queue = [];

  #first = 0;

  /** Calls that have entered, by the promises that they wait for. @type {Map<string, Entry>} */
  #waiting = new Map();

  /** Entered in this block, with a result. @type {Entry[]} */
  #entered = [];

  /** What is told when this block is durable. @type {Answer[]} */
  #answers = [];

  /** Answers of blocks that are committed, and not durable yet. @type {Answer[]} */
  #undurable = [];

  /** Results to let go of between two blocks. @type {string[]} */
  #abandoned = [];

  /** Promises of vats that have not settled. @type {WeakMap<object, string>} */
  #promises = new WeakMap();

  /** Promises that answers contained, by kref. @type {Map<string, Entry & { promise: Promise<unknown> }>} */
  #promised = new Map();

  /** Promises that had settled before they were watched. @type {string[]} */
  #settled = [];

  /** Why nothing is accepted. @type {(() => CallError) | undefined} */
  #refusal;

  #isFlushing = false;

  #deadlines = new Deadlines((/** @type {Entry} */ entry) => this.#giveUp(entry));

  /** @param {CallPowers} powers */
  constructor(powers) {
    this.#powers = powers;
    this.#kernel = powers.kernel;
    this.#handles = new Handles(powers.kernel);
    this.#values = makeHostValues({
      profile: powers.kernel.profile,
      handles: this.#handles,
      promises: {
        take: kref => this.#takePromise(kref),
        krefOf: promise => this.#promises.get(promise),
      },
    });
  }

  /** How values are read and written. */
  get values() {
    return this.#values;
  }

  /** Calls that wait, entered or not. */
  get size() {
    return this.#queue.length - this.#first + this.#waiting.size;
  }

  /** Whether something is to be done between two blocks. */
  get hasEntries() {
    return this.#first < this.#queue.length || this.#abandoned.length > 0;
  }

  /** Whether somebody waits for an answer of a call. */
  get isAwaited() {
    return this.size > 0;
  }

  /** Whether answers wait for the disk. */
  get isFlushing() {
    return this.#isFlushing;
  }

  /**
   * Releases, in a resumed state, what the process before this one waited for or held without a name.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  dropStale(entries) {
    const all = [...entries];
    this.#handles.dropStale(all);
    for (const [key] of all) {
      const found = stale.exec(key);
      if (found === null) continue;
      this.#kernel.release(found[2]);
      this.#kernel.setHostValue(/** @type {`host.${string}`} */ (key), undefined);
    }
  }

  /**
   * @param {string | Handle} target  a vat's name, for its root, or a handle
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @param {{ timeoutMs?: number }} [options]
   * @returns {Promise<any>} what the method's result comes to
   */
  call(target, method, args = [], { timeoutMs = this.#powers.timeoutMs } = {}) {
    return this.#add(timeoutMs, () => this.#message(target, method, args));
  }

  /**
   * @param {string | Handle} target
   * @param {string} method
   * @param {readonly unknown[]} [args]
   * @returns {Promise<void>} settles when the message is in the run, as durably as was asked for
   */
  send(target, method, args = []) {
    return this.#add(undefined, () => {
      const { enter, ...rest } = this.#message(target, method, args);
      return {
        ...rest,
        enter: () => {
          this.#kernel.release(enter());
          return undefined;
        },
      };
    });
  }

  /** @param {string} name @param {Handle} handle @returns {Promise<void>} */
  keep(name, handle) {
    return this.#add(undefined, () => {
      this.#handles.require(handle);
      return this.#deed(`keep(${quote(name)})`, () => this.#handles.keep(name, handle));
    });
  }

  /** @param {string} name @returns {Promise<void>} */
  forget(name) {
    return this.#add(undefined, () =>
      this.#deed(`forget(${quote(name)})`, () => this.#handles.forget(name)),
    );
  }

  /** @param {string} name @returns {Promise<Handle | undefined>} */
  find(name) {
    /** @type {Handle | undefined} */
    let found;
    return this.#add(undefined, () =>
      this.#deed(`find(${quote(name)})`, () => {
        found = this.#handles.find(name);
      }),
    ).then(() => found);
  }

  /** @param {Handle} handle @returns {Promise<void>} */
  releaseHandle(handle) {
    return this.#add(undefined, () => {
      this.#handles.require(handle);
      return this.#deed('release()', () => this.#handles.release(handle));
    });
  }

  /** @param {unknown} value @returns {value is Handle} */
  isHandle(value) {
    return this.#handles.isHandle(value);
  }

  /**
   * @param {string} name
   * @param {() => void} act
   * @returns {Pick<Entry, 'name' | 'vat' | 'method' | 'enter'>}
   */
  #deed(name, act) {
    return {
      ...{ name, vat: '', method: '' },
      enter: () => {
        act();
        return undefined;
      },
    };
  }

  /**
   * @param {string | Handle} target
   * @param {string} method
   * @param {readonly unknown[]} args
   * @returns {Pick<Entry, 'name' | 'vat' | 'method'> & { enter: () => string }}
   */
  #message(target, method, args) {
    const kernel = this.#kernel;
    if (typeof method !== 'string' || method === '')
      throw new UserError(`a method's name is a string, got ${quote(method)}`);
    if (typeof target === 'string') {
      const vatId = this.#powers.requireVat(target);
      const name = `${target}.${method}()`;
      const data = this.#values.encodeCall(name, method, args);
      return { name, vat: target, method, enter: () => kernel.queueToVatRoot(vatId, data) };
    }
    const { kref, iface } = this.#handles.require(target);
    const subject = showInLine(iface.replace(/^Alleged: /, ''), 100);
    const name = `${subject}.${method}()`;
    const data = this.#values.encodeCall(name, method, args);
    return { name, vat: subject, method, enter: () => kernel.queueToTarget(kref, data) };
  }

  /**
   * @param {number | undefined} timeoutMs
   * @param {() => Pick<Entry, 'name' | 'vat' | 'method'> & { enter: () => string | undefined }} make
   * @returns {Promise<any>}
   */
  #add(timeoutMs, make) {
    const { maxCalls, wake } = this.#powers;
    return new Promise((resolve, reject) => {
      if (this.#refusal !== undefined) throw this.#refusal();
      if (this.size >= maxCalls)
        throw new CallError(
          'QUEUE_FULL',
          `${maxCalls} calls wait for their answers already, as many as may (maxCalls); call again when some of them have come`,
        );
      const { name, vat, method, enter } = make();
      const entry = makeEntry({ name, vat, method, enter, resolve, reject });
      if (timeoutMs !== undefined && timeoutMs < Infinity) this.#deadlines.add(entry, timeoutMs);
      this.#queue.push(entry);
      wake(this.#queue.length - this.#first);
    });
  }

  /** @param {Entry} entry */
  #giveUp(entry) {
    if (entry.isOver) return;
    const { name, result, boundMs } = entry;
    const bound = formatExactDuration(boundMs * nsPerMs);
    const why =
      result === undefined
        ? 'it has not been sent yet, and will not be'
        : (this.#powers.explainPending(name, result) ?? 'it may be answered still, to nobody');
    this.#reject(
      entry,
      new CallError('TIMEOUT', `${name} has not answered within ${bound}: ${why}`),
    );
  }

  /** Nobody waits for it any more. @param {Entry} entry @param {unknown} reason */
  #reject(entry, reason) {
    this.#end(entry);
    if (entry.result !== undefined && this.#waiting.delete(entry.result))
      this.#abandoned.push(entry.result);
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
    const queue = this.#queue;
    let count = this.#abandoned.length;
    if (count > 0) this.#dropAbandoned();
    const end = Math.min(queue.length, this.#first + most);
    while (this.#first < end) {
      const entry = queue[this.#first];
      this.#first += 1;
      if (entry.isOver) continue;
      count += 1;
      this.#enterOne(entry);
    }
    if (this.#first === queue.length) {
      this.#queue = [];
      this.#first = 0;
    } else if (this.#first > 10_000) {
      this.#queue = queue.slice(this.#first);
      this.#first = 0;
    }
    return count;
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
      this.#answers.push({ tell: () => entry.resolve(undefined), reject: entry.reject });
      return;
    }
    this.#waiting.set(entry.result, entry);
    this.#entered.push(entry);
    this.#kernel.watchPromise(entry.result);
  }

  #dropAbandoned() {
    for (const kref of this.#abandoned) {
      this.#kernel.release(kref);
      this.#kernel.setHostValue(callKey(kref), undefined);
    }
    this.#abandoned = [];
  }

  /**
   * A promise in what a vat answered.
   *
   * @param {string} kref
   * @returns {Promise<unknown>}
   */
  #takePromise(kref) {
    const known = this.#promised.get(kref);
    if (known !== undefined) return known.promise;
    /** @type {Pick<Entry, 'resolve' | 'reject'>} */
    let kit = { resolve: () => {}, reject: () => {} };
    const promise = harden(
      new Promise((resolve, reject) => {
        kit = { resolve, reject };
      }),
    );
    // Nobody has to listen to it.
    promise.catch(() => {});
    const name = `promise ${kref}`;
    const made = makeEntry({ name, vat: 'promise', method: kref, enter: () => kref, ...kit });
    const entry = { ...made, result: kref, promise };
    this.#kernel.hold(kref);
    this.#promises.set(promise, kref);
    this.#promised.set(kref, entry);
    this.#entered.push(entry);
    if (this.#kernel.promiseStatus(kref).state === 'unresolved') this.#kernel.watchPromise(kref);
    else this.#settled.push(kref);
    return promise;
  }

  /** Before a block is committed: answers that have come are read, and their results let go of. */
  collect() {
    let settled = this.#kernel.takeSettled();
    while (settled.length > 0 || this.#settled.length > 0) {
      for (let i = 0; i < settled.length; i += 1) this.#collectOne(settled[i]);
      settled = this.#settled;
      this.#settled = [];
    }
    for (const entry of this.#entered) {
      const kref = /** @type {string} */ (entry.result);
      if (this.#waiting.get(kref) === entry) this.#record(entry, callKey(kref));
      else if (this.#promised.get(kref) === entry) this.#record(entry, promiseKey(kref));
    }
    this.#entered = [];
  }

  /** Whoever takes the state up learns that it waits. @param {Entry} entry @param {`host.${string}`} key */
  #record(entry, key) {
    entry.isRecorded = true;
    this.#kernel.setHostValue(key, '');
  }

  /** @param {string} kref */
  #collectOne(kref) {
    const call = this.#waiting.get(kref);
    if (call !== undefined) {
      this.#waiting.delete(kref);
      this.#answer(call, kref, callKey(kref));
    }
    const promised = this.#promised.get(kref);
    if (promised !== undefined) {
      this.#promised.delete(kref);
      this.#promises.delete(promised.promise);
      this.#answer(promised, kref, promiseKey(kref));
    }
  }

  /**
   * @param {Entry} entry
   * @param {string} kref  settled
   * @param {`host.${string}`} key
   */
  #answer(entry, kref, key) {
    const tell = readAnswer(this.#kernel, this.#values, this.#powers.findReport, entry, kref);
    this.#kernel.release(kref);
    if (entry.isRecorded) this.#kernel.setHostValue(key, undefined);
    this.#end(entry);
    this.#answers.push({ tell, reject: entry.reject });
  }

  /** The block is committed: what was read in it is told when that is durable. */
  committed() {
    if (this.#answers.length === 0) return;
    const answers = this.#answers;
    this.#answers = [];
    if (this.#isFlushing) {
      for (const answer of answers) this.#undurable.push(answer);
      return;
    }
    const durable = this.#powers.durable();
    if (durable === undefined) for (const answer of answers) answer.tell();
    else this.#flush(durable, answers);
  }

  /** @param {Promise<void>} durable @param {Answer[]} answers */
  async #flush(durable, answers) {
    this.#isFlushing = true;
    try {
      await durable;
      for (const answer of answers) answer.tell();
    } catch (error) {
      // The store refuses further blocks by the same error, which ends the run and its calls.
      this.#answers.push(...answers);
      this.failAll(
        () => new CallError('FAILED', 'the answer may be lost: the store failed', { cause: error }),
      );
    } finally {
      this.#isFlushing = false;
    }
    const next = this.#undurable;
    this.#undurable = [];
    if (next.length === 0) return;
    const later = this.#powers.durable();
    if (later === undefined) for (const answer of next) answer.tell();
    else await this.#flush(later, next);
  }

  /** Nothing is left to run: reject whoever still waits. Between two blocks. */
  rejectStuck() {
    for (const entry of [...this.#waiting.values()]) {
      const { name, result } = entry;
      const why = this.#powers.explainPending(name, /** @type {string} */ (result));
      const message = `${name} is never answered: nothing is left to run${why === undefined ? '' : `; ${why}`}`;
      this.#reject(entry, new CallError('STUCK', message));
    }
  }

  /**
   * Reject all that wait.
   *
   * @param {() => CallError} makeError
   */
  failAll(makeError) {
    const all = [...this.#queue.slice(this.#first), ...this.#waiting.values()];
    this.#queue = [];
    this.#first = 0;
    for (const entry of all) if (!entry.isOver) this.#reject(entry, makeError());
    const lost = [...this.#answers, ...this.#undurable];
    this.#answers = [];
    this.#undurable = [];
    for (const answer of lost) answer.reject(makeError());
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
