// The pending events by tag, and the present tag. The scheduler is built on it.
//
// An event for the next microstep goes to the end of a list, others into a heap. Events are pooled and everything is
// linked, so that an event allocates nothing.
//
// Events are taken out of turn when a mode is left or a reactor is removed. From the first time on each slot has a set of
// its pending events, so that this takes time by the number of those events, not of all.

import { TagHeap } from '#schedule';
import { Event, insistTime } from './event.js';
import { clearHeap, enlist, standIn } from './event-index.js';
import { Piles } from './piles.js';

/** @import { Slot } from './slot.js' */
/** @import { Timer } from './timer.js' */
/** @import { Clock } from './system-clock.js' */

/** Events that were taken away and stay in the heap, before it is looked through. */
const mostGone = 64;

// eslint-disable-next-line house/max-class-lines -- heap, list and pool of events are private and linked; a call across objects costs time in each event
export class PendingEvents {
  /** @type {TagHeap<Event>} */
  #later = new TagHeap();

  /** @type {Event | null} events of the next microstep, first in, first out */
  #next = null;

  /** @type {Event | null} */
  #nextLast = null;

  /** @type {Event | null} */
  #unused = null;

  /** Events that wait for others of their slots at one time; the first of each slot is among the others here. */
  #piles = new Piles();

  /** Whether each slot has a set of its pending events. */
  #isIndexed = false;

  /** Events that were taken out of turn or retracted since the heap was last cleared of them, at most. */
  #gone = 0;

  /** Whether there must be a next microstep even without an event, because a mode is entered. */
  #wantsMicrostep = false;

  /** The time of such a microstep that is no longer the next one because a host has moved on; Infinity for none. */
  #wantedTimeNs = Infinity;

  #wantedMicrostep = 0;

  /** Whether the present tag is one that a host moved to and that has not begun: its events may still arrive. */
  #isBefore = false;

  /** Whether an event was scheduled after the end, so that the program does not starve before it. */
  #isBeyond = false;

  /** Whether events were scheduled at a given microstep, which others may reach by going to consecutive microsteps. */
  #isNumbered = false;

  /** @param {Clock} clock */
  constructor(clock) {
    this.clock = clock;
    /** The present tag; before the start it is one microstep before the first. */
    this.timeNs = 0;
    this.microstep = -1;
    this.nextTimeNs = 0;
    this.nextMicrostep = 0;
    /** The time of the program's last tag. */
    this.stopTimeNs = Infinity;
    this.stopMicrostep = 0;
    this.isInTag = false;
    this.hasStopped = false;
    /** Called when an event was scheduled between tags, so that a sleeping host can check again. */
    this.onWake = () => {};
    /** Destinations of delayed connections that were cut: their events are dropped when the tag ends. @type {Set<Slot>} */
    this.severed = new Set();
    this.events = 0;
  }

  /**
   * @param {Slot} slot
   * @param {number} delayNs  0 is the next microstep
   * @param {unknown} value
   * @returns {Event | null} null if the program ends before
   */
  schedule(slot, delayNs, value) {
    if (delayNs === 0) return this.#scheduleNext(slot, value);
    return this.scheduleAt(slot, this.timeNs + delayNs, 0, value);
  }

  /**
   * @param {Slot} slot
   * @param {number} timeNs  later than the present time, or equal with a later microstep
   * @param {number} microstep
   * @param {unknown} value
   */
  scheduleAt(slot, timeNs, microstep, value) {
    if (timeNs > this.stopTimeNs && !slot.owner.keepsEvents) {
      this.#isBeyond = true;
      return null;
    }
    insistTime(slot, timeNs);
    const event = this.#take(slot, value);
    event.timeNs = timeNs;
    event.microstep = microstep;
    this.#later.push(event);
    if (!this.isInTag) this.onWake();
    return event;
  }

