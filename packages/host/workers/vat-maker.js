// Makes vats on worker threads: sends their bundles and descriptions, and waits for the outcome.

import { Fail, UserError } from '#model';

/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
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

  /** @param {Thread} thread @param {string} vatId */
  const takeWaiter = (thread, vatId) => {
    const key = makingKey(thread, vatId);
    const waiter = making.get(key);
    making.delete(key);
    return waiter;
  };

  return {
    /** @param {RemoteVat} vat @returns {Promise<void>} resolves when it is made */
    async make({ thread, vatId, description }) {
      const { worker } = thread;
      worker.ref();
      await worker.ready;
      const { source } = description;
      if (!thread.bundles.has(source)) {
        const { bundle, sourceUrls } =
          shelf.find(source) ?? Fail`bundle ${source} is not installed`;
        thread.bundles.add(source);
        const urls = JSON.stringify(sourceUrls);
        worker.send({ kind: 'bundle', id: source, text: JSON.stringify(bundle), urls });
      }
      const made = new Promise((resolve, reject) => {
        making.set(makingKey(thread, vatId), { resolve, reject });
      });
      worker.send({ kind: 'make', vatId, description: JSON.stringify(description) });
      await made;
      worker.unref();
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
