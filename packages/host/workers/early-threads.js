// Threads that start before there is a kernel: Node takes some 100 ms for a thread, and a simulation as long to load its
// modules, to bundle its vats and to open its store. Each is the pool's as soon as the pool takes it, or is ended.

import { makeKernelBell } from './kernel-bell.js';
import { WorkerThread } from './worker-thread.js';

/** @import { ThreadOptions } from './worker-thread.js' */

/** The options of a thread that the pool takes. @typedef {Omit<ThreadOptions, 'kernelBell' | 'spinNs'>} Taking */

/**
 * @param {object} run  as its pool will have it
 * @param {number} run.workers  the most threads
 * @param {ThreadOptions['profile']} run.profile
 * @param {string | undefined} run.cacheDir
 * @param {(number: number) => number | undefined} run.delaysOf  for tests: seed of random waits in a thread
 * @param {number} count  of threads to start, at most `workers`
 */
export const openEarlyThreads = ({ workers, profile, cacheDir, delaysOf }, count) => {
  const bell = makeKernelBell(workers);

  const opened = Array.from({ length: count }, (_, at) => {
    /** Called by the thread; the pool's once it is taken. @type {Pick<ThreadOptions, 'onMessage' | 'onEnd'>} */
    const calls = { onMessage() {}, onEnd() {} };
    const worker = new WorkerThread({
      ...{ kernelBell: bell.memory, spinNs: bell.spinNs, profile, cacheDir },
      delays: delaysOf(at + 1),
      onMessage: message => calls.onMessage(message),
      onEnd: reason => calls.onEnd(reason),
    });
    return { worker, calls };
  });

  return Object.freeze({
    /** The bell that they ring; the pool's other threads ring it, too. */
    bell,

    /**
     * Take the next one, which was made with the number of the pool's next thread.
     *
     * @param {Taking} options
     * @returns {WorkerThread | undefined} undefined if it has ended, or none is left that was made with these options
     */
    take(options) {
      if (options.profile !== profile || options.cacheDir !== cacheDir) return undefined;
      const next = opened.shift();
      if (!next?.worker.isUp) return undefined;
      const { onMessage, onEnd } = options;
      Object.assign(next.calls, { onMessage, onEnd });
      return next.worker;
    },

    /**
     * End those that were not taken.
     *
     * @returns {Promise<void>}
     */
    async end() {
      await Promise.all(opened.splice(0).map(({ worker }) => worker.end()));
    },
  });
};

/** @typedef {ReturnType<typeof openEarlyThreads>} EarlyThreads */
