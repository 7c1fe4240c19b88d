// With the fallback of `drain`, a crank lasts some turns of the event loop. Then simulations in one thread take turns:
// an unhandled rejection can be attributed to a vat only while a single crank runs.

/** @import { Kernel } from '#kernel' */
/** @import { Drain } from './drain-jobs.js' */

/** The crank of any simulation that is under way with the fallback. @type {Promise<void> | null} */
let underWay = null;

/**
 * `kernel.pump`, in turn.
 *
 * @param {Kernel} kernel
 * @param {Drain} drain  its vats'
 * @param {number} limit
 * @param {number} [untilNs]
 * @param {number} [pauseAfter]
 * @returns {ReturnType<Kernel['pump']>} while another simulation has a crank under way: no crank, and a promise for its
 *   end
 */
export const pumpInTurn = (kernel, { kind }, limit, untilNs, pauseAfter) => {
  if (underWay !== null) return { cranks: 0, waiting: underWay };
  const pumped = kernel.pump(limit, untilNs, undefined, pauseAfter);
  // Any other wait, as for a vat on another thread, delays only its own simulation.
  if (pumped.waiting !== null && kind === 'immediate') {
    const over = () => {
      underWay = null;
    };
    underWay = pumped.waiting.then(over, over);
  }
  return pumped;
};
