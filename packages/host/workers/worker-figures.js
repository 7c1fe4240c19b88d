// Sums up the work of threads and processes with vats.

/** @import { Thread } from './pool.js' */

/**
 * The work of a thread: numbers of vats, cranks and batches of cranks, its busy time, and its waiting time since it first
 * was ready.
 *
 * @typedef {{ number: number, vats: number, cranks: number, batches: number, busyNs: number, waitingNs: number }} WorkerFigures
 */

/**
 * @param {readonly Thread[]} threads
 * @param {number} nowMs  the present time
 * @returns {WorkerFigures[]}
 */
export const workerFigures = (threads, nowMs) =>
  threads.map(({ number, vats, cranks, batches, busyNs, upMs }) => ({
    ...{ number, vats: vats.size, cranks, batches, busyNs },
    waitingNs: Math.max(0, Math.round((nowMs - upMs) * 1_000_000) - busyNs),
  }));
