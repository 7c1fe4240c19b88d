import { nsOf, timeOfNs } from './time.js';

/** @import { TimeValue } from './time.js' */

/** The longest time that setTimeout takes, in ms. */
const longestMs = 0x7fff_ffff;

/** The last part of a delay, in ms, in which the clock is polled, since setTimeout is late by about 1 ms. */
const spinMs = 2;

/** Calls a task after a delay, as exactly as possible without blocking the event loop. */
export class Alarm {
  /** Whether a task is set. */
  active = false;

  /** @type {NodeJS.Timeout | undefined} */
  #timeout = undefined;

  /** @type {NodeJS.Immediate | undefined} */
  #immediate = undefined;

  /** Cancel the alarm. */
  unset() {
    clearTimeout(this.#timeout);
    clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
    this.active = false;
  }

  /**
   * Set a task, in place of an earlier one.
   *
   * @param {() => void} task
   * @param {TimeValue} delay
   * @param {(waited: TimeValue) => void} [callback]  called after the task
   */
  set(task, delay, callback) {
    const startMs = performance.now();
    this.setAt(startMs + nsOf(delay) / 1e6, () => {
      task();
      callback?.(timeOfNs(Math.round((performance.now() - startMs) * 1e6)));
    });
  }

  /**
   * @param {number} untilMs  as `performance.now` counts; Infinity for never, which keeps the process alive
   * @param {() => void} task
   */
  setAt(untilMs, task) {
    this.unset();
    this.active = true;
    const wait = () => {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) {
        this.unset();
        task();
      } else if (leftMs > spinMs) {
        this.#timeout = setTimeout(wait, Math.min(leftMs - spinMs / 2, longestMs));
      } else {
        this.#immediate = setImmediate(wait);
      }
    };
    if (untilMs <= performance.now()) this.#immediate = setImmediate(wait);
    else wait();
  }
}
