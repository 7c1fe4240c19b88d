// Which crank caused which: a message is sent in one crank and delivered in a later one, a promise is resolved in one and
// notified of in later ones. Krefs tell: a message by its result promise, or by target and body if nobody waits for one.

/** @import { Syscall } from '#model' */
/** @import { Flight } from '#kernel' */

/** @typedef {{ out: number[], in: number[] }} Flows  numbers of arrows that begin and arrive at a crank */

/** So many arrows that have not arrived are remembered; older ones are forgotten, and their arrows not drawn. */
const mostPending = 65_536;

/** Of equal messages to one target. What is sent to a promise arrives elsewhere, so some never arrive under their key. */
const mostEqual = 1_000;

/** So much of a message's body tells it from others to the same target. */
const keptBody = 200;

/** @param {string} target @param {{ body: string }} methargs @param {string | null} result */
const messageKey = (target, { body }, result) =>
  result === null ? `${target} ${body.slice(0, keptBody)}` : `message ${result}`;

/** @param {string} promise */
const notifyKey = promise => `notify ${promise}`;

export const makeFlows = () => {
  /** Numbers of arrows by what will arrive, in the order in which they began. @type {Map<string, number[]>} */
  const pending = new Map();
  let last = 0;

  /** @param {string} key */
  const begin = key => {
    last += 1;
    const waiting = pending.get(key);
    if (waiting === undefined) pending.set(key, [last]);
    else {
      waiting.push(last);
      if (waiting.length > mostEqual) waiting.shift();
    }
    if (pending.size > mostPending)
      pending.delete(/** @type {string} */ (pending.keys().next().value));
    return last;
  };

  /** @param {Syscall} syscall  in krefs */
  const beginOf = syscall => {
    if (syscall[0] === 'send') return [begin(messageKey(syscall[1], syscall[2], syscall[3]))];
    if (syscall[0] !== 'resolve') return [];
    return syscall[1].map(([promise]) => {
      // A promise is resolved once, and all that subscribed hear of it: its arrow goes on from one to the next.
      pending.delete(notifyKey(promise));
      return begin(notifyKey(promise));
    });
  };

  /** @param {string} key */
  const arrive = key => {
    const waiting = pending.get(key);
    const number = waiting?.shift();
    if (waiting?.length === 0) pending.delete(key);
    return number;
  };

  /** @param {Flight['plan']} plan @returns {number[]} */
  const arriveBy = plan => {
    const delivery = plan?.kernelDelivery;
    if (delivery?.[0] === 'message') {
      const [, target, methargs, result] = delivery;
      const number = arrive(messageKey(target, methargs, result));
      return number === undefined ? [] : [number];
    }
    if (delivery?.[0] !== 'notify') return [];
    return delivery[1].flatMap(([promise]) => pending.get(notifyKey(promise)) ?? []);
  };

  return {
    /** @param {Flight} flight  that has been applied @returns {Flows} */
    of({ plan, applied }) {
      // What arrives before what begins: a crank may send itself the same again.
      const arrived = arriveBy(plan);
      return { in: arrived, out: applied.flatMap(beginOf) };
    },
  };
};
