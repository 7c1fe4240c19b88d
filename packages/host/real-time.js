// Physical time beside logical time. By itself a run leaps from one instant to the next; with this it waits until as much
// physical time has passed. Clock and sleep are given to it, so that tests need neither.
//
// Only the waiting depends on physical time: what runs, and in which order, does not. So a run in real time has the
// activity hash of one that leaps, and how far it has waited is kept under `local.`.

const nsPerMs = 1_000_000;

/** The longest sleep at a time: Ctrl-C, and what the host queues meanwhile, wait no longer. */
const napMs = 50;

const elapsedKey = 'local.realtime';

/** @import { Kernel, PhysicalClock } from '#kernel' */

/**
 * Make the physical time of a run: give it as `realTime` to `run` and `start`, and its `clock` to `makeSimulation`.
 *
 * @param {object} [powers]
 * @param {() => number} [powers.clockMs]  never goes back; where it begins does not matter
 * @param {(ms: number) => Promise<unknown>} [powers.sleep]
 * @returns methods for the run loop, all of them on time since the start of the run, in nanoseconds
 */
export const makeRealTime = ({
  clockMs = () => performance.now(),
  sleep = ms => new Promise(resolve => setTimeout(resolve, ms)),
} = {}) => {
  /** The clock's time when the run was at `startNs`. @type {number | undefined} */
  let startMs;
  let startNs = 0;

  const elapsedNs = () =>
    startMs === undefined ? startNs : startNs + Math.floor((clockMs() - startMs) * nsPerMs);

  return Object.freeze({
    /**
     * Time runs from now on: from where it was when the run was stopped, or from the present instant if that is later.
     *
     * @param {Pick<Kernel, 'getHostValue' | 'now'>} kernel
     */
    begin(kernel) {
      if (startMs !== undefined) return;
      startNs = Math.max(Number(kernel.getHostValue(elapsedKey) ?? 0), kernel.now.timeNs);
      startMs = clockMs();
    },

    /** How far logical time may go: nanoseconds since the start of the run. */
    elapsedNs,

    /** The clock for the vats' reactors: they ask it for physical time. @type {PhysicalClock} */
    clock: Object.freeze({
      nowNs: elapsedNs,
      isLate: (_vatId, timeNs, deadlineNs) => elapsedNs() - timeNs > deadlineNs,
    }),

    /**
     * Sleep until a time has come, or a part of it: the caller asks again.
     *
     * @param {number} timeNs
     * @returns {Promise<void>}
     */
    async nap(timeNs) {
      const restMs = Math.ceil((timeNs - elapsedNs()) / nsPerMs);
      if (restMs > 0) await sleep(Math.min(restMs, napMs));
    },

    /** To be committed with the block. @param {Pick<Kernel, 'setHostValue'>} kernel */
    save(kernel) {
      kernel.setHostValue(elapsedKey, String(elapsedNs()));
    },
  });
};

/** @typedef {ReturnType<typeof makeRealTime> & { onAdvance?: (listener: () => void) => void }} RealTime  `onAdvance`: somebody moves it on by hand */
