// The clock of a program that is run as a library, in Node or in a browser's page. This is the only file here that uses
// the system, and only when a program has no clock of its own.

/** @import { WaitingClock } from './program.js' */

/**
 * Physical time for a program.
 *
 * @typedef {object} Clock
 * @property {() => number} nowNs  nanoseconds since the start of the run, a whole number
 * @property {(timeNs: number, deadlineNs: number) => boolean} [isLate]  whether it is ahead of a logical time by more
 *   than the deadline, for a clock that records the answer; by default computed from `nowNs`
 */

/** The longest time that setTimeout accepts, in ms. */
const longestMs = 0x7fff_ffff;

/** @returns {WaitingClock & { begin: () => void }} nanoseconds since `begin`, and 0 before it */
export const makeClock = () => {
  const { performance, setTimeout, clearTimeout } = globalThis;
  let startMs = Infinity;
  const nowNs = () => Math.max(Math.round((performance.now() - startMs) * 1e6), 0);
  return {
    nowNs,
    begin: () => {
      startMs = performance.now();
    },
    sleep: untilNs => {
      /** @type {() => void} */
      let wake = () => {};
      const done = new Promise(resolve => {
        const ms = Math.min(Math.max((untilNs - nowNs()) / 1e6, 0), longestMs);
        const timer = setTimeout(() => resolve(undefined), ms);
        wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
      return { done: /** @type {Promise<void>} */ (done), wake: () => wake() };
    },
  };
};

/** @returns {WaitingClock} nanoseconds since this call */
export const systemClock = () => {
  const { begin, ...clock } = makeClock();
  begin();
  return clock;
};
