// Opens a place for vats of a pool: a thread for many vats, or a process for one vat with a memory limit.

import { WorkerProcess } from './worker-process.js';
import { WorkerThread } from './worker-thread.js';

/** @import { Limit } from '#kernel' */
/** @import { EngineFlags } from '../engine/engine-flags.js' */
/** @import { WorkerStart } from './worker.js' */

/** @typedef {WorkerThread | WorkerProcess} Worker */

/**
 * @typedef {object} WorkerOptions
 * @property {number | undefined} heapBytes  memory limit of the vat, which then has a process of its own
 * @property {SharedArrayBuffer} kernelBell
 * @property {number} spinNs  time for which a thread spins before it sleeps
 * @property {EngineFlags} engineFlags
 * @property {WorkerStart['profile']} profile
 * @property {string | undefined} cacheDir
 * @property {number | undefined} delays  for tests
 * @property {(message: { kind: string, vatId: string, problem?: string, isUsers?: boolean }) => void} onMessage  reports
 *   that a vat was made, or that it could not be
 * @property {(reason: string, limit?: Limit) => void} onEnd  called when it has ended; `limit` is set if its vat
 *   exceeded that limit
 */

/** @param {WorkerOptions} options @returns {Worker} */
export const openWorker = ({ heapBytes, engineFlags, ...options }) => {
  if (heapBytes === undefined) return new WorkerThread(options);
  const { profile, cacheDir, delays, onMessage, onEnd } = options;
  const start = {
    ...{ profile, engineFlags, heapBytes },
    ...(cacheDir !== undefined && { cacheDir }),
    ...(delays !== undefined && { delays }),
  };
  return new WorkerProcess({ start, onMessage, onEnd });
};
