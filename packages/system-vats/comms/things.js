// The objects and promises in comms' tables. Each is one entry, whatever the kernel and the remotes call it.

/** @import { Remote } from './remote.js' */

/** An object of a vat of this machine (the kernel's), or of a remote. */
export class CommsObject {
  /** The number of importers that can reach it, and of mentions in data of settled promises. */
  reachers = 0;

  /** The number of importers that have a name for it, and of these mentions. */
  recognizers = 0;

  /** Sides that have a name for it and do not own it; null for the kernel. @type {Set<Remote | null>} */
  importers = new Set();

  /**
   * @param {Remote | null} owner  null for the kernel
   * @param {number} number  in the order in which comms met the objects
   */
  constructor(owner, number) {
    this.owner = owner;
    this.number = number;
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

  /** The number of names that it has, in the kernel and at remotes, and of mentions in data of settled promises. */
  names = 0;

  /** @type {{ rejected: boolean, data: CommsData } | null} null while it is unresolved */
  outcome = null;

  /** The number of the string that told a remote that it decides this; 0 if the promise came from it. */
  decidedSince = 0;

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
 * The settled promises that data mentions, directly or through each other, without the excluded ones: each before those that
 * its own data mentions, as in SwingSet.
 *
 * @param {readonly CommsPromise[]} known  settled promises, which begin the list; those in their data follow
 * @param {readonly Thing[]} slots  further mentions
 * @param {(promise: CommsPromise) => boolean} [isTold]  excludes promises whose outcome was sent
 */
export const collectSettled = (known, slots, isTold = () => false) => {
  const found = new Set(known);
  const mentioned = known.map(({ outcome }) => outcome?.data.slots ?? []);
  const pending = [...mentioned, slots].flat().reverse();
  for (;;) {
    const thing = pending.pop();
    if (thing === undefined) return [...found];
    if (!(thing instanceof CommsPromise) || thing.outcome === null) continue;
    if (found.has(thing) || isTold(thing)) continue;
    found.add(thing);
    for (const slot of thing.outcome.data.slots.toReversed()) pending.push(slot);
  }
};
