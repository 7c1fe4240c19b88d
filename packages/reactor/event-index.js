// Pending events by slot, for what takes events out of turn: a slot has a set of its own. An event that is taken away
// stays in the heap, without a slot, until its turn.

import { Event } from './event.js';

/** @import { TagHeap } from '#schedule' */
/** @import { Slot } from './slot.js' */

/** @param {Event} event @param {Slot} slot  whose pending event it becomes */
export const enlist = (event, slot) => {
  slot.events ??= new Set();
  slot.events.add(event);
};

/**
 * Removes events without a slot from a heap.
 *
 * @param {TagHeap<Event>} heap
 * @param {(event: Event) => void} [onKept]  called for each of the others
 */
export const clearHeap = (heap, onKept = undefined) => {
  for (const event of heap.drain()) {
    if (event.slot === null) continue;
    heap.putBack(event);
    onKept?.(event);
  }
};

/**
 * Makes an event that stands for one that stays in the heap.
 *
 * @param {Event} original
 */
export const standIn = original => {
  const { timeNs, microstep, seq, slot, value, timer } = original;
  const event = Object.assign(new Event(), { timeNs, microstep, seq, slot, value, timer });
  // Its action may still replace it.
  const { owner } = /** @type {Slot} */ (slot);
  if (owner.lastEvent === original) owner.lastEvent = event;
  return event;
};
