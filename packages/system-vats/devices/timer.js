// The timer device: logical time in the config's units, and wake-ups of objects. Its methods are those of SwingSet's
// device: today's with absolute times as bigints, 2020's with relative times as numbers.
//
// All state is in the device's store. TIME and NUMBER have 16 digits, so that keys sort as numbers do:
//
//   at.TIME.NUMBER        a wake-up: { handler, repeater }; `repeater` is its index or undefined
//   of.VREF.TIME.NUMBER   the same entry, by its handler
//   repeater.INDEX        { start, interval }, or null when it was deleted
//   numbers               { entry, repeater }: the next ones
//   armed                 the time of the kernel's wake-up for this device, in ns

import { findSoleSlot, parseDuration, quote, typeOfVref, UserError } from '#model';
import { parseWhole } from '../timer/times.js';

/** @import { CapData } from '#model' */

/**
 * @typedef {object} TimerTools
 * @property {(presence: any) => any} SO
 * @property {(value: unknown) => CapData} serialize
 * @property {{ get: (key: string) => any, set: (key: string, value: unknown) => void, delete: (key: string) => void,
 *   nextKey: (prior: string) => string | undefined }} store
 * @property {() => number} now
 * @property {(timeNs: number) => void} wakeAt
 * @property {(timeNs: number) => void} cancelWake
 * @property {(fn: () => void) => void} onWake
 * @property {string} profile
 * @property {Record<string, unknown> | undefined} deviceParameters
 */

/** Times are compared as strings, so all have the same length. @param {number} number */
const pad = number => String(number).padStart(16, '0');

/** The length of a padded number. */
const width = 16;

/**
 * @param {Record<string, unknown>} parameters  of the config
 * @returns {number} ns
 * @throws {UserError}
 */
const readUnit = ({ unit = '1 s', ...others }) => {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new UserError(
      `devices.timer has the unknown parameter ${quote(unknown)}; it takes "unit", a duration like "1 ms"`,
    );
  }
  let ns = 0;
  try {
    if (typeof unit === 'string') ns = parseDuration(unit);
  } catch {
    // The error below covers it.
  }
  if (ns > 0) return ns;
  throw new UserError(
    `devices.timer: parameters.unit must be a duration above 0, like "1 s" or "1 ms", got ${quote(unit)}`,
  );
};

