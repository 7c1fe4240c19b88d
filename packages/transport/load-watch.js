// Tells whether the machine has so much to do that a thread which spins takes time from others.

import { availableParallelism, loadavg } from 'node:os';

/** No thread spins at or above this load per core. It includes other processes, and threads that spin. */
const busyLoad = 2;

/** The load is an average over a minute. */
const everyMs = 2_000;

/**
 * @param {object} [machine]  for tests
 * @param {() => number} [machine.readLoad]  runnable threads, averaged; 0 where the system does not tell it (Windows)
 * @param {number} [machine.cores]
 * @returns {(nowMs: number) => boolean} whether the machine is busy; it looks every two seconds
 */
export const makeLoadWatch = ({
  readLoad = () => loadavg()[0],
  cores = availableParallelism(),
} = {}) => {
  let nextMs = -Infinity;
  let isBusy = false;
  return nowMs => {
    if (nowMs >= nextMs) {
      nextMs = nowMs + everyMs;
      isBusy = readLoad() >= cores * busyLoad;
    }
    return isBusy;
  };
};
