// A call of an object of this vat in the next job, for messages from outside. It takes the same jobs as `send` with
// such an object: the call in the next job, listeners to its outcome one job later. But the promise for the outcome is
// made only when code needs it: when a message names it. Most results are plain data that nobody else waits for.

import { keepShape } from '#model';
import { hardenReason, hardenResult, resolved } from './jobs.js';
import { takeMethod } from './local.js';
import { fulfils, makeHandledPromiseKit } from './send.js';

const ignore = () => {};

/** @type {any[]} */
const noArgs = [];

export class LaterCall {
  /** Made when code needs the promise. @type {ReturnType<typeof makeHandledPromiseKit> | undefined} */
  #kit = undefined;

  /** Whether the outcome became known while there was no promise. */
  #isOver = false;

  #rejected = false;

  /** @type {unknown} */
  #value = undefined;

  /**
   * @param {any} target  an object of this vat, neither promise nor presence; released by the call
   * @param {PropertyKey} method
   * @param {any[]} args
   * @param {string} vref  of the outcome
   * @param {(call: LaterCall, rejected: boolean, value: unknown) => void} tell  called with the outcome
   */
  constructor(target, method, args, vref, tell) {
    this.target = target;
    this.method = method;
    this.args = args;
    this.vref = vref;
    this.tell = tell;
  }

  /** Queue the call. @returns {this} */
  begin() {
    resolved.then(() => this.#run());
    return this;
  }

  #run() {
    let rejected = false;
    /** @type {unknown} */
    let value;
    /** @type {Function | undefined} */
    let callee;
    try {
      callee = takeMethod(this.target, this.method);
      value = hardenResult(Reflect.apply(callee, this.target, this.args));
    } catch (error) {
      rejected = true;
      value = error;
    }
    if (this.#kit === undefined && (rejected || fulfils(value))) {
      if (rejected) value = hardenReason(value);
      this.#isOver = true;
      this.#rejected = rejected;
      this.#value = value;
      resolved.then(() => this.tell(this, rejected, value));
      return;
    }
    // The outcome may never come, and until then object and arguments must be collectable. A report about it wants the method.
    this.args = noArgs;
    this.target = { __proto__: null, [this.method]: callee };
    const kit = this.#provideKit();
    if (rejected) kit.reject(value);
    else kit.resolve(value);
  }

  #provideKit() {
    if (this.#kit !== undefined) return this.#kit;
    const kit = makeHandledPromiseKit(undefined);
    this.#kit = kit;
    if (!this.#isOver) {
      kit.settled.then(
        value => this.tell(this, false, value),
        reason => this.tell(this, true, reason),
      );
    } else if (this.#rejected) {
      kit.settled.catch(ignore);
      kit.reject(this.#value);
    } else {
      kit.resolve(this.#value);
    }
    return kit;
  }

  /** The promise for the outcome, as `send` would have returned it. */
  get promise() {
    return this.#provideKit().settled;
  }

  /** The result's promise, if it has been made. */
  get madePromise() {
    return this.#kit?.settled;
  }
}

keepShape(new LaterCall({}, '', [], '', ignore));
