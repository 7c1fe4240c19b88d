// Piles: events of one slot that are due at one tag. The first of them arrives there, and the others one by one at the
// microsteps that follow. Only the first of a pile is among the pending events; if all were, n events would be moved n
// times.

import { TagHeap } from '#schedule';

/** @import { Event } from './event.js' */
/** @import { Slot } from './slot.js' */

/** @param {Event} a @param {Event} b */
const bySeq = (a, b) => a.seq - b.seq;

/** Events that wait for the one before them in their slot. Their order is that of `seq`. */
export class Piles {
  /** @type {Map<Slot, TagHeap<Event>>} */
  #bySlot = new Map();

  /** The first of each pile, which are queued for the next microstep. @type {Set<Event>} */
  #first = new Set();

  get isEmpty() {
    return this.#bySlot.size === 0 && this.#first.size === 0;
  }

  /** @param {Event} event  whether it is the first of a pile, so that it has a `seq` */
  has(event) {
    return this.#first.has(event);
  }

  /** @param {Slot} slot  whether events of it wait here */
  holds(slot) {
    if (this.#bySlot.has(slot)) return true;
    for (const event of this.#first) if (event.slot === slot) return true;
    return false;
  }

  /** @param {Event} event  with a slot that is present at this tag */
  add(event) {
    const slot = /** @type {Slot} */ (event.slot);
    // In a pile only the order of `seq` counts.
    event.timeNs = 0;
    event.microstep = 0;
    let pile = this.#bySlot.get(slot);
    if (pile === undefined) this.#bySlot.set(slot, (pile = new TagHeap()));
    pile.putBack(event);
  }

  /**
   * Takes the first event of each pile, when the events of a tag have arrived.
   *
   * @returns {Event[]} in order
   */
  takeFirst() {
    this.#first.clear();
    for (const [slot, pile] of this.#bySlot) {
      this.#first.add(/** @type {Event} */ (pile.take()));
      if (pile.first === null) this.#bySlot.delete(slot);
    }
    return [...this.#first].sort(bySeq);
  }

  /**
   * Ends all piles.
   *
   * @param {Event[]} listed  the list of the next microstep, if the first of each pile were put into one; they are at its
   *   head, since nothing else is put there before them
   * @returns {Event[]} that list with all events of the piles, in order
   */
  takeAll(listed) {
    const first = listed.slice(0, this.#first.size);
    const rest = [...this.#bySlot.values()].flatMap(pile => pile.drain());
    this.clear();
    return [...[...first, ...rest].sort(bySeq), ...listed.slice(first.length)];
  }

  /** Forgets all events, when the program has ended. */
  clear() {
    this.#bySlot.clear();
    this.#first.clear();
  }
}
