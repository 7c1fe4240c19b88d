// The events of the timer vat: a single wake-up of a handler, a promise for a time, repeated wake-ups of a handler.

import { E } from '#vat';
import { measureSeries } from './times.js';

/** @import { Event, Wakeups } from './wakeups.js' */

/**
 * The handler's vat reports the handler's error; it does not stop the timer.
 */
const ignore = () => {};

/** @implements {Event} */
export class OneShot {
  /** @type {number | undefined} */
  time;

  #wakeups;

  #format;

  /**
   * @param {Wakeups} wakeups
   * @param {(time: number) => any} format
   * @param {unknown} handler
   * @param {unknown} token
   */
  constructor(wakeups, format, handler, token) {
    this.#wakeups = wakeups;
    this.#format = format;
    this.handler = handler;
    this.token = token;
  }

  /** @param {number} now */
  fire(now) {
    this.#wakeups.forget(this);
    wake(this.handler, this.#format(now)).catch(ignore);
  }

  onCancel() {}
}

/**
 * @param {unknown} handler
 * @param {any} time
 * @returns {Promise<unknown>}
 */
export const wake = (handler, time) => E(/** @type {any} */ (handler)).wake(time);

/**
 * A promise for a time.
 *
 * @implements {Event}
 */
export class Wait {
  /** @type {number | undefined} */
  time;

  handler = undefined;

  #wakeups;

  #format;

  #resolve = ignore;

  #reject = ignore;

  /**
   * @param {Wakeups} wakeups
   * @param {(time: number) => any} format
   * @param {unknown} token
   */
  constructor(wakeups, format, token) {
    this.#wakeups = wakeups;
    this.#format = format;
    this.token = token;
    /** The time at which it fires, as `format` shows it. @type {Promise<any>} */
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = /** @type {any} */ (resolve);
      this.#reject = /** @type {any} */ (reject);
    });
  }

  /** @param {number} now */
  fire(now) {
    this.#wakeups.forget(this);
    /** @type {any} */ (this.#resolve)(this.#format(now));
  }

  onCancel() {
    /** @type {any} */ (this.#reject)(harden(Error('TimerCancelled')));
  }
}

/**
 * Wakes its handler at start, start + interval, …. The next time is computed when the handler has answered, so a slow
 * handler misses some times and keeps the phase. A handler that fails is not woken again.
 *
 * @implements {Event}
 */
export class Repeater {
  /** @type {number | undefined} */
  time;

  #isOver = false;

  #wakeups;

  #format;

  #onCancelled;

  /**
   * @param {Wakeups} wakeups
   * @param {(time: number) => any} format
   * @param {object} series
   * @param {number} series.start
   * @param {number} series.interval
   * @param {unknown} series.handler
   * @param {unknown} series.token
   * @param {() => void} [onCancelled]  called when it is cancelled
   */
  constructor(wakeups, format, { start, interval, handler, token }, onCancelled = ignore) {
    this.#wakeups = wakeups;
    this.#format = format;
    this.#onCancelled = onCancelled;
    this.start = start;
    this.interval = interval;
    this.handler = handler;
    this.token = token;
  }

  /** @param {number} now */
  begin(now) {
    this.#wakeups.register(this);
    if (this.start === now) this.fire(now);
    else this.#scheduleNext(now);
  }

  /** @param {number} now */
  fire(now) {
    wake(this.handler, this.#format(now)).then(
      () => {
        if (!this.#isOver) this.#scheduleNext(this.#wakeups.now());
      },
      () => {
        if (!this.#isOver) this.#end();
      },
    );
  }

  onCancel() {
    this.#isOver = true;
    this.#onCancelled();
  }

  #end() {
    this.#wakeups.forget(this);
    this.#isOver = true;
  }

  /** @param {number} now */
  #scheduleNext(now) {
    const { next } = measureSeries(this.start, this.interval, now);
    // An event after the end of time never happens.
    if (next <= this.#wakeups.last()) this.#wakeups.schedule(this, next);
    else this.#end();
  }
}
