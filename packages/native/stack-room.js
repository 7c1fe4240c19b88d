// Tells whether this thread is near the end of its stack. The engine says so by an error only; but where it ends the process
// instead, a program must know before.

import { loadAddon } from './load-addon.js';

/**
 * Find the end of this thread's stack, and make a function that tells whether it is near. That takes some nanoseconds.
 *
 * @param {Omit<Parameters<typeof loadAddon>[0] & {}, 'mayCompile'>} [options]  for tests
 * @returns {(() => true | undefined) | undefined}  true if less than 32 KiB are left; no function without the addon,
 *   which is not compiled for this
 */
export const openStackRoom = options => {
  const { addon } = loadAddon({ ...options, mayCompile: false });
  if (addon === undefined) return undefined;
  const { noteStack, isStackLow } = addon;
  // A call of the addon in every sixteenth frame is exact to a kilobyte.
  const dive = (/** @type {number} */ depth) => {
    if (depth % 16 === 0) noteStack();
    dive(depth + 1);
  };
  try {
    dive(0);
  } catch {
    // The engine ended it, as it should.
  }
  return isStackLow;
};
