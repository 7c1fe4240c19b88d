const ignore = () => {};

/** A promise with what settles it, for its maker alone. A rejection that nobody waits for is no trouble. */
export const makePromiseKit = () => {
  let resolve;
  let reject;
  const promise = new Promise((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  promise.catch(ignore);
  return { promise, resolve, reject };
};
harden(makePromiseKit);
