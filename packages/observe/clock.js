// The clock for times of cranks and blocks: the processor's timer if the addon is loaded, else Node's. Reading either
// takes equally long; the named clock lets times be compared with those of `bench ipc`.

import { performance } from 'node:perf_hooks';

/**
 * @typedef {object} Clock
 * @property {'tsc' | 'cntvct_el0' | 'performance.now'} name  the time-stamp counter of x86, the generic timer of ARM, or
 *   Node's clock
 * @property {() => number} nowNs  nanoseconds with fractions since an arbitrary moment, never decreasing; only
 *   differences have a meaning
 * @property {string} [reason]  one line: why Node's clock is used
 */

const nsPerMs = 1_000_000;

/** The default clock. @type {Clock} */
export const javaScriptClock = Object.freeze({
  name: 'performance.now',
  nowNs: () => performance.now() * nsPerMs,
});

/**
 * Open the best clock of this machine. The addon is loaded on demand, since few programs need it.
 *
 * @returns {Promise<Clock>}
 */
export const openClock = async () => {
  const native = await import('#native');
  const { clock, reason } = native.openClock();
  return clock ?? Object.freeze({ ...javaScriptClock, reason });
};
