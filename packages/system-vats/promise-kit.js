/** @typedef {{ promise: Promise<any>, resolve: (value: any) => void, reject: (reason: any) => void }} PromiseKit */

/**
 * Make a promise with the functions that settle it. An unhandled rejection of it is ignored.
 *
 * @returns {PromiseKit}
 */
export const makePromiseKit = () => {
  /** @type {(value: any) => void} */
  let resolve = () => {};
  /** @type {(reason: any) => void} */
  let reject = () => {};
  const promise = new Promise((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
};
