// The timer vat: `createTimerService(timerDevice)`. Each device has one service, with its own brand of times.

import { Far } from '#vat';
import { makeMethods2020 } from './methods-2020.js';
import { makeTimerService } from './service.js';
import { Wakeups } from './wakeups.js';

/** @import { Alarm } from './wakeups.js' */

/** Makes `D(device)`. @typedef {(device: any) => any} D */

/**
 * Wrap the device for this vat. It calls only methods of SwingSet's device, so that a config may bring that one.
 *
 * @param {D} D
 * @param {object} device
 * @param {boolean} isNumeric  whether it is the device of 2020: times are numbers, relative to now
 * @param {() => void} onWake
 * @returns {Alarm}
 */
const makeAlarm = (D, device, isNumeric, onWake) => {
  /** @type {number | undefined} */
  let last;
  const handler = Far('wakeupHandler', { wake: () => onWake() });
  const now = () => Number(D(device).getLastPolled());

  const findLast = () => {
    try {
      return Number(D(device).getEndOfTime());
    } catch {
      // A device of the config without `getEndOfTime()`.
      return Number.MAX_SAFE_INTEGER;
    }
  };

  return {
    now,
    last: () => (last ??= findLast()),
    set: time => D(device).setWakeup(isNumeric ? time - now() : BigInt(time), handler),
    clear: () => D(device).removeWakeup(handler),
  };
};

/**
 * @param {object} powers
 * @param {D} powers.D
 * @param {string} powers.profile
 */
export const buildRoot = ({ D, profile }) => {
  const isNumeric = profile === '2020-09';
  /** @type {WeakMap<object, object>} */
  const services = new WeakMap();

  /** @param {any} device */
  const insistDevice = device => {
    try {
      return D(device);
    } catch {
      throw TypeError(
        'createTimerService(device) needs the timer device: devices.timer of bootstrap(vats, devices), if the config has "devices": { "timer": {} }',
      );
    }
  };

  return Far('timerVat', {
    /** @param {any} device */
    createTimerService(device) {
      insistDevice(device);
      const known = services.get(device);
      if (known !== undefined) return known;
      const alarm = makeAlarm(D, device, isNumeric, () => wakeups.wake());
      const wakeups = new Wakeups(alarm);
      const service = makeTimerService({
        wakeups,
        isNumeric,
        ...(isNumeric && { otherMethods: makeMethods2020(D, device, wakeups) }),
      });
      services.set(device, service);
      return service;
    },
  });
};
