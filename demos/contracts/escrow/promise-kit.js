/** A promise with what settles it. A rejection that nobody waits for is no trouble. */
export const makePromiseKit = () => {
  let resolve;
  let reject;
  const promise = new Promise((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  promise.catch(() => {});
  return harden({ promise, resolve, reject });
};
harden(makePromiseKit);
