// The counters of the promise table. The kernel of 2020 did not count a parked message as a reference, so it deleted a
// promise that only parked messages named, and panicked when such a message was sent again. Under `2020-09` such a
// promise stays in the table, so that nothing is lost, but is uncounted: the counters are those of that kernel. Its data
// names no promise, since a promise with such data stays in c-lists for good.

import { figure } from './figures.js';

/** @import { Counters } from './counters.js' */
/** @import { Figures } from './figures.js' */
/** @import { PromiseRow, SettledState } from './promise-row.js' */

/**
 * Whether the end of the crank deletes a promise, or stops counting it: nothing refers to it but parked messages that are
 * no references.
 *
 * @param {PromiseRow} row
 */
export const isDue = ({ refCount, parkedRefs, isUncounted }) =>
  refCount === parkedRefs && (refCount === 0 || !isUncounted);

export class PromiseCounts {
  #counters;

  #figures;

  #at;

  #parked;

  #ofState;

  /** @param {Counters} counters @param {Figures} figures */
  constructor(counters, figures) {
    this.#counters = counters;
    this.#figures = figures;
    this.#at = counters.find('kernelPromises');
    this.#parked = counters.find('promiseQueuesLength');
    this.#ofState = {
      unresolved: counters.find('kpUnresolved'),
      presence: counters.find('kpFulfilledToPresence'),
      data: counters.find('kpFulfilledToData'),
      rejected: counters.find('kpRejected'),
    };
  }

  /** A new promise, unresolved. */
  add() {
    this.#counters.inc(this.#at);
    this.#counters.inc(this.#ofState.unresolved);
  }

  park() {
    this.#counters.inc(this.#parked);
  }

  unpark() {
    this.#counters.dec(this.#parked);
  }

  /**
   * Counts the messages of a state that was written before they were counted. To be called when both are loaded.
   *
   * @param {number} parked  messages that wait
   */
  countLoaded(parked) {
    if (this.#parked < 0 || this.#counters.numbers[this.#parked] > 0) return;
    for (let i = 0; i < parked; i += 1) this.park();
    this.#counters.keep();
  }

  /** @param {SettledState} state  of a promise that was unresolved, and is counted */
  settle(state) {
    this.#counters.dec(this.#ofState.unresolved);
    this.#counters.inc(this.#ofState[state]);
    if (state === 'rejected') return;
    const { numbers } = this.#counters;
    const fulfilled = numbers[this.#ofState.presence] + numbers[this.#ofState.data];
    this.#figures.raise(figure.mostFulfilled, fulfilled);
  }

  /** @param {PromiseRow} row  that is counted, and is not from now on */
  remove({ state }) {
    this.#counters.dec(this.#at);
    this.#counters.dec(this.#ofState[state]);
  }

  /** @param {PromiseRow} row  that was removed, and is counted again */
  restore({ state }) {
    this.#counters.undoDec(this.#at);
    this.#counters.undoDec(this.#ofState[state]);
  }
}
