// On a worker thread: notes a vat's reactions and the times of its cranks as plain data, for observers on the kernel's
// thread. Times are those of the system's monotonic clock, which all threads of a process share.

import { makeReactionViews } from '#observe/perfetto/names.js';

/** @import { Observer } from '#reactor' */
/** @import { ReactionView } from '#observe/perfetto' */

/**
 * A note of a crank: a tag that began, a reaction, the end of the vat's program, or the times of the whole crank.
 *
 * @typedef {['tag', timeNs: number, microstep: number]
 *   | ['reaction', view: ReactionView, startNs: number, endNs: number, isLate: boolean]
 *   | ['programEnded']
 *   | ['crank', startNs: number, endNs: number]} CrankNote
 */

/** @returns {number} nanoseconds of the clock that all threads share */
export const sharedNowNs = () => Number(process.hrtime.bigint());

/** @param {(note: CrankNote) => void} note @returns {Observer} */
export const noteReactions = note => {
  const viewOf = makeReactionViews();
  return {
    nowNs: sharedNowNs,
    tagBegan: (timeNs, microstep) => note(['tag', timeNs, microstep]),
    reacted: (reaction, startNs, endNs, isLate) =>
      note(['reaction', viewOf(reaction), startNs, endNs, isLate]),
    ended: () => note(['programEnded']),
  };
};