  /**
   * Schedules an event at a given microstep. Events of one action at one tag go to consecutive microsteps in the order
   * in which they were scheduled, so from now on each event keeps its number when it is moved.
   *
   * @param {Slot} slot
   * @param {number} timeNs
   * @param {number} microstep
   * @param {unknown} value
   */
  scheduleAtMicrostep(slot, timeNs, microstep, value) {
    if (!this.#isNumbered) {
      this.#unpile();
      this.#isNumbered = true;
      for (let event = this.#next; event !== null; event = event.sibling) this.#number(event);
    }
    const isNext = timeNs === this.timeNs && microstep === this.microstep + 1;
    if (isNext) return this.#scheduleNext(slot, value);
    return this.scheduleAt(slot, timeNs, microstep, value);
  }

  /** @param {Event} event  numbered as if it were put into the heap now */
  #number(event) {
    event.seq = this.#later.nextSeq;
    this.#later.nextSeq += 1;
  }

  /**
   * Moves to a tag at which the host may schedule events before the tag begins, or without it ever beginning. Events
   * scheduled from now on are scheduled as of this tag. Called between tags.
   *
   * @param {number} timeNs
   * @param {number} microstep  not after the tag of the next event, and not before the present one
   */
  moveTo(timeNs, microstep) {
    if (timeNs === this.timeNs && microstep === this.microstep) return;
    // The next microstep changes.
    this.#unpile();
    if (this.#next !== null) this.#drainNext(event => this.#later.push(event));
    if (this.#wantsMicrostep) {
      this.#wantedTimeNs = this.timeNs;
      this.#wantedMicrostep = this.microstep + 1;
      this.#wantsMicrostep = false;
    }
    this.timeNs = timeNs;
    this.microstep = microstep;
    this.#isBefore = true;
  }

  /** @param {Event} event  pending, or suspended with its mode; it will not arrive */
  retract(event) {
    // The event may be the one that those behind it wait for.
    this.#unpile();
    // An event that is suspended with its mode is not counted as pending.
    if (!event.isSuspended) {
      const slot = /** @type {Slot} */ (event.slot);
      slot.region.pending -= 1;
      slot.events?.delete(event);
    }
    this.#abandon(event);
  }

  /** Asks for a next microstep, even without an event. */
  wantMicrostep() {
    if (this.#isBefore) {
      this.#wantedTimeNs = this.timeNs;
      this.#wantedMicrostep = this.microstep + 1;
    } else {
      this.#wantsMicrostep = true;
    }
  }

  /** Whether there is a next tag; sets `nextTimeNs` and `nextMicrostep`. */
  prepareTag() {
    if (this.hasStopped) return false;
    if (this.#next !== null || this.#wantsMicrostep) {
      this.nextTimeNs = this.timeNs;
      this.nextMicrostep = this.microstep + 1;
    } else {
      let { first } = this.#later;
      while (first !== null && first.slot === null) {
        this.#later.take();
        this.#release(first);
        first = this.#later.first;
      }
      if (first === null) this.chooseTag(this.stopTimeNs, this.stopMicrostep);
      else this.chooseTag(first.timeNs, first.microstep);
      if (this.#wantedTimeNs !== Infinity) this.#prepareWanted();
      if (this.nextTimeNs === Infinity) return false;
    }
    if (
      this.nextTimeNs > this.stopTimeNs ||
      (this.nextTimeNs === this.stopTimeNs && this.nextMicrostep > this.stopMicrostep)
    ) {
      this.nextTimeNs = this.stopTimeNs;
      this.nextMicrostep = this.stopMicrostep;
    }
    return true;
  }

  #prepareWanted() {
    if (
      this.#wantedTimeNs > this.nextTimeNs ||
      (this.#wantedTimeNs === this.nextTimeNs && this.#wantedMicrostep >= this.nextMicrostep)
    )
      return;
    this.nextTimeNs = this.#wantedTimeNs;
    this.nextMicrostep = this.#wantedMicrostep;
  }

  /** Whether only the end of the program is pending. */
  isStarved() {
    return (
      this.#next === null && !this.#wantsMicrostep && this.#later.first === null && !this.#isBeyond
    );
  }

  /**
   * Chooses another next tag than the one that `prepareTag` found.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  chooseTag(timeNs, microstep) {
    this.nextTimeNs = timeNs;
    this.nextMicrostep = microstep;
  }

  /** Makes the tag that `prepareTag` found the present one. */
  enterTag() {
    this.timeNs = this.nextTimeNs;
    this.microstep = this.nextMicrostep;
    this.isInTag = true;
    this.#isBefore = false;
  }

  /** Makes the events of the present tag present. */
  arriveAll() {
    const { timeNs, microstep } = this;
    // Events in the heap for this tag were scheduled before those in the list.
    const later = this.#later;
    for (;;) {
      const { first } = later;
      if (first === null) break;
      // An event that was taken away may be of a former tag.
      if ((first.microstep !== microstep || first.timeNs !== timeNs) && first.slot !== null) break;
      later.take();
      this.#arrive(first);
    }
    if (this.#next !== null) this.#arriveNext();
    if (!this.#piles.isEmpty) for (const event of this.#piles.takeFirst()) this.#queueNext(event);
    this.#wantsMicrostep = false;
    this.#wantedTimeNs = Infinity;
  }

  /** Removes all events, when the program has ended. */
  clearEvents() {
    this.#later.drain();
    this.#next = null;
    this.#piles.clear();
  }

  /**
   * Takes all pending events of some slots out of turn: those of inactive modes and of removed reactors.
   *
   * @param {ReadonlySet<Slot>} slots
   * @returns {Event[]} in the order in which they would have arrived
   */
  takeEvents(slots) {
    if (!this.#isIndexed) this.#index();
    const waiting = [...slots].filter(({ events }) => events !== null && events.size > 0);
    if (waiting.some(slot => this.#piles.holds(slot))) this.#unpile();
    /** @type {Event[]} */
    const next = [];
    this.#drainNext((event, slot) => {
      if (!slots.has(slot)) {
        this.#append(event);
        return;
      }
      next.push(event);
      /** @type {Set<Event>} */ (slot.events).delete(event);
    });
    /** @type {TagHeap<Event>} */
    const later = new TagHeap();
    for (const slot of waiting) {
      const events = /** @type {Set<Event>} */ (slot.events);
      slot.region.pending -= events.size;
      slot.events = null;
      for (const event of events) {
        later.putBack(standIn(event));
        this.#abandon(event);
      }
    }
    for (const event of next) {
      /** @type {Slot} */ (event.slot).region.pending -= 1;
      // Events of later microsteps are in the heap only if all are numbered.
      if (this.#isNumbered) later.putBack(event);
    }
    return this.#isNumbered ? later.drain() : [...later.drain(), ...next];
  }

  /**
   * Puts an event back that was taken out. It stays the same object: its action may still replace it.
   *
   * @param {Event} event
   * @param {number} delayNs  from now
   */
  putEvent(event, delayNs) {
    event.isSuspended = false;
    const { slot } = event;
    if (slot === null) {
      this.#release(event);
      return;
    }
    const timeNs = this.timeNs + delayNs;
    if (timeNs > this.stopTimeNs && !slot.owner.keepsEvents) {
      this.#isBeyond = true;
      this.#release(event);
      return;
    }
    insistTime(slot, timeNs);
    slot.region.pending += 1;
    if (this.#isIndexed) enlist(event, slot);
    event.timeNs = timeNs;
    event.microstep = delayNs === 0 ? this.microstep + 1 : 0;
    if (delayNs > 0 || this.#isBefore) {
      this.#later.push(event);
      return;
    }
    if (this.#isNumbered) this.#number(event);
    this.#append(event);
  }

  /** @param {Event} event  taken out; it will not arrive */
  forget(event) {
    event.isSuspended = false;
    this.#release(event);
  }

  /**
   * @param {Slot} slot
   * @param {unknown} value
   */
  #scheduleNext(slot, value) {
    if (this.#isBefore) return this.scheduleAt(slot, this.timeNs, this.microstep + 1, value);
    const event = this.#take(slot, value);
    if (this.#isNumbered) this.#number(event);
    this.#append(event);
    if (!this.isInTag) this.onWake();
    return event;
  }

  /**
   * Empties the list of the next microstep, and gives its events their tag.
   *
   * @param {(event: Event, slot: Slot) => void} put  takes each event that was not retracted; it may append it again
   */
  #drainNext(put) {
    let event = this.#next;
    this.#next = null;
    this.#nextLast = null;
    while (event !== null) {
      const after = event.sibling;
      event.timeNs = this.timeNs;
      event.microstep = this.microstep + 1;
      if (event.slot === null) this.#release(event);
      else put(event, event.slot);
      event = after;
    }
  }

  /** @param {Event} event */
  #append(event) {
    event.sibling = null;
    if (this.#next === null) this.#next = event;
    else /** @type {Event} */ (this.#nextLast).sibling = event;
    this.#nextLast = event;
  }

  /**
   * @param {Slot} slot
   * @param {unknown} value
   */
  #take(slot, value) {
    let event = this.#unused;
    if (event === null) event = new Event();
    else this.#unused = event.sibling;
    event.slot = slot;
    event.value = value;
    slot.region.pending += 1;
    if (this.#isIndexed) enlist(event, slot);
    return event;
  }

  /** @param {Event} event */
  #release(event) {
    event.slot = null;
    event.value = undefined;
    event.timer = null;
    event.sibling = this.#unused;
    this.#unused = event;
  }

  #arriveNext() {
    let event = this.#next;
    this.#next = null;
    this.#nextLast = null;
    while (event !== null) {
      const after = event.sibling;
      this.#arrive(event);
      event = after;
    }
  }

  /** @param {Event} event */
  #arrive(event) {
    const { slot, timer } = event;
    if (slot === null) {
      this.#release(event);
      return;
    }
    const { region } = slot;
    if (slot.present) {
      // The later of two events of one action at one tag goes to the next microstep, so that none is lost.
      if (!this.#isNumbered && !this.#piles.has(event)) this.#number(event);
      this.#piles.add(event);
      return;
    }
    this.events += 1;
    region.write(slot, event.value);
    if (timer !== null && timer.periodNs > 0) {
      const timeNs = this.timeNs + timer.periodNs;
      if (timeNs <= this.stopTimeNs && timeNs <= Number.MAX_SAFE_INTEGER) {
        event.timeNs = timeNs;
        event.microstep = 0;
        this.#later.push(event);
        return;
      }
      this.#isBeyond = true;
    }
    region.pending -= 1;
    if (slot.events !== null) slot.events.delete(event);
    this.#release(event);
  }

  /** Gives each slot a set of its pending events. */
  #index() {
    this.#isIndexed = true;
    this.#unpile();
    clearHeap(this.#later, event => enlist(event, /** @type {Slot} */ (event.slot)));
    for (let event = this.#next; event !== null; event = event.sibling)
      if (event.slot !== null) enlist(event, event.slot);
  }

  /** @param {Event} event  stays where it is until its turn, or until most in the heap are like it */
  #abandon(event) {
    event.slot = null;
    event.value = undefined;
    event.timer = null;
    this.#gone += 1;
    if (this.#gone <= mostGone || 2 * this.#gone <= this.#later.size) return;
    this.#gone = 0;
    clearHeap(this.#later);
  }

  /** @param {Event} event  of a pile; it goes to the next microstep, before events that were scheduled there later */
  #queueNext(event) {
    event.timeNs = this.timeNs;
    event.microstep = this.microstep + 1;
    if (this.#isNumbered) this.#later.putBack(event);
    else this.#append(event);
  }

  /** Queues all events of piles for the next microstep, for what looks at each event. */
  #unpile() {
    if (this.#piles.isEmpty) return;
    /** @type {Event[]} */
    const listed = [];
    if (!this.#isNumbered) {
      for (let event = this.#next; event !== null; event = event.sibling) listed.push(event);
      this.#next = null;
    }
    for (const event of this.#piles.takeAll(listed)) this.#queueNext(event);
  }
}
