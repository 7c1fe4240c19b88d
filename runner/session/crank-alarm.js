// A crank that runs for long is told of, and ended with the run where a bound was given: a thread beside the run watches the
// board (packages/host/work-board.js).

import { Worker } from 'node:worker_threads';

/** After so long a line names vat, method and crank. */
const tellAfterMs = 5_000;

/**
 * @typedef {object} AlarmData
 * @property {SharedArrayBuffer} board
 * @property {SharedArrayBuffer} flags  0: nothing; 1: tell; 2: end
 * @property {number} tellAfterMs
 * @property {number} endAfterMs
 * @property {number} slotBytes
 * @property {{ vat: number, crank: number }} places
 * @property {boolean} signal  whether a signal lets the main thread look at itself
 */

/**
 * @param {Omit<AlarmData, 'flags' | 'tellAfterMs'>} data
 * @returns {{ take: () => 'tell' | 'end' | undefined, close: () => void }}  `take`: what a signal that has come is about,
 *   once; undefined for one of somebody else
 */
export const startCrankAlarm = data => {
  const flags = new SharedArrayBuffer(4);
  const raised = new Int32Array(flags);
  const worker = new Worker(new URL('crank-alarm-worker.js', import.meta.url), {
    workerData: { ...data, flags, tellAfterMs },
    execArgv: [],
  });
  worker.unref();
  // Without it the run goes on as it would: nobody tells of long cranks.
  worker.on('error', () => {});
  return Object.freeze({
    take() {
      const flag = Atomics.exchange(raised, 0, 0);
      return flag === 0 ? undefined : flag === 1 ? 'tell' : 'end';
    },
    close() {
      void worker.terminate();
    },
  });
};
