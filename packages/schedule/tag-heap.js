// Events in tag order, linked through the events themselves: a pairing heap. Nothing is allocated and no array is
// written (in a locked-down realm an indexed store is slow: docs/v8-in-a-locked-down-realm.md). One event alone is the root,
// and is put in and taken out without a comparison. Events of one tag come out in the order in which they were put in.
//
//   root ──▶ (1 ms, 0)            child ↓  sibling →
//              (3 ms, 0) → (2 ms, 0) → (2 ms, 1)
//                 (5 ms, 0)
//
// Beyond some ten thousands of events most lie in an array beside it (wide-tag-heap.js), which is quicker then. The
// earliest is always at the root here.

import { WideTagHeap, isBefore } from './wide-tag-heap.js';

/** Up to so many events are in the pairing heap; about there the array becomes quicker. */
const fewEvents = 2 ** 15;

/** @import { Ordered } from './wide-tag-heap.js' */

/**
 * The fields of an event that the heap uses. It alone writes `seq`, `child` and `sibling`.
 *
 * @typedef {Ordered & { child: any, sibling: any }} Tagged
 */

/**
 * The earlier of two roots becomes the parent of the other.
 *
 * @template {Tagged} T
 * @param {T} left
 * @param {T} right
 * @returns {T}
 */
const meld = (left, right) => {
  if (isBefore(right, left)) {
    left.sibling = right.child;
    right.child = left;
    return right;
  }
  right.sibling = left.child;
  left.child = right;
  return left;
};

/** @template {Tagged} T */
export class TagHeap {
  constructor() {
    /** @type {T | null} the earliest event; read only */
    this.first = null;
    this.nextSeq = 0;
    /** Events in the pairing heap. */
    this.few = 0;
    /** @type {WideTagHeap<T> | null} the others, which are later than the first */
    this.wide = null;
  }

  get size() {
    return this.few + (this.wide === null ? 0 : this.wide.size);
  }

  /** @param {T} event  in no heap */
  push(event) {
    event.seq = this.nextSeq;
    this.nextSeq += 1;
    this.putBack(event);
  }

  /** @param {T} event  with a number that it had before: among those of its tag it comes by that */
  putBack(event) {
    const { first } = this;
    if (this.few < fewEvents || first === null || isBefore(event, first)) {
      this.#push(event);
    } else {
      this.wide ??= new WideTagHeap();
      this.wide.push(event);
    }
  }

  /**
   * The earliest event; the heap forgets it.
   *
   * @returns {T | null}
   */
  take() {
    const { first } = this;
    if (first === null) return null;
    this.few -= 1;
    /** @type {T | null} */
    let rest = first.child;
    if (rest !== null && rest.sibling !== null) rest = this.#pair(rest);
    this.first = rest;
    first.child = null;
    if (this.wide !== null) this.#fetch(this.wide);
    return first;
  }

  /** All events, in tag order; the heap is empty afterwards. */
  drain() {
    /** @type {T[]} */
    const events = [];
    for (let event = this.take(); event !== null; event = this.take()) events.push(event);
    return events;
  }

  /** @param {T} event */
  #push(event) {
    event.child = null;
    event.sibling = null;
    this.few += 1;
    const { first } = this;
    this.first = first === null ? event : meld(first, event);
  }

  /**
   * If the earliest of the others is the earliest of all, it comes here.
   *
   * @param {WideTagHeap<T>} wide
   */
  #fetch(wide) {
    const { first } = wide;
    if (first === null) this.wide = null;
    else if (this.first === null || isBefore(first, this.first)) {
      wide.take();
      this.#push(first);
    }
  }

  /**
   * Siblings two by two from the left, then all pairs into one from the right: amortised O(log n) a `take`.
   *
   * @param {T} sibling  the first of them
   * @returns {T}
   */
  #pair(sibling) {
    /** @type {T | null} */
    let left = sibling;
    /** @type {T | null} pairs, the last one first */
    let pairs = null;
    while (left !== null) {
      /** @type {T | null} */
      const right = left.sibling;
      if (right === null) {
        left.sibling = pairs;
        pairs = left;
        break;
      }
      /** @type {T | null} */
      const next = right.sibling;
      const pair = meld(left, right);
      pair.sibling = pairs;
      pairs = pair;
      left = next;
    }
    let root = /** @type {T} */ (pairs);
    pairs = root.sibling;
    root.sibling = null;
    while (pairs !== null) {
      /** @type {T | null} */
      const next = pairs.sibling;
      pairs.sibling = null;
      root = meld(root, pairs);
      pairs = next;
    }
    return root;
  }
}
