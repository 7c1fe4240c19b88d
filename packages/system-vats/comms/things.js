// Objects and promises that comms knows on several sides. Each is one entry here, whatever the kernel and the remotes
// call it.

/** @import { Remote } from './remote.js' */

/** An object: the kernel's, that is of a vat of this machine, or a remote's. */
export class CommsObject {
  /** @param {Remote | null} owner  null for the kernel */
  constructor(owner) {
    this.owner = owner;
  }
}

/**
 * Data with things in its slots.
 *
 * @typedef {{ body: string, slots: Thing[] }} CommsData
 */

/**
 * The side that settles a promise. `comms` is the state between two others: the right to decide goes from the kernel or a remote
 * through comms to the kernel or a remote, within one delivery.
 *
 * @typedef {'kernel' | 'comms' | Remote} Decider
 */

/**
 * A promise. While it is open, these hold: its decider knows it; every remote that knows it and is not its decider is a
 * subscriber; the kernel, if it knows it and is not its decider, is one too.
 */
export class CommsPromise {
  /** @type {Set<Remote>} in the order in which they came */
  subscribers = new Set();

  kernelIsSubscribed = false;

  /** @type {{ rejected: boolean, data: CommsData } | null} null while it is open */
  outcome = null;

  /** @param {Decider} decider */
  constructor(decider) {
    /** @type {Decider} */
    this.decider = decider;
  }
}

/** @typedef {CommsObject | CommsPromise} Thing */

/** @typedef {[promise: CommsPromise, rejected: boolean, data: CommsData]} Settlement */

/** @typedef {{ target: Thing, methargs: CommsData, result: CommsPromise | null }} Message  whose result is for comms to decide */

/**
 * The settled promises that data mentions, directly or through each other, but those that are excluded.
 *
 * @param {readonly CommsPromise[]} known  settled ones; begins the list, and what their data mentions follows
 * @param {readonly Thing[]} slots  mentioned as well
 * @param {(promise: CommsPromise) => boolean} [isTold]  not again
 */
export const collectSettled = (known, slots, isTold = () => false) => {
  const found = new Set(known);
  const add = (/** @type {Thing} */ thing) => {
    if (thing instanceof CommsPromise && thing.outcome !== null && !isTold(thing)) found.add(thing);
  };
  slots.forEach(add);
  // The set grows while it is gone through.
  for (const { outcome } of found) outcome?.data.slots.forEach(add);
  return [...found];
};
