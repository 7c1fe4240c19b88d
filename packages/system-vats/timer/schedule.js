// A schedule of events by time, and within one time in the order of their additions. It is a binary heap of times, each
// with its events and its position in the heap: adding, removing and taking cost O(log n), and a removed event leaves
// nothing behind.

import { ChurnMap } from '#model';

/**
 * @template E
 * @typedef {{ time: number, place: number, events: Set<E> }} Moment  `place`: position in the heap */

/** @template E */
export class Schedule {
  /** @type {Moment<E>[]} earliest at 0 */
  #heap = [];

  /** @type {ChurnMap<number, Moment<E>>} */
  #moments = new ChurnMap();

  /** The earliest time with an event. @returns {number | undefined} */
  get first() {
    return this.#heap.length === 0 ? undefined : this.#heap[0].time;
  }

  /** Whether it has no events. */
  get isEmpty() {
    return this.#heap.length === 0;
  }

  /**
   * @param {number} time
   * @param {E} event  not in the schedule
   */
  add(time, event) {
    let moment = this.#moments.get(time);
    if (moment === undefined) {
      moment = { time, place: this.#heap.length, events: new Set() };
      this.#moments.set(time, moment);
      this.#heap.push(moment);
      this.#rise(moment);
    }
    moment.events.add(event);
  }

  /**
   * @param {number} time  the time of its addition to the schedule
   * @param {E} event
   */
  remove(time, event) {
    const moment = this.#moments.get(time);
    if (moment === undefined || !moment.events.delete(event)) return;
    if (moment.events.size === 0) this.#remove(moment);
  }

  /**
   * Take all events that are due.
   *
   * @param {number} time  the present
   * @returns {E[]} in the order of their times; those of one time in the order in which they were added
   */
  takeUpTo(time) {
    /** @type {E[]} */
    const due = [];
    while (this.#heap.length > 0 && this.#heap[0].time <= time) {
      const [moment] = this.#heap;
      for (const event of moment.events) due.push(event);
      this.#remove(moment);
    }
    return due;
  }

  /** @param {Moment<E>} moment */
  #remove(moment) {
    this.#moments.delete(moment.time);
    const last = /** @type {Moment<E>} */ (this.#heap.pop());
    if (last === moment) return;
    // The last moment fills the gap, and may have to move up or down.
    last.place = moment.place;
    this.#heap[last.place] = last;
    this.#rise(last);
    this.#sink(last);
  }

  /** @param {Moment<E>} moment */
  #rise(moment) {
    const heap = this.#heap;
    let { place } = moment;
    while (place > 0) {
      const parent = heap[(place - 1) >> 1];
      if (parent.time < moment.time) break;
      heap[place] = parent;
      const above = parent.place;
      parent.place = place;
      place = above;
    }
    heap[place] = moment;
    moment.place = place;
  }

  /** @param {Moment<E>} moment */
  #sink(moment) {
    const heap = this.#heap;
    let { place } = moment;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && heap[below + 1].time < heap[below].time) below += 1;
      const child = heap[below];
      if (child.time > moment.time) break;
      heap[place] = child;
      child.place = place;
      place = below;
    }
    heap[place] = moment;
    moment.place = place;
  }
}
