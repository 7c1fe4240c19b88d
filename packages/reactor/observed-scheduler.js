// A scheduler that tells what it does. It is a class of its own, so that a program that nobody looks at pays nothing.

import { Scheduler } from './scheduler.js';

/** @import { Clock } from './scheduler.js' */
/** @import { Reaction } from './reaction.js' */

/**
 * Who looks at a program. What it throws ends the program.
 *
 * @typedef {object} Observer
 * @property {(timeNs: number, microstep: number) => void} tagBegan
 * @property {(reaction: Reaction, startNs: number, endNs: number, isLate: boolean) => void} reacted  times are those of
 *   the program's clock; `isLate`: its deadline was missed, so its handler ran
 * @property {() => void} ended  the program has ended, by itself or by an error
 */

export class ObservedScheduler extends Scheduler {
  #observer;

  /**
   * @param {Clock} clock
   * @param {Observer} observer
   */
  constructor(clock, observer) {
    super(clock);
    this.#observer = observer;
  }

  beginTag() {
    super.beginTag();
    this.#observer.tagBegan(this.timeNs, this.microstep);
  }

  /** @param {Reaction} reaction */
  react(reaction) {
    const { clock, deadlineMisses } = this;
    const startNs = clock.nowNs();
    try {
      super.react(reaction);
    } finally {
      this.#observer.reacted(
        reaction,
        startNs,
        clock.nowNs(),
        this.deadlineMisses > deadlineMisses,
      );
    }
  }
}
