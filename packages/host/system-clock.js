// The physical time of a run: the system's monotonic clock, counted from the end of the last start of the config's vats, so
// that no deadline is missed because vats were being made, and from the first crank of a run that is resumed later.

/** @import { PhysicalClock } from '#kernel' */

const nsPerMs = 1_000_000;

/** @returns {PhysicalClock & { begin: () => void }} `begin`: starts it, unless it has been started */
export const makeSystemClock = () => {
  /** @type {number | undefined} */
  let startMs;
  const begin = () => {
    startMs ??= performance.now();
  };
  const nowNs = () =>
    startMs === undefined ? 0 : Math.round((performance.now() - startMs) * nsPerMs);
  return Object.freeze({
    begin,
    nowNs,
    isLate: (_vatId, timeNs, deadlineNs) => nowNs() - timeNs > deadlineNs,
  });
};
