// The host's part of a timer: the host sets the time, and the device wakes its handlers.

import { fileURLToPath } from 'node:url';
import { insistCallback, insistCount } from './check.js';

/**
 * Make the host's part of a timer: the host sets the time by `poll(now)`, and the device wakes the handlers that are
 * due.
 *
 * @returns `srcPath`, `endowments`, and `poll(now)`
 */
export const buildTimer = () => {
  /** @type {((now: bigint) => unknown) | undefined} */
  let devicePoll;
  return {
    srcPath: fileURLToPath(new URL('sources/device-timer.js', import.meta.url)),
    endowments: {
      registerDevicePollFunction(/** @type {any} */ poll) {
        devicePoll = poll;
      },
    },
    /**
     * @param {number | bigint} time  must not decrease
     * @returns {boolean} whether a handler is woken, so that the run has cranks to do
     */
    poll: time => Boolean(insistCallback(devicePoll, 'timer')(insistCount(time, 'poll'))),
  };
};
