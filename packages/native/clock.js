// The addon's timer as a clock, for frequent measurements.

import { loadAddon } from './load-addon.js';
import { openTimer } from './timer.js';

/**
 * @typedef {object} Clock
 * @property {'tsc' | 'cntvct_el0'} name  the timer
 * @property {() => number} nowNs  nanoseconds since an arbitrary moment, with a fraction; it never goes back. Only
 *   differences have a meaning
 */

/** Bytes of a double. */
const wide = 8;

/**
 * @param {Parameters<typeof loadAddon>[0]} [options]  for tests
 * @returns {{ clock: Clock, reason?: undefined } | { clock?: undefined, reason: string }} no clock if the addon is not
 *   loaded, or the timer's rate changes, with the reason in one line
 */
export const openClock = options => {
  const { addon, problems } = loadAddon(options);
  if (addon === undefined) return { reason: `without the addon (${problems.join('; ')})` };
  const timer = openTimer(addon);
  const { name } = timer;
  if (name === 'hrtime' || !timer.isSteady)
    return { reason: `the ${name} of this processor changes its rate` };
  // The index of the next record, a record, and the last time returned. A number in a variable would be a new object
  // each time, and an indexed store is slow in a locked-down realm.
  const numbers = new Float64Array(3);
  const view = new DataView(numbers.buffer);
  const mark = addon.makeMark(numbers, 0);
  let nsPerTick = 0;
  const clock = Object.freeze({
    name,
    nowNs() {
      view.setFloat64(0, 1, true);
      mark();
      if (nsPerTick === 0) nsPerTick = 1e9 / timer.hz;
      const ns = numbers[1] * nsPerTick;
      const lastNs = numbers[2];
      // Timers of two cores may differ slightly, and a time must not go back.
      if (ns < lastNs) return lastNs;
      view.setFloat64(2 * wide, ns, true);
      return ns;
    },
  });
  return { clock };
};
