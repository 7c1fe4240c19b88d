// Makes vats on worker threads: sends their bundles and descriptions, and waits for the outcome.

import { UserError } from '#model';
import { lookMs } from './remote-vat.js';

/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { Worker } from './open-worker.js' */
/** @import { Thread } from './pool.js' */
/** @import { RemoteVat } from './remote-vat.js' */

/**
 * The key has the thread's number, since a moving vat may be made on two threads at once.
 *
 * @param {Thread} thread
 * @param {string} vatId
 */
const makingKey = ({ number }, vatId) => `${number} ${vatId}`;

/** @param {BundleShelf} shelf */
export const makeVatMaker = shelf => {
  /**
   * @type {Map<string, { resolve: (value?: undefined) => void, reject: (error: Error) => void }>} vats being made, by
   * `makingKey`
   */
  const making = new Map();

  /**
   * Numbers of vats under way, by worker. The process stays alive until the last one is made: others may be made on a
   * thread that is being restored.
   *
   * @type {Map<Worker, number>}
   */
  const underWay = new Map();

  /** @param {Worker} worker */
  const hold = worker => {
    underWay.set(worker, (underWay.get(worker) ?? 0) + 1);
    worker.ref();
  };

  /** @param {Worker} worker */
  const letGo = worker => {
    const left = (underWay.get(worker) ?? 0) - 1;
    if (left > 0) {
      underWay.set(worker, left);
      return;
    }
    underWay.delete(worker);
    // A worker that is being ended is left to its caller, who waits for the end.
    if (worker.isUp) worker.unref();
  };

  /** @param {Thread} thread @param {string} vatId */
  const takeWaiter = (thread, vatId) => {
    const key = makingKey(thread, vatId);
    const waiter = making.get(key);
    making.delete(key);
    return waiter;
  };

  /**
   * Sends what a vat is made of.
   *
   * @param {RemoteVat} vat
   * @param {Worker} worker  of its thread, which is ready
   * @returns {Promise<void>} resolves when the vat is made
   */
  const send = async ({ thread, vatId, description }, worker) => {
    const { source } = description;
    if (!thread.bundles.has(source)) {
      const { bundle, sourceUrls } = shelf.require(source);
      thread.bundles.add(source);
      const urls = JSON.stringify(sourceUrls);
      worker.send({ kind: 'bundle', id: source, text: JSON.stringify(bundle), urls });
    }
    /** @type {Promise<void>} */
    const made = new Promise((resolve, reject) => {
      making.set(makingKey(thread, vatId), { resolve, reject });
    });
    // It may be rejected while the frames are still being sent.
    made.catch(() => {});
    worker.send({ kind: 'make', vatId, description: JSON.stringify(description) });
    // A bundle may be larger than the ring, and nobody else looks at it before the vat is made.
    while (worker.isUp && !worker.flush()) await worker.awaitReport(lookMs);
    await made;
  };

  return {
    /** @param {RemoteVat} vat @returns {Promise<void>} resolves when it is made */
    async make(vat) {
      const { worker } = vat.thread;
      hold(worker);
      try {
        await worker.ready;
        await send(vat, worker);
      } finally {
        letGo(worker);
      }
    },

    /**
     * Take the outcome of the making of a vat.
     *
     * @param {Thread} thread
     * @param {{ vatId: string, problem?: string, isUsers?: boolean }} message  `problem` if it was not made
     */
    settle(thread, { vatId, problem, isUsers }) {
      const waiter = takeWaiter(thread, vatId);
      if (problem === undefined) waiter?.resolve();
      else waiter?.reject(isUsers ? new UserError(problem, { exitCode: 1 }) : Error(problem));
    },

    /** Reject the making of a vat. @param {Thread} thread @param {string} vatId @param {Error} error */
    reject: (thread, vatId, error) => takeWaiter(thread, vatId)?.reject(error),
  };
};
