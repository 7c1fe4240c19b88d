// Where vats of a pool run beside the kernel's thread: a thread for many of them, or a process for one whose memory is bounded.

import { WorkerProcess } from './worker-process.js';
import { WorkerThread } from './worker-thread.js';

/** @import { Limit } from '#kernel' */
/** @import { EngineFlags } from '../engine-flags.js' */
/** @import { WorkerStart } from './worker.js' */

/** @typedef {WorkerThread | WorkerProcess} Worker */

/**
 * @typedef {object} WorkerOptions
 * @property {number | undefined} heapBytes  bound on the memory of its vat, which then has a process of its own
 * @property {SharedArrayBuffer} kernelBell
 * @property {number} spinNs  how long a thread looks for work before it sleeps
 * @property {EngineFlags} engineFlags
 * @property {WorkerStart['profile']} profile
 * @property {string | undefined} cacheDir
 * @property {number | undefined} delays  for tests
 * @property {(message: { kind: string, vatId: string, problem?: string, isUsers?: boolean }) => void} onMessage  a vat was made, or
 *   cannot be
 * @property {(reason: string, limit?: Limit) => void} onEnd  called when it has ended; `limit`, if its vat went beyond that
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
