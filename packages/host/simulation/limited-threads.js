// The thread of vats with limits. Only they share it, since a vat that exceeds its limit ends the thread, and the
// others on it must be restored. It starts with the first of them.

/** @import { WorkerPool } from '../workers/index.js' */

/** @param {() => Promise<WorkerPool>} openPool */
export const makeLimitedThreads = openPool => {
  /** @type {Promise<WorkerPool> | undefined} */
  let opening;
  /** @type {WorkerPool | undefined} */
  let pool;

  return Object.freeze({
    /** @returns {Promise<WorkerPool>} */
    async open() {
      opening ??= openPool();
      pool = await opening;
      return pool;
    },

    /** The pool, if a vat needed it. @returns {WorkerPool | undefined} */
    find: () => pool,

    async close() {
      await (await opening)?.close();
    },
  });
};

/** @typedef {ReturnType<typeof makeLimitedThreads>} LimitedThreads */
