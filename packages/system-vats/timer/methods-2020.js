// The timer service of 2020-09-30: its methods call the device, which wakes the handlers itself.

import { Far } from '#vat';

/** @import { Wakeups } from './wakeups.js' */

/**
 * @param {(device: any) => any} D
 * @param {object} device
 * @param {Wakeups} wakeups  the waiting events of today's methods, which exist beside these
 */
export const makeMethods2020 = (D, device, wakeups) => ({
  getCurrentTimestamp: () => D(device).getLastPolled(),

  /** @param {unknown} delay  from now on @param {unknown} handler */
  setWakeup: (delay, handler) => D(device).setWakeup(delay, handler),

  /** @param {unknown} handler */
  removeWakeup: handler =>
    harden([...D(device).removeWakeup(handler), ...wakeups.removeHandler(handler)]),

  /** @param {unknown} start @param {unknown} interval */
  createRepeater(start, interval) {
    const index = D(device).createRepeater(start, interval);
    return Far('timerRepeater', {
      schedule: (/** @type {unknown} */ handler) => D(device).schedule(index, handler),
      disable: () => D(device).deleteRepeater(index),
    });
  },
});