/** @param {TimerTools} tools */
export const buildRootDeviceNode = tools => {
  const { SO, serialize, store, now, wakeAt, cancelWake, onWake, profile } = tools;
  const unitNs = readUnit(tools.deviceParameters ?? {});
  const isNumeric = profile === '2020-09';
  const endOfTime = Math.floor(Number.MAX_SAFE_INTEGER / unitNs);

  const format = (/** @type {number} */ time) => (isNumeric ? time : BigInt(time));
  const getNow = () => Math.floor(now() / unitNs);

  /** @param {'entry' | 'repeater'} kind */
  const takeNumber = kind => {
    const numbers = store.get('numbers') ?? { entry: 0, repeater: 0 };
    store.set('numbers', harden({ ...numbers, [kind]: numbers[kind] + 1 }));
    return numbers[kind];
  };

  /** @param {string} prefix @param {string} [prior] */
  const findKey = (prefix, prior = prefix) => {
    const key = store.nextKey(prior);
    return key?.startsWith(prefix) ? key : undefined;
  };

  const findFirstTime = () => {
    const key = findKey('at.');
    return key === undefined ? undefined : Number(key.slice(3, 3 + width));
  };

  /** The kernel's time of a wake-up: now, if `time` has passed. @param {number} time */
  const toWakeNs = time => Math.max(time * unitNs, now());

  /**
   * Keep one wake-up in the kernel for this device: that of the first entry.
   *
   * @param {number} [first]
   */
  const arm = (first = findFirstTime()) => {
    const wantedNs = first === undefined ? undefined : toWakeNs(first);
    const armedNs = store.get('armed');
    if (armedNs === wantedNs) return;
    if (armedNs !== undefined) cancelWake(armedNs);
    if (wantedNs === undefined) {
      store.delete('armed');
      return;
    }
    wakeAt(wantedNs);
    store.set('armed', wantedNs);
  };

  /** @param {unknown} handler @param {string} method */
  const insistHandler = (handler, method) => {
    const vref = findSoleSlot(serialize(handler));
    if (vref !== undefined && typeOfVref(vref) === 'object') return vref;
    throw TypeError(`${method}: the handler must be an object with methods, got ${typeof handler}`);
  };

  /**
   * @param {number} time
   * @param {unknown} handler
   * @param {string} vref  the handler's
   * @param {number} [repeater]
   */
  const add = (time, handler, vref, repeater) => {
    const place = `${pad(time)}.${pad(takeNumber('entry'))}`;
    store.set(`at.${place}`, harden({ handler, repeater }));
    store.set(`of.${vref}.${place}`, true);
  };

  /** Arm for an entry that was added outside of a wake-up. @param {number} time */
  const armFor = time => {
    const armedNs = store.get('armed');
    if (armedNs === undefined || toWakeNs(time) < armedNs) arm(time);
  };

  /** @param {number} time @param {string} method */
  const insistWithinTime = (time, method) => {
    if (time <= endOfTime) return time;
    throw RangeError(
      `${method}: ${time} is behind the end of time, which is ${endOfTime} on this timer (2^53-1 ns after the start of the run, 104 days)`,
    );
  };

  /** @param {unknown} index @param {string} method */
  const findRepeater = (index, method) => {
    const number = parseWhole(index, `${method}: the repeater`);
    const repeater = store.get(`repeater.${number}`);
    if (repeater === undefined) throw RangeError(`${method}: there is no repeater ${number}`);
    return { number, repeater };
  };

  /**
   * The next time of a repeater after now, by SwingSet's formula: a start in the future sets only the phase of the
   * times, not their beginning.
   *
   * @param {{ start: number, interval: number }} repeater
   */
  const findNext = ({ start, interval }) => {
    const present = getNow();
    return present + interval - ((present - start) % interval);
  };

  onWake(() => {
    const present = getNow();
    store.delete('armed');
    for (let key = findKey('at.'); key !== undefined; key = findKey('at.', key)) {
      const time = Number(key.slice(3, 3 + width));
      if (time > present) break;
      const { handler, repeater } = store.get(key);
      const vref = insistHandler(handler, 'wake');
      store.delete(key);
      store.delete(`of.${vref}.${key.slice(3)}`);
      SO(handler).wake(format(time));
      // A deleted repeater still wakes its handler this once.
      const series = repeater === undefined ? null : store.get(`repeater.${repeater}`);
      if (series === null) continue;
      const next = findNext(series);
      if (next <= endOfTime) add(next, handler, vref, repeater);
    }
    arm();
  });

  /** @param {string} method */
  const makeMakeRepeater =
    method => (/** @type {unknown} */ start, /** @type {unknown} */ step) => {
      const interval = parseWhole(step, `${method}: the interval`);
      if (interval === 0) throw RangeError(`${method}: the interval must be above 0, got 0`);
      const series = { start: parseWhole(start, `${method}: the start`), interval };
      const index = takeNumber('repeater');
      store.set(`repeater.${index}`, harden(series));
      return index;
    };

  return harden({
    getLastPolled: () => format(getNow()),

    /** The latest possible time. */
    getEndOfTime: () => format(endOfTime),

    /**
     * @param {unknown} when  absolute; in 2020 relative to now
     * @param {unknown} handler
     */
    setWakeup(when, handler) {
      const subject = `setWakeup: the ${isNumeric ? 'delay' : 'time'}`;
      const given = parseWhole(when, subject);
      const time = insistWithinTime(isNumeric ? getNow() + given : given, 'setWakeup');
      add(time, handler, insistHandler(handler, 'setWakeup'));
      armFor(time);
      return format(time);
    },

    /**
     * @param {unknown} handler
     * @returns {(number | bigint)[]} the times of its wake-ups, empty if there were none
     */
    removeWakeup(handler) {
      const prefix = `of.${insistHandler(handler, 'removeWakeup')}.`;
      const times = [];
      for (let key = findKey(prefix); key !== undefined; key = findKey(prefix, key)) {
        const place = key.slice(prefix.length);
        times.push(format(Number(place.slice(0, width))));
        store.delete(key);
        store.delete(`at.${place}`);
      }
      if (times.length > 0) arm();
      return harden(times);
    },

    /** The name of 2020. */
    createRepeater: makeMakeRepeater('createRepeater'),

    /** Today's name. */
    makeRepeater: makeMakeRepeater('makeRepeater'),

    /** @param {unknown} index @param {unknown} handler  woken from the repeater's next time on */
    schedule(index, handler) {
      const { number, repeater } = findRepeater(index, 'schedule');
      if (repeater === null) throw RangeError(`schedule: repeater ${number} was deleted`);
      const next = insistWithinTime(findNext(repeater), 'schedule');
      add(next, handler, insistHandler(handler, 'schedule'), number);
      armFor(next);
      return format(next);
    },

    /** @param {unknown} index  what is scheduled with it is woken once more */
    deleteRepeater(index) {
      const { number } = findRepeater(index, 'deleteRepeater');
      store.set(`repeater.${number}`, null);
      return number;
    },
  });
};
