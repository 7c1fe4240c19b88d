// A program that waits for the disk a thousand times a second can lose more by its core falling asleep than by the disk
// (docs/decisions/keep-awake.md). A thread that gives way to everyone keeps the core awake here.

import { cpuQuota } from './cpu-quota.js';
import { loadAddon } from './load-addon.js';

/** Commits further apart than this gain nothing. The addon's thread rests after the same time (source/awake.h). */
const longestGapMs = 10;

/**
 * @param {Parameters<typeof loadAddon>[0] & { findQuota?: () => string | undefined }} [options]  for tests
 * @returns {{ keepAwake: () => void, reason?: undefined } | { keepAwake?: undefined, reason: string }} `keepAwake` is to be
 *   called before this thread waits: its core stays awake for the next 10 ms. Where it cannot be had, or would take
 *   from what the process may use, there is a reason in one line instead
 */
export const openKeepAwake = ({ findQuota = cpuQuota, ...options } = {}) => {
  if (process.platform !== 'linux')
    return { reason: `a core can be kept awake on Linux, and this is ${process.platform}` };
  const quota = findQuota();
  if (quota !== undefined)
    return {
      reason: `this process may use the processor for a part of the time only (${quota}), which a core that is kept awake would take from`,
    };
  const { addon, problems } = loadAddon(options);
  if (addon === undefined) return { reason: `without the addon (${problems.join('; ')})` };
  let last = -Infinity;
  let isOffered = true;
  return {
    keepAwake: () => {
      if (!isOffered) return;
      const now = performance.now();
      // Where the system refuses, the core sleeps as ever.
      if (now - last < longestGapMs) isOffered = addon.keepAwake() === 0;
      last = now;
    },
  };
};
