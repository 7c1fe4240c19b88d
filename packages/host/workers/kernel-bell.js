// The bell that the threads of a pool ring for the kernel's thread, and how long each side spins before it sleeps.

import { availableParallelism } from 'node:os';
import { Bell } from '#transport';

/**
 * Bound on the time for which a thread spins before it sleeps, if each thread has its own core. A sleeping thread wakes
 * late, and often on the core of the thread that wakes it: then both share that core for some milliseconds.
 */
const spinNs = 1_000_000;

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
  const mayNotSpin = count >= availableParallelism();
  return { memory: Bell.makeMemory(), spinNs: mayNotSpin ? 0 : spinNs };
};
