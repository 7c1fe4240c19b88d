// With the fallback of `settle`, a crank is over some turns of the event loop after it has begun. Simulations of one thread
// take turns then: whose crank a promise was rejected in nobody listens to, is known only while one runs.

/** @import { Kernel } from '#kernel' */
/** @import { Settle } from './settle.js' */

/** The crank that is under way with the fallback, of whichever simulation. @type {Promise<void> | null} */
let underWay = null;

/**
 * `kernel.pump`, in turn.
 *
 * @param {Kernel} kernel
 * @param {Settle} settle  its vats'
 * @param {number} limit
 * @param {number} [untilNs]
 * @returns {ReturnType<Kernel['pump']>} where another simulation has a crank under way: no crank, and when that is over
 */
export const pumpInTurn = (kernel, { kind }, limit, untilNs) => {
  if (underWay !== null) return { cranks: 0, waiting: underWay };
  const pumped = kernel.pump(limit, untilNs);
  // Any other wait, as for a vat on another thread, holds up its own simulation alone.
  if (pumped.waiting !== null && kind === 'immediate') {
    const over = () => {
      underWay = null;
    };
    underWay = pumped.waiting.then(over, over);
  }
  return pumped;
};
