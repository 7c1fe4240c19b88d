// Events in tag order: a pairing heap linked through the events themselves. Nothing is allocated and no array is
// written (in a locked-down realm an indexed store is slow: docs/v8-in-a-locked-down-realm.md). A single event is the
// root, and is added and removed without a comparison. Events of one tag come out in the order of insertion.
//
//   root ──▶ (1 ms, 0)            child ↓  sibling →
//              (3 ms, 0) → (2 ms, 0) → (2 ms, 1)
//                 (5 ms, 0)
//
// Beyond some ten thousands of events most are in an array beside it (wide-tag-heap.js), which is faster then. The
// earliest event is always the root here.

import { WideTagHeap, isBefore } from './wide-tag-heap.js';

/** Events in the pairing heap, at most; at about this size the array becomes faster. */
const fewEvents = 2 ** 15;

/** @import { Ordered } from './wide-tag-heap.js' */

/**
 * The fields of an event that the heap uses. Only the heap writes `seq`, `child` and `sibling`.
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
    /** The number of events in the pairing heap. */
    this.few = 0;
    /** @type {WideTagHeap<T> | null} the other events, which are later than the first */
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

  /** @param {T} event  with its former `seq`, which gives its place among the events of its tag */
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
   * Removes and returns the earliest event.
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
   * Moves the earliest event of the array here if it is the earliest of all.
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
   * Melds siblings in pairs from the left, then all pairs into one from the right: amortised O(log n) for a `take`.
   *
   * @param {T} sibling  the first sibling
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
