// The bell that the threads of a pool ring for the kernel's thread, and how long each side spins before it sleeps.

import { availableParallelism, loadavg } from 'node:os';
import { Bell } from '#transport';

/**
 * Bound on the time for which a thread spins before it sleeps, if each thread has its own core. A sleeping thread wakes
 * late, and often on the core of the thread that wakes it: then both share that core for some milliseconds.
 */
const spinNs = 1_000_000;

/** No thread spins at or above this load per core, which includes other processes. */
const busyLoad = 2;

/**
 * @typedef {object} KernelBell
 * @property {SharedArrayBuffer} memory
 * @property {number} spinNs  0: threads sleep at once
 */

/**
 * @param {number} count  of threads beside the kernel's
 * @returns {KernelBell}
 */
export const makeKernelBell = count => {
  const cores = availableParallelism();
  const mayNotSpin = count >= cores || loadavg()[0] >= cores * busyLoad;
  return { memory: Bell.makeMemory(), spinNs: mayNotSpin ? 0 : spinNs };
};
