// The addon's timer and its rate. If the processor does not state the rate, it is measured against Node's clock from
// the opening of the timer on, so that later callers need not wait.

/** @import { Addon } from './load-addon.js' */

/**
 * @typedef {object} Timer
 * @property {'tsc' | 'cntvct_el0' | 'hrtime'} name  the time-stamp counter of x86, the generic timer of ARM, or Node's
 *   own clock without the addon
 * @property {number} hz  ticks a second; if it is measured, the first read may wait for 20 ms
 * @property {'stated' | 'measured'} hzSource  stated by the processor or the system, or measured against Node's clock
 * @property {boolean} isSteady  whether it ticks at a constant rate, whatever the core does
 */

/** Milliseconds over which the timer is compared with Node's clock, at least: precise to some millionths. */
const calibrationMs = 20;

/** And at most: in a longer time the machine may have slept, and only one of the two may have gone on. */
const longestCalibrationMs = 10_000;

const nsPerMs = 1e6;

/** @param {Addon} addon */
const readBoth = addon => {
  // The pair of readings with the least time between them is the best: others were interrupted.
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
