// The result of a message to another vat. In terms of promises it is a promise that the vat settles when it is told, and to
// which the promise that the sender was given is resolved. Nearly always nobody ever sees the first one; so it is made when
// somebody needs it: who sends to the result before it is there, or resolves another promise to it. Until then the sender's
// promise is settled directly, in the job in which it would have been.

import { keepShape } from '#model';
import { Later } from './handles.js';
import { hardenReason } from './jobs.js';
import { fulfils, Settler } from './send.js';

/** @import { Handler } from './handles.js' */

export class LaterResult extends Later {
  #handler;

  /** Once it is made. @type {Settler | undefined} */
  #made = undefined;

  /** Settles the sender's promise, as long as there is no other. @type {Settler | undefined} */
  #waiting = undefined;

  /** Whether it has been told, and nobody needed the promise. */
  #isOver = false;

  #rejected = false;

  /** @type {unknown} */
  #value = undefined;

  /** @param {Handler} handler  takes messages until the result is there */
  constructor(handler) {
    super();
    this.#handler = handler;
  }

  get settled() {
    if (this.#made !== undefined) return this.#made.settled;
    const made = new Settler(this.#handler, Promise);
    this.#made = made;
    this.#waiting?.follow(made.settled);
    this.#waiting = undefined;
    if (this.#isOver) {
      if (this.#rejected) made.reject(this.#value);
      else made.resolve(this.#value);
    }
    return made.settled;
  }

  /** @param {Settler} settler */
  awaitBy(settler) {
    if (this.#made !== undefined || this.#waiting !== undefined || this.#isOver) {
      settler.resolve(this.settled);
      return;
    }
    this.#waiting = settler;
    settler.waitFor(this);
  }

  /** @param {unknown} value */
  resolve(value) {
    if (this.#made === undefined && fulfils(value)) {
      this.#end(false, value);
      return;
    }
    void this.settled;
    this.#made?.resolve(value);
  }

  /** @param {unknown} reason */
  reject(reason) {
    // Without a listener it has to be known as a rejection that nobody handled.
    if (this.#made === undefined && this.#waiting === undefined) void this.settled;
    if (this.#made !== undefined) {
      this.#made.reject(reason);
      return;
    }
    this.#end(true, hardenReason(reason));
  }

  /**
   * @param {boolean} rejected
   * @param {unknown} value
   */
  #end(rejected, value) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rejected = rejected;
    this.#value = value;
    this.#waiting?.end(rejected, value);
    this.#waiting = undefined;
  }
}

keepShape(new LaterResult({}));
