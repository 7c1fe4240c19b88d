// The clock that times of cranks and blocks are read from: the processor's timer where the addon is loaded, or else Node's.
// A read takes equally long of either, so neither is better; but a clock with a name can be compared with the figures that
// `bench ipc` measures with it.

import { performance } from 'node:perf_hooks';

/**
 * @typedef {object} Clock
 * @property {'tsc' | 'cntvct_el0' | 'performance.now'} name  the time-stamp counter of x86, the generic timer of ARM, or
 *   Node's clock
 * @property {() => number} nowNs  nanoseconds since a moment of its own, not whole ones; it never goes back. Differences
 *   mean something, the numbers by themselves do not
 * @property {string} [reason]  one line: why it is Node's clock
 */

const nsPerMs = 1_000_000;

/** The default clock. @type {Clock} */
export const javaScriptClock = Object.freeze({
  name: 'performance.now',
  nowNs: () => performance.now() * nsPerMs,
});

/**
 * The best clock of this machine. Few who import the host want it, so the addon is loaded when one does.
 *
 * @returns {Promise<Clock>}
 */
export const openClock = async () => {
  const native = await import('#native');
  const { clock, reason } = native.openClock();
  return clock ?? Object.freeze({ ...javaScriptClock, reason });
};
