// The objects and promises in comms' tables. Each is one entry, whatever the kernel and the remotes call it.

/** @import { Remote } from './remote.js' */

/** An object of a vat of this machine (the kernel's), or of a remote. */
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
 * A promise. While it is unresolved, these invariants hold: its decider has a name for it; every other remote with a
 * name for it is a subscriber; so is the kernel, if it has a name for it and is not its decider.
 */
export class CommsPromise {
  /** @type {Set<Remote>} in the order of their subscriptions */
  subscribers = new Set();

  kernelIsSubscribed = false;

  /** @type {{ rejected: boolean, data: CommsData } | null} null while it is unresolved */
  outcome = null;

  /** @param {Decider} decider */
  constructor(decider) {
    /** @type {Decider} */
    this.decider = decider;
  }
}

/** @typedef {CommsObject | CommsPromise} Thing */

/** @typedef {[promise: CommsPromise, rejected: boolean, data: CommsData]} Settlement */

/** @typedef {{ target: Thing, methargs: CommsData, result: CommsPromise | null }} Message  comms decides its result */

/**
 * The settled promises that data mentions, directly or through each other, without the excluded ones.
 *
 * @param {readonly CommsPromise[]} known  settled promises, which begin the list; those in their data follow
 * @param {readonly Thing[]} slots  further mentions
 * @param {(promise: CommsPromise) => boolean} [isTold]  excludes promises whose outcome was sent
 */
export const collectSettled = (known, slots, isTold = () => false) => {
  const found = new Set(known);
  const add = (/** @type {Thing} */ thing) => {
    if (thing instanceof CommsPromise && thing.outcome !== null && !isTold(thing)) found.add(thing);
  };
  slots.forEach(add);
  // The set grows during this iteration.
  for (const { outcome } of found) outcome?.data.slots.forEach(add);
  return [...found];
};
