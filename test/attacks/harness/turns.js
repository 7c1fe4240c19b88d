// As many attacks are tried at once as there are processors, one after the other, so that each ends soon.

import os from 'node:os';

const atOnce = Math.max(2, os.availableParallelism());
let running = 0;
/** @type {((value: unknown) => void)[]} */
const waiting = [];

/**
 * @template T
 * @param {() => Promise<T>} work  begun when its turn has come, in the order of the calls
 */
export const inTurn = async work => {
  if (running < atOnce) running += 1;
  else await new Promise(resolve => waiting.push(resolve));
  try {
    return await work();
  } finally {
    // The next waiting caller takes the place.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next(undefined);
  }
};
