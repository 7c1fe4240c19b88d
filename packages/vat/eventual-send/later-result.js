// The result of a message to another vat. In terms of promises, the vat settles one promise when it is notified, and
// the sender's promise is resolved to that one. Nearly always nobody sees the first promise, so it is made only when
// code needs it: when something is sent to the result early, or another promise is resolved to it. Until then the
// sender's promise is settled directly, in the same job.

import { keepShape } from '#model';
import { Later } from './handles.js';
import { hardenReason } from './jobs.js';
import { fulfils, Settler } from './send.js';

/** @import { Handler } from './handles.js' */

export class LaterResult extends Later {
  #handler;

  /** The promise's settler, once made. @type {Settler | undefined} */
  #made = undefined;

  /** The settler of the sender's promise, while no other promise is made. @type {Settler | undefined} */
  #waiting = undefined;

  /** Whether the result came while there was no promise. */
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
    // Without a listener it must count as an unhandled rejection.
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
