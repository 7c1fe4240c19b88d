// Calls functions in a macrotask.

/** @import { Transport } from '#kernel' */

/**
 * @template T
 * @param {() => T | Promise<T>} make
 * @returns {Promise<T>}
 */
export const inMacrotask = make =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(make());
      } catch (error) {
        reject(error);
      }
    });
  });

/**
 * Wrap a transport so that its vat executes later, like one on another thread.
 *
 * @param {Transport} transport
 * @returns {Transport}
 */
export const runLater = transport => {
  /** @type {(() => void) | undefined} */
  let begin;
  return Object.freeze({
    begin(delivery, answer, when) {
      begin = () => transport.begin(delivery, answer, when);
    },
    finish: () =>
      inMacrotask(() => {
        begin?.();
        return transport.finish();
      }),
    close: transport.close,
  });
};
