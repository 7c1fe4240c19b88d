// Calls the observers of a vat's reactions with plain data and times of the host's own clock. An observer cannot make a
// reaction fail. The vat's clock is not read, since its readings are recorded inputs of the run.

import { makeReactionViews } from '#observe/perfetto/names.js';
import { javaScriptClock } from '#observe/clock.js';
import { sharedNowNs } from './workers/note-reactions.js';

/** @import { Observer } from '#reactor' */
/** @import { ReactionView } from '#observe/perfetto' */
/** @import { ObserverGuard } from './observers.js' */
/** @import { CrankNote } from './workers/note-reactions.js' */

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
 * Any of its callbacks may be missing.
 *
 * @typedef {object} WorkerObserver
 * @property {(worker: number, vatId: string, startNs: number, endNs: number) => void} [ran]  called in the turn of a
 *   crank that a worker thread ran; workers are counted from 1
 * @property {() => number} [nowNs]  the clock of these times, in nanoseconds; default: the process's clock
 */

/**
 * A clock of an observer, which may throw or give no number.
 *
 * @param {ObserverGuard} guard
 * @param {string} name  of the option
 * @param {{ nowNs?: () => number }} given
 */
const guardClock = ({ guard }, name, given) => {
  let lastNs = 0;
  const readClock = guard(`${name}.nowNs`, () => {
    const nowNs = given.nowNs === undefined ? javaScriptClock.nowNs() : given.nowNs();
    if (typeof nowNs !== 'number')
      throw TypeError(`nowNs() of ${name} must return a number, got ${typeof nowNs}`);
    lastNs = nowNs;
  });
  return () => {
    readClock?.();
    return lastNs;
  };
};

/**
 * @param {ObserverGuard} guards
 * @param {(vatId: string) => ReactionObserver} observe
 * @param {() => boolean} isLive  false while reactions are replayed, which are not reported
 */
export const watchReactions = (guards, observe, isLive) => {
  const { guard, guardAll } = guards;

  /** @param {string} vatId */
  const openObserver = vatId => {
    /** @type {ReactionObserver} */
    let given = {};
    guard('observeReactions', () => {
      given = observe(vatId) ?? {};
    })?.();
    const callbacks = /** @type {const} */ (['tagBegan', 'reacted', 'ended']);
    return {
      ...guardAll('observeReactions', given, callbacks),
      nowNs: guardClock(guards, 'observeReactions', given),
    };
  };

  return {
    /**
     * The observer of a vat on this thread.
     *
     * @param {string} vatId
     * @returns {Observer}
     */
    here(vatId) {
      const { tagBegan, reacted, ended, nowNs } = openObserver(vatId);
      const viewOf = makeReactionViews();
      return {
        nowNs,
        tagBegan: (...seen) => (isLive() ? tagBegan?.(...seen) : undefined),
        reacted: (reaction, ...seen) =>
          isLive() ? reacted?.(viewOf(reaction), ...seen) : undefined,
        ended: () => ended?.(),
      };
    },

    /** The observer of a vat on a worker thread. @param {string} vatId */
    elsewhere: openObserver,
  };
};

/** @typedef {ReturnType<typeof watchReactions>} ReactionWatch */

/**
 * Make the function that tells observers what a worker thread noted of a crank; undefined without observers.
 *
 * @param {ObserverGuard} guards
 * @param {ReactionWatch | undefined} reactionWatch
 * @param {WorkerObserver | undefined} workerObserver
 * @returns {((vatId: string, worker: number, note: CrankNote) => void) | undefined}
 */
export const noteCranks = (guards, reactionWatch, workerObserver) => {
  if (reactionWatch === undefined && workerObserver === undefined) return undefined;
  /** @type {Map<string, ReturnType<ReactionWatch['elsewhere']>>} */
  const observers = new Map();
  const { ran } = guards.guardAll('observeWorkers', workerObserver ?? {}, ['ran']);
  const workerNowNs = guardClock(guards, 'observeWorkers', workerObserver ?? {});

  /** @param {string} vatId */
  const provideObserver = vatId => {
    const known = observers.get(vatId);
    if (known !== undefined || reactionWatch === undefined) return known;
    const made = reactionWatch.elsewhere(vatId);
    observers.set(vatId, made);
    return made;
  };

  return (vatId, worker, note) => {
    if (note[0] === 'crank') {
      const offsetNs = workerNowNs() - sharedNowNs();
      ran?.(worker, vatId, note[1] + offsetNs, note[2] + offsetNs);
      return;
    }
    const observer = provideObserver(vatId);
    if (observer === undefined) return;
    if (note[0] === 'programEnded') {
      observer.ended?.();
    } else if (note[0] === 'tag') {
      observer.tagBegan?.(note[1], note[2]);
    } else {
      const [, view, startNs, endNs, isLate] = note;
      const offsetNs = observer.nowNs() - sharedNowNs();
      observer.reacted?.(view, startNs + offsetNs, endNs + offsetNs, isLate);
    }
  };
};
