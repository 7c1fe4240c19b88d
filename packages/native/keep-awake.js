// A program that waits for the disk a thousand times a second can lose more time to its sleeping core than to the disk
// (docs/decisions/keep-awake.md). A thread that yields to every other thread keeps the core awake.

import { cpuQuota } from './cpu-quota.js';
import { loadAddon } from './load-addon.js';

/**
 * Milliseconds between commits beyond which nothing is gained. The addon's thread rests after the same time
 * (source/awake.h).
 */
const longestGapMs = 10;

/**
 * @param {Parameters<typeof loadAddon>[0] & { findQuota?: () => string | undefined }} [options]  for tests
 * @returns {{ keepAwake: () => void, reason?: undefined } | { keepAwake?: undefined, reason: string }} call `keepAwake`
 *   before this thread waits: its core stays awake for the next 10 ms. If it is not available, or would use up the
 *   process's quota, there is a reason in one line instead
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
      // If the system refuses, the core sleeps as usual.
      if (now - last < longestGapMs) isOffered = addon.keepAwake() === 0;
      last = now;
    },
  };
};
