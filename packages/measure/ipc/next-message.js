// Waits for a worker thread's next message.

/** @import { Worker } from 'node:worker_threads' */

/**
 * The next message of a thread. Nothing of the wait stays behind: a thread is asked once for each path and number of cores.
 *
 * @param {Worker} worker
 * @returns {Promise<any>}
 * @throws {Error} the thread failed, or ended before it sent one
 */
export const nextMessage = worker =>
  new Promise((resolve, reject) => {
    /** @param {() => void} act */
    const settle = act => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      act();
    };
    const onMessage = (/** @type {unknown} */ message) => settle(() => resolve(message));
    const onError = (/** @type {unknown} */ error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(Error('a measuring thread ended early')));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
  });
