// Makes a run follow physical time. By itself a run leaps from one instant to the next; with this it waits until as
// much physical time has passed. Clock and sleep are arguments, so that tests can replace them.
//
// Only the waiting depends on physical time, not the order of cranks. So a run in real time has the same activity hash
// as one that leaps, and the elapsed time is stored under `local.`.

import { insistOptions } from '#model';
import { insistMethods } from './insist.js';

const nsPerMs = 1_000_000;

/** The longest single sleep, which bounds the delay of Ctrl-C and of the host's inputs. */
const napMs = 50;

const elapsedKey = 'local.realtime';

/** Methods that a run calls. */
const usedMethods = ['begin', 'elapsedNs', 'nap', 'save'];

/** @import { Kernel, PhysicalClock } from '#kernel' */

/**
 * @param {string} subject  the function, as errors name it: `run()`
 * @param {unknown} realTime  undefined for none
 * @throws {TypeError} if it is none that was made by `makeRealTime`
 */
export const insistRealTime = (subject, realTime) => {
  if (realTime !== undefined)
    insistMethods(
      `option "realTime" of ${subject}`,
      realTime,
      usedMethods,
      'the result of makeRealTime()',
    );
};

/**
 * Make the physical time of a run. It is the option `realTime` of `run` and `start`; its `clock` is an option of
 * `makeSimulation`.
 *
 * @param {object} [powers]
 * @param {() => number} [powers.clockMs]  monotonic, with any origin
 * @param {(ms: number) => Promise<unknown>} [powers.sleep]
 * @returns methods for the run loop; times are nanoseconds since the start of the run
 * @throws {TypeError} if a power is unknown or no function
 */
export const makeRealTime = (powers = {}) => {
  insistOptions('makeRealTime()', powers, { clockMs: 'function', sleep: 'function' });
  const {
    clockMs = () => performance.now(),
    sleep = ms => new Promise(resolve => setTimeout(resolve, ms)),
  } = powers;
  /** The clock's time when the run was at `startNs`. @type {number | undefined} */
  let startMs;
  let startNs = 0;

  const elapsedNs = () =>
    startMs === undefined ? startNs : startNs + Math.floor((clockMs() - startMs) * nsPerMs);

  return Object.freeze({
    /**
     * Start the time: from its value when the run was stopped, or from the present instant if that is later.
     *
     * @param {Pick<Kernel, 'getHostValue' | 'now'>} kernel
     */
    begin(kernel) {
      if (startMs !== undefined) return;
      startNs = Math.max(Number(kernel.getHostValue(elapsedKey) ?? 0), kernel.now.timeNs);
      startMs = clockMs();
    },

    /** The bound on logical time: nanoseconds since the start of the run. */
    elapsedNs,

    /** The clock that gives the vats' reactors physical time. @type {PhysicalClock} */
    clock: Object.freeze({
      /** Starts the time again, behind the starts of the config's vats: making them is no part of the program. */
      begin: () => {
        if (startMs !== undefined) startMs = clockMs();
      },
      nowNs: elapsedNs,
      isLate: (_vatId, timeNs, deadlineNs) => elapsedNs() - timeNs > deadlineNs,
    }),

    /**
     * Sleep until a time or for `napMs`, whichever is shorter: the caller repeats the call.
     *
     * @param {number} timeNs
     * @returns {Promise<void>}
     */
    async nap(timeNs) {
      const restMs = Math.ceil((timeNs - elapsedNs()) / nsPerMs);
      if (restMs > 0) await sleep(Math.min(restMs, napMs));
    },

    /** Store the elapsed time, to be committed with the block. @param {Pick<Kernel, 'setHostValue'>} kernel */
    save(kernel) {
      kernel.setHostValue(elapsedKey, String(elapsedNs()));
    },
  });
};

/**
 * @typedef {ReturnType<typeof makeRealTime> & { onAdvance?: (listener: () => void) => void }} RealTime  `onAdvance`:
 * registers a listener, for a clock that is advanced by hand
 */
