// Calls the observers of a vat's reactions with plain data and times of the host's own clock. An observer cannot make a
// reaction fail. The vat's clock is not read, since its readings are recorded inputs of the run.

import { makeReactionViews } from '#observe/perfetto/names.js';
import { javaScriptClock } from '#observe/clock.js';

/** @import { Observer } from '#reactor' */
/** @import { ReactionView } from '#observe/perfetto' */
/** @import { ObserverGuard } from './observers.js' */

/**
 * Any of its callbacks may be missing.
 *
 * @typedef {object} ReactionObserver
 * @property {(timeNs: number, microstep: number) => void} [tagBegan]
 * @property {(reaction: ReactionView, startNs: number, endNs: number, isLate: boolean) => void} [reacted]  `isLate`:
 *   whether its deadline was missed, so that its handler ran
 * @property {() => number} [nowNs]  the clock of these times, in nanoseconds; default: the process's clock
 * @property {() => void} [ended]  called when the vat's program has ended, normally or by an error
 */

/**
 * @param {ObserverGuard} guard
 * @param {(vatId: string) => ReactionObserver} observe
 * @param {() => boolean} isLive  false while reactions are replayed, which are not reported
 */
export const watchReactions =
  ({ guard, guardAll }, observe, isLive) =>
  /**
   * @param {string} vatId
   * @returns {Observer}
   */
  vatId => {
    /** @type {ReactionObserver} */
    let given = {};
    guard('observeReactions', () => {
      given = observe(vatId) ?? {};
    })?.();
    const callbacks = /** @type {const} */ (['tagBegan', 'reacted', 'ended']);
    const { tagBegan, reacted, ended } = guardAll('observeReactions', given, callbacks);
    const viewOf = makeReactionViews();
    let lastNs = 0;
    const readClock = guard('observeReactions.nowNs', () => {
      const nowNs = given.nowNs === undefined ? javaScriptClock.nowNs() : given.nowNs();
      if (typeof nowNs !== 'number')
        throw TypeError(`nowNs() of observeReactions must return a number, got ${typeof nowNs}`);
      lastNs = nowNs;
    });
    return {
      nowNs() {
        readClock?.();
        return lastNs;
      },
      tagBegan: (...seen) => (isLive() ? tagBegan?.(...seen) : undefined),
      reacted: (reaction, ...seen) => (isLive() ? reacted?.(viewOf(reaction), ...seen) : undefined),
      ended: () => ended?.(),
    };
  };
