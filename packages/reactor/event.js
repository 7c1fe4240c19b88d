// An event: a value on its way to a slot, at a tag. Events are pooled and linked.

import { UserError } from '#model';

/** @import { Slot } from './slot.js' */
/** @import { Timer } from './timer.js' */

export class Event {
  constructor() {
    this.timeNs = 0;
    this.microstep = 0;
    this.seq = 0;
    /** @type {Event | null} */
    this.child = null;
    /** @type {Event | null} in the heap, in the list of the next microstep, or among the unused */
    this.sibling = null;
    /** @type {Slot | null} null after it was retracted */
    this.slot = null;
    /** @type {any} */
    this.value = undefined;
    /** @type {Timer | null} */
    this.timer = null;
    /** Whether it waits with its mode, in no queue. */
    this.isSuspended = false;
    // A vat can reach it by its action: a getter would count how often the queue is looked at, which differs in a replay.
    Object.seal(this);
  }
}

/**
 * @param {Slot} slot
 * @param {number} timeNs  of an event for it
 * @throws {UserError} it is beyond the end of time
 */
export const insistTime = (slot, timeNs) => {
  if (timeNs <= Number.MAX_SAFE_INTEGER) return;
  throw new UserError(
    `${slot.owner.path}: an event at ${timeNs} ns; a program's time ends at 2^53-1 ns (104 days)`,
  );
};
