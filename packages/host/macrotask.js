// Running something in a macrotask: where no promise job is under way, so that `settle()` can drain all of them.

/**
 * @template T
 * @param {() => T | Promise<T>} act
 * @returns {Promise<T>}
 */
export const inMacrotask = act =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(act());
      } catch (error) {
        reject(error);
      }
    });
  });
