/** @typedef {{ promise: Promise<any>, resolve: (value: any) => void, reject: (reason: any) => void }} PromiseKit */

/**
 * A promise with what settles it; a rejection that nobody waits for is no trouble.
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
