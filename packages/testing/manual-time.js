// Replaces physical time in a started simulation: time stands still until the test advances it.

import { parseDuration, quote, UserError } from '#model';

/** @import { RealTime } from '#host' */

/** @returns {RealTime & { advance: (by: string | number) => number }} */
export const makeManualTime = () => {
  let nowNs = 0;
  /** @type {() => void} */
  let onAdvance = () => {};
  const elapsedNs = () => nowNs;

  return Object.freeze({
    begin() {},
    save() {},
    elapsedNs,
    clock: Object.freeze({
      nowNs: elapsedNs,
      isLate: (
        /** @type {string} */ _vatId,
        /** @type {number} */ timeNs,
        /** @type {number} */ deadlineNs,
      ) => nowNs - timeNs > deadlineNs,
    }),
    nap: async () => {},

    /** @param {() => void} listener  called when time advances */
    onAdvance(listener) {
      onAdvance = listener;
    },

    /**
     * @param {string | number} by  a duration as `"10 s"`, or milliseconds
     * @returns {number} the new time, in nanoseconds
     * @throws {UserError} if `by` is not a duration
     */
    advance(by) {
      try {
        nowNs += parseDuration(typeof by === 'number' ? `${by} ms` : by);
      } catch {
        throw new UserError(
          `time moves on by a duration like "10 s" or by milliseconds, got ${quote(by)}`,
        );
      }
      onAdvance();
      return nowNs;
    },
  });
};
