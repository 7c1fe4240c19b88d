// The addon's timer, and how fast it ticks. What the processor does not state is measured against Node's clock from
// the moment at which the timer was opened, so that whoever asks later need not wait.

/** @import { Addon } from './load-addon.js' */

/**
 * @typedef {object} Timer
 * @property {'tsc' | 'cntvct_el0' | 'hrtime'} name  the time-stamp counter of x86, the generic timer of ARM, or Node's
 *   own clock where the addon is not there
 * @property {number} hz  ticks a second; if it is measured, the first who asks may wait for 20 ms
 * @property {'stated' | 'measured'} hzSource  by the processor or the system, or against Node's clock
 * @property {boolean} isSteady  it ticks at one rate whatever the core does
 */

/** The timer is compared with Node's clock over this time at least, to some millionths. */
const calibrationMs = 20;

/** And not over a longer one, in which the machine may have slept: one of the two may have gone on meanwhile. */
const longestCalibrationMs = 10_000;

const nsPerMs = 1e6;

/** @param {Addon} addon */
const readBoth = addon => {
  // A pair between whose readings the thread was interrupted is worse than others.
  let best = { ticks: 0, ns: 0n, widthNs: Infinity };
  for (let i = 0; i < 20; i += 1) {
    const before = process.hrtime.bigint();
    const ticks = addon.ticks();
    const widthNs = Number(process.hrtime.bigint() - before);
    if (widthNs < best.widthNs) best = { ticks, ns: before, widthNs };
  }
  return best;
};

/** @param {bigint} ns */
const msSince = ns => Number(process.hrtime.bigint() - ns) / nsPerMs;

/** @param {number} ms */
const wait = ms => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** @param {Addon} addon @returns {() => number} ticks a second */
const startMeasuringHz = addon => {
  const opened = readBoth(addon);
  let hz = 0;
  return () => {
    if (hz > 0) return hz;
    const from = msSince(opened.ns) < longestCalibrationMs ? opened : readBoth(addon);
    const leftMs = calibrationMs - msSince(from.ns);
    if (leftMs > 0) wait(leftMs);
    const to = readBoth(addon);
    hz = ((to.ticks - from.ticks) / Number(to.ns - from.ns)) * 1e9;
    return hz;
  };
};

/** @param {Addon} addon @returns {Timer} */
export const openTimer = addon => {
  const { timer, timerHz, isTimerSteady } = addon.describe();
  const getHz = timerHz > 0 ? () => timerHz : startMeasuringHz(addon);
  return Object.freeze({
    name: /** @type {Timer['name']} */ (timer),
    get hz() {
      return getHz();
    },
    hzSource: timerHz > 0 ? 'stated' : 'measured',
    isSteady: isTimerSteady,
  });
};
