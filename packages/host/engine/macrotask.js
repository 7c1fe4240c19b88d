// Runs a function in a macrotask, in which no promise job is under way, so that `drain()` can run all jobs.

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
