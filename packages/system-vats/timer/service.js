// The timer service, which createTimerService() returns. The README of this folder has the rules.

import { Far, passStyleOf } from '#vat';
import { makeKindObject } from '../kind-objects.js';
import { OneShot, Repeater, wake, Wait } from './events.js';
import { makeTimeNotifier } from './notifier.js';
import { makeTimes } from './times.js';

/** @import { Wakeups } from './wakeups.js' */

/** @param {unknown} value @param {string} subject @returns {object} */
const insistObject = (value, subject) => {
  if (Object(value) === value && passStyleOf(value) === 'remotable') {
    return /** @type {object} */ (value);
  }
  const got = value === null ? 'null' : typeof value;
  throw TypeError(`${subject} must be an object with methods, got ${got}`);
};

/** @param {unknown} value */
const insistHandler = (value, /** @type {string} */ method) =>
  insistObject(value, `${method}: the handler`);

/** A cancel token is an object, or absent. @param {unknown} value */
const parseToken = (value, /** @type {string} */ method) =>
  value ? insistObject(value, `${method}: the cancel token`) : undefined;

/**
 * @param {object} powers
 * @param {Wakeups} powers.wakeups
 * @param {boolean} powers.isNumeric  whether times are numbers, as in 2020
 * @param {Record<string, (...args: any[]) => unknown>} [powers.otherMethods]  replace or extend the methods here
 */
export const makeTimerService = ({ wakeups, isNumeric, otherMethods = {} }) => {
  /** @type {typeof makeKindObject} */
  const makeObject = isNumeric ? /** @type {any} */ (Far) : makeKindObject;
  /** Repeaters and notifiers are facets of kinds today. @param {string} tag @param {string} facet */
  const nameFacet = (tag, facet) => (isNumeric ? tag : `${tag} ${facet}`);
  const timerBrand = makeObject('timerBrand', {
    isMyTimerService: (/** @type {unknown} */ alleged) => alleged === service,
    isMyClock: (/** @type {unknown} */ alleged) => alleged === clock,
  });
  const times = makeTimes({ timerBrand, isNumeric });
  const { formatTime } = times;

  const getCurrentTimestamp = () => formatTime(wakeups.now());
  const getTimerBrand = () => timerBrand;

  const clock = makeObject('timerClock', { getCurrentTimestamp, getTimerBrand });

  /** @param {unknown} value @param {string} method */
  const parseDelay = (value, method) => times.parseDuration(value, `${method}: the delay`);

  /** @param {unknown} value @param {string} method */
  const parseInterval = (value, method) => {
    const interval = times.parseDuration(value, `${method}: the interval`);
    if (interval === 0) throw RangeError(`${method}: the interval must be above 0, got 0`);
    return interval;
  };

  /**
   * @param {number} time
   * @param {string} method
   */
  const insistWithinTime = (time, method) => {
    const last = wakeups.last();
    if (time > last) {
      throw RangeError(
        `${method}: ${time} is behind the end of time, which is ${last} on this timer (2^53-1 ns after the start of the run, 104 days)`,
      );
    }
    return time;
  };

  /**
   * @param {unknown} delay
   * @param {string} method
   */
  const parseStart = (delay, method) =>
    insistWithinTime(wakeups.now() + parseDelay(delay, method), method);

  /**
   * @param {number} time
   * @param {object} handler
   * @param {object | undefined} token
   */
  const wakeOnce = (time, handler, token) => {
    const now = wakeups.now();
    if (time <= now) {
      wake(handler, formatTime(now)).catch(() => {});
      return;
    }
    const event = new OneShot(wakeups, formatTime, handler, token);
    wakeups.register(event);
    wakeups.schedule(event, time);
  };

  /**
   * @param {number} time
   * @param {object | undefined} token
   * @returns {Promise<number>} the time at which it fires
   */
  const wait = async (time, token) => {
    const now = wakeups.now();
    if (time <= now) return now;
    const event = new Wait(wakeups, token);
    wakeups.register(event);
    wakeups.schedule(event, time);
    return event.promise;
  };

  /** @param {unknown} when @param {unknown} [cancelToken] */
  const wakeAt = async (when, cancelToken) => {
    const time = insistWithinTime(times.parseTime(when, 'wakeAt: the time'), 'wakeAt');
    return wait(time, parseToken(cancelToken, 'wakeAt')).then(formatTime);
  };

  /** @param {unknown} delay @param {unknown} [cancelToken] */
  const delayBy = async (delay, cancelToken) =>
    wait(parseStart(delay, 'delay'), parseToken(cancelToken, 'delay')).then(formatTime);

  /** @param {unknown} delay @param {unknown} interval */
  const makeRepeater = (delay, interval, method = 'makeRepeater') => {
    const start = parseStart(delay, method);
    const step = parseInterval(interval, method);
    // No other code has this token, so only this repeater can cancel with it.
    const token = harden({});
    let isActive = false;
    return makeObject(nameFacet('timerRepeater', 'repeater'), {
      /** @param {unknown} handler */
      schedule(handler) {
        const woken = insistHandler(handler, 'repeater.schedule');
        if (isActive) {
          throw Error('repeater.schedule: the repeater is scheduled already; disable it first');
        }
        isActive = true;
        const series = { start, interval: step, handler: woken, token };
        const repeater = new Repeater(wakeups, formatTime, series, () => {
          isActive = false;
        });
        repeater.begin(wakeups.now());
      },
      disable() {
        wakeups.cancel(token);
      },
    });
  };

  const service = makeObject('timerService', {
    getCurrentTimestamp,
    getTimerBrand,
    getClock: () => clock,

    /** @param {unknown} when @param {unknown} handler @param {unknown} [cancelToken] */
    setWakeup(when, handler, cancelToken) {
      const time = insistWithinTime(times.parseTime(when, 'setWakeup: the time'), 'setWakeup');
      const woken = insistHandler(handler, 'setWakeup');
      wakeOnce(time, woken, parseToken(cancelToken, 'setWakeup'));
      return formatTime(time);
    },

    /** @param {unknown} handler */
    removeWakeup: handler => harden(wakeups.removeHandler(handler).map(formatTime)),

    /** @param {unknown} cancelToken */
    cancel: cancelToken => wakeups.cancel(cancelToken),

    wakeAt,
    delay: delayBy,

    /** @param {unknown} delay @param {unknown} interval @param {unknown} handler @param {unknown} [cancelToken] */
    repeatAfter(delay, interval, handler, cancelToken) {
      const series = {
        start: parseStart(delay, 'repeatAfter'),
        interval: parseInterval(interval, 'repeatAfter'),
        handler: insistHandler(handler, 'repeatAfter'),
        token: parseToken(cancelToken, 'repeatAfter'),
      };
      new Repeater(wakeups, formatTime, series).begin(wakeups.now());
    },

    /** @param {unknown} delay @param {unknown} interval */
    makeRepeater: (delay, interval) => makeRepeater(delay, interval),

    /** @param {unknown} delay @param {unknown} interval */
    createRepeater: (delay, interval) => makeRepeater(delay, interval, 'createRepeater'),

    /** @param {unknown} delay @param {unknown} interval @param {unknown} [cancelToken] */
    makeNotifier(delay, interval, cancelToken) {
      const series = {
        tag: nameFacet('timerNotifier', 'notifier'),
        start: parseStart(delay, 'makeNotifier'),
        interval: parseInterval(interval, 'makeNotifier'),
        token: parseToken(cancelToken, 'makeNotifier'),
      };
      return makeTimeNotifier({ wakeups, times, wait, makeObject }, series);
    },

    ...otherMethods,
  });
  return service;
};
