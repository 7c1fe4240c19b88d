// Physical time for tests of runs that read it.

import { makeRandom } from './random.js';

/**
 * A clock that shows, at each tag, a time of its own: a second before it or up to two behind it. So all runs read the same.
 *
 * @param {number} seed
 * @returns {import('#kernel').PhysicalClock}
 */
export const makeRandomClock = seed => {
  /** @type {(vatId: string, timeNs: number, microstep?: number) => number} */
  const nowNs = (vatId, timeNs, microstep = 0) => {
    const random = makeRandom(`clock ${seed} ${vatId} ${timeNs} ${microstep}`);
    return Math.max(0, timeNs + (random.below(300) - 100) * 10_000_000);
  };
  return {
    nowNs,
    isLate: (vatId, timeNs, deadlineNs) => nowNs(vatId, timeNs) - timeNs > deadlineNs,
  };
};
