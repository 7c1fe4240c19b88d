// The timer service, which createTimerService() returns. The README of this folder has the rules.

import { Far, passStyleOf } from '#vat';
import { makeKindObject } from '../kind-objects.js';
import { OneShot, Repeater, wake, Wait } from './events.js';
import { makeTimeNotifier } from './notifier.js';
import { makeTimes } from './time-records.js';

/** @import { Wakeups } from './wakeups.js' */

// The errors of a wrong argument have the words of SwingSet's timer, which programs read.

/** @param {unknown} value */
const isObject = value => passStyleOf(/** @type {any} */ (value)) === 'remotable';

/** @param {unknown} handler @returns {any} */
const insistHandler = handler => {
  if (isObject(handler)) return handler;
  throw RangeError('bad setWakeup() handler');
};

/** A cancel token that is an object, or absent. @param {unknown} token */
const parseToken = token => {
  if (!token) return undefined;
  if (isObject(token)) return token;
  throw RangeError('bad cancel token');
};

/** Refuse promises, which SwingSet's timer cannot keep in its durable data. @param {unknown} value */
const insistDurable = value => {
  if (passStyleOf(/** @type {any} */ (value)) === 'promise')
    throw Error('value for (a string) is not durable: slot 0 of (an object)');
};

/** A cancel token that can be a key: an object, or data such as a string. @param {unknown} token */
const parseKey = token => {
  if (!token) return undefined;
  insistDurable(token);
  const style = passStyleOf(/** @type {any} */ (token));
  if (['copyArray', 'copyRecord', 'tagged', 'error'].includes(style)) {
    const shown = style === 'error' ? '(an Error)' : '(an object)';
    throw Error(
      `invalid key type for collection "cancels": A "${style}" cannot be a scalar key: ${shown}`,
    );
  }
  return token;
};

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
  const parseInterval = (value, method, wanted = 'nonzero') => {
    const interval = times.parseDuration(value, `${method}: the interval`);
    if (interval === 0) throw Error(`interval must be ${wanted}`);
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
   * @param {unknown} handler
   * @param {unknown} token
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
   * This function and its callers are not async, as SwingSet's are not: of promises for one time, those that settle a turn
   * sooner are told of sooner.
   *
   * @template T
   * @param {number} time
   * @param {unknown} token
   * @param {(time: number) => T} format
   * @returns {Promise<T>} the time at which it fires
   * @throws {Error} for a token that is none
   */
  const wait = (time, token, format) => {
    const now = wakeups.now();
    if (time <= now) return Promise.resolve(format(now));
    const event = new Wait(wakeups, format, parseKey(token));
    wakeups.register(event);
    wakeups.schedule(event, time);
    return event.promise;
  };

  /** @param {unknown} when @param {unknown} [cancelToken] */
  const wakeAt = (when, cancelToken) => {
    const time = insistWithinTime(times.parseTime(when, 'wakeAt: the time'), 'wakeAt');
    return wait(time, cancelToken, formatTime);
  };

  /** @param {unknown} delay @param {unknown} [cancelToken] */
  const delayBy = (delay, cancelToken) => wait(parseStart(delay, 'delay'), cancelToken, formatTime);

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
        if (!isObject(handler)) throw Error('bad repeater.schedule() handler');
        if (isActive) throw Error('repeater already scheduled');
        isActive = true;
        const series = { start, interval: step, handler, token };
        // As in SwingSet, one whose handler has failed is scheduled once more only behind `disable()`.
        const repeater = new Repeater(wakeups, formatTime, series, () => {
          isActive = false;
        });
        repeater.begin(wakeups.now());
      },
      disable() {
        wakeups.cancel(token);
        isActive = false;
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
      const woken = insistHandler(handler);
      wakeOnce(time, woken, parseToken(cancelToken));
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
      const start = parseStart(delay, 'repeatAfter');
      const step = parseInterval(interval, 'repeatAfter', 'positive');
      // Any handler is taken; the first wake-up of one that is no object fails, and ends the series.
      insistDurable(handler);
      const series = { start, interval: step, handler, token: parseKey(cancelToken) };
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
        token: parseToken(cancelToken),
      };
      return makeTimeNotifier({ wakeups, times, wait, makeObject }, series);
    },

    ...otherMethods,
  });
  return service;
};
