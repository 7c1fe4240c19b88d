// A transport that takes its time: whatever the kernel begins early really is under way together, and ends in
// another order than it was begun, by the luck of a seed.

/** @typedef {import('#kernel').Transport} Transport */
/** @typedef {import('#kernel').CrankResult} CrankResult */

/**
 * @param {number} seed
 * @returns {(transport: Transport) => Transport}
 */
export const makeOverlap = seed => {
  let state = seed;
  /** A small linear congruential generator: 0 to 3 macrotasks of delay. */
  const nextDelay = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 4;
  };
  return transport => {
    /** @type {Promise<CrankResult>} */
    let result;
    return {
      begin(delivery, answer, when) {
        let left = nextDelay();
        result = new Promise((resolve, reject) => {
          // The delivery runs whole in one macrotask, as it would alone, but at a time of its own.
          const act = () => {
            if (left > 0) {
              left -= 1;
              setImmediate(act);
              return;
            }
            try {
              transport.begin(delivery, answer, when);
              resolve(transport.finish());
            } catch (error) {
              reject(error);
            }
          };
          setImmediate(act);
        });
      },
      finish: () => result,
      close: () => transport.close(),
    };
  };
};
