// A notifier of times: it behaves as if start, start + interval, start + 2 × interval, … were published, each at its
// time, until it is cancelled. It has an event in the schedule only while a caller waits for the next time.

import { measureSeries } from './times.js';

/** @import { makeKindObject } from '../kind-objects.js' */
/** @import { Times } from './time-records.js' */
/** @import { Wakeups } from './wakeups.js' */

/**
 * @param {object} powers
 * @param {Wakeups} powers.wakeups
 * @param {Times} powers.times
 * @param {(time: number, token: unknown, format: (time: number) => number) => Promise<number>} powers.wait
 * @param {typeof makeKindObject} powers.makeObject
 * @param {{ tag: string, start: number, interval: number, token: unknown }} series
 */
export const makeTimeNotifier = (
  { wakeups, times, wait, makeObject },
  { tag, start, interval, token },
) => {
  /**
   * Set by cancelling: the update for all pending and later callers.
   *
   * @type {{ value: any, updateCount: undefined } | undefined}
   */
  let final;

  const end = () => {
    final ??= harden({ value: times.formatTime(wakeups.now()), updateCount: undefined });
    return final;
  };
  if (token !== undefined) {
    wakeups.register({
      time: undefined,
      token,
      handler: undefined,
      fire() {},
      onCancel: () => void end(),
    });
  }

  /** @param {number} now */
  const findLatest = now => measureSeries(start, interval, now).latest;

  /** @param {{ time: number, count: number }} latest */
  const makeUpdate = ({ time, count }) =>
    harden({ value: times.formatTime(time), updateCount: times.formatCount(count) });

  /**
   * @param {unknown} updateCount  of the update that the caller has
   * @returns {Promise<{ value: any, updateCount: number | bigint | undefined }>}
   */
  const getUpdateSince = async updateCount => {
    if (final !== undefined) return final;
    const now = wakeups.now();
    const { latest, next } = measureSeries(start, interval, now);
    // A caller without an update count, or with an old one, gets the latest time at once. A count is compared as it was
    // given out: to a number, where counts are bigints, every count is new, as in SwingSet.
    if (latest !== undefined && updateCount !== times.formatCount(latest.count))
      return makeUpdate(latest);
    return wait(next, token, time => time).then(
      // The wake-up may be late, so use the latest time now.
      then => makeUpdate(/** @type {{ time: number, count: number }} */ (findLatest(then))),
      error => {
        if (final === undefined) throw error;
        return final;
      },
    );
  };

  const makeIterator = () => {
    /** @type {number | bigint | undefined} */
    let updateCount;
    let isWaiting = false;
    return makeObject('timerIterator', {
      async next() {
        if (isWaiting) throw Error('timer iterator dislikes overlapping next()');
        isWaiting = true;
        try {
          const update = await getUpdateSince(updateCount);
          updateCount = update.updateCount;
          return harden({ value: update.value, done: updateCount === undefined });
        } finally {
          isWaiting = false;
        }
      },
    });
  };

  return makeObject(tag, { getUpdateSince, [Symbol.asyncIterator]: makeIterator });
};
