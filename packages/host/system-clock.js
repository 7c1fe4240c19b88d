// The physical time of a run: the system's monotonic clock, counted from its creation.

/** @import { PhysicalClock } from '#kernel' */

const nsPerMs = 1_000_000;

/** @returns {PhysicalClock} */
export const makeSystemClock = () => {
  const startMs = performance.now();
  const nowNs = () => Math.round((performance.now() - startMs) * nsPerMs);
  return Object.freeze({
    nowNs,
    isLate: (_vatId, timeNs, deadlineNs) => nowNs() - timeNs > deadlineNs,
  });
};
