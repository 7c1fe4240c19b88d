// Sums up the work of threads and processes with vats.

/** @import { Thread } from './pool.js' */

/**
 * The work of a thread: numbers of vats, cranks and batches of cranks, and its busy and its waiting time.
 *
 * @typedef {{ number: number, vats: number, cranks: number, batches: number, busyNs: number, waitingNs: number }} WorkerFigures
 */

/**
 * @param {readonly Thread[]} threads
 * @param {number} sinceMs  age of the oldest thread
 * @returns {WorkerFigures[]}
 */
export const workerFigures = (threads, sinceMs) =>
  threads.map(({ number, vats, cranks, batches, busyNs }) => ({
    ...{ number, vats: vats.size, cranks, batches, busyNs },
    waitingNs: Math.max(0, Math.round(sinceMs * 1_000_000) - busyNs),
  }));
