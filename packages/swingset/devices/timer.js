// The host's half of a timer: the host says what time it is, and the device wakes whoever waits for it.

import { fileURLToPath } from 'node:url';
import { insistCallback, insistCount } from './check.js';

/**
 * The host's half of a timer: the host says by `poll(now)` what time it is, and the device wakes whoever waits for it.
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
     * @param {number | bigint} time  never before the last one
     * @returns {boolean} whether somebody is woken, so that the run has something to do
     */
    poll: time => Boolean(insistCallback(devicePoll, 'timer')(insistCount(time, 'poll'))),
  };
};
