// A scheduler that calls an observer. It is a separate class, so that a program without an observer pays nothing.

import { Scheduler } from './scheduler.js';

/** @import { Clock } from './system-clock.js' */
/** @import { Reaction } from './reaction.js' */

/**
 * Observes a program. An observer that throws ends the program.
 *
 * @typedef {object} Observer
 * @property {(timeNs: number, microstep: number) => void} tagBegan
 * @property {(reaction: Reaction, startNs: number, endNs: number, isLate: boolean) => void} reacted  `isLate`: its
 *   deadline was missed, so its handler ran
 * @property {() => number} [nowNs]  the clock of those times, in nanoseconds; by default the program's clock
 * @property {() => void} ended  the program has ended, by itself or by an error
 */

/** A scheduler that tells an observer of each tag, each reaction and the end; slower than the plain one. */
export class ObservedScheduler extends Scheduler {
  #observer;

  #nowNs;

  /**
   * @param {Clock} clock
   * @param {Observer} observer
   */
  constructor(clock, observer) {
    super(clock);
    this.#observer = observer;
    this.#nowNs = observer.nowNs ?? (() => clock.nowNs());
  }

  /**
   * Begins the tag that `prepareTag` found, and calls the observer.
   *
   * @throws {UserError} there were too many microsteps at this time
   */
  beginTag() {
    super.beginTag();
    this.#observer.tagBegan(this.timeNs, this.microstep);
  }

  /**
   * Runs a reaction, and calls the observer with its start, its end and whether it was late.
   *
   * @param {Reaction} reaction
   * @throws {unknown} what its body throws
   */
  react(reaction) {
    const { deadlineMisses } = this;
    const startNs = this.#nowNs();
    try {
      super.react(reaction);
    } finally {
      this.#observer.reacted(
        reaction,
        startNs,
        this.#nowNs(),
        this.deadlineMisses > deadlineMisses,
      );
    }
  }
}
