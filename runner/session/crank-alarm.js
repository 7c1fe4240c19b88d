// Reports a crank that runs for long, and ends the run if it exceeds the given limit. A separate
// thread watches the board (packages/host/engine/work-board.js).

import { Worker } from 'node:worker_threads';

/** After this time a line names vat, method and crank. */
const tellAfterMs = 5_000;

/**
 * @typedef {object} AlarmData
 * @property {SharedArrayBuffer} board
 * @property {number} tellAfterMs
 * @property {number} endAfterMs
 * @property {number} slotBytes
 * @property {{ vat: number, crank: number }} places
 * @property {boolean} signal  whether a signal handler can inspect the main thread
 */

/**
 * `take`: the reason of the alarm's own signal, once; undefined if the signal came from elsewhere.
 *
 * @typedef {{ take: () => 'tell' | 'end' | undefined, close: () => void }} CrankAlarm
 */

/**
 * Starts the thread. That takes as long as a small run, so the thread is started before the simulation is made.
 */
export const startCrankAlarm = () => {
  /** 0: nothing; 1: tell; 2: end. */
  const flags = new SharedArrayBuffer(4);
  const raised = new Int32Array(flags);
  const worker = new Worker(new URL('crank-alarm-worker.js', import.meta.url), {
    workerData: { flags },
    execArgv: [],
  });
  worker.unref();
  // Without the thread the run goes on; only long cranks are not reported.
  worker.on('error', () => {});
  /** @type {CrankAlarm} */
  const alarm = Object.freeze({
    take() {
      const flag = Atomics.exchange(raised, 0, 0);
      Atomics.notify(raised, 0);
      return flag === 0 ? undefined : flag === 1 ? 'tell' : 'end';
    },
    close() {
      void worker.terminate();
    },
  });
  return Object.freeze({
    close: alarm.close,
    /**
     * Begins to watch. A thread that is still starting gets the data also while a crank runs.
     *
     * @param {Omit<AlarmData, 'tellAfterMs'> & { tellAfterMs?: number }} data
     */
    watch(data) {
      worker.postMessage({ tellAfterMs, ...data });
      return alarm;
    },
  });
};
