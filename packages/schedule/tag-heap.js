// Events in tag order, linked through the events themselves: a pairing heap. Nothing is allocated and no array is
// written (in a locked-down realm an indexed store costs tens of nanoseconds); one event alone is its root, and is put
// in and taken out without a comparison. Events of one tag come out in the order in which they were put in.
//
//   root ──▶ (1 ms, 0)            child ↓  sibling →
//              (3 ms, 0) → (2 ms, 0) → (2 ms, 1)
//                 (5 ms, 0)

/**
 * What the heap reads and writes of an event. `seq`, `child` and `sibling` are the heap's own.
 *
 * @typedef {object} Tagged
 * @property {number} timeNs
 * @property {number} microstep
 * @property {number} seq
 * @property {any} child
 * @property {any} sibling
 */

/**
 * @param {Tagged} left
 * @param {Tagged} right
 */
const isBefore = (left, right) =>
  left.timeNs !== right.timeNs
    ? left.timeNs < right.timeNs
    : left.microstep !== right.microstep
      ? left.microstep < right.microstep
      : left.seq < right.seq;

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
    this.size = 0;
    this.nextSeq = 0;
  }

  /** @param {T} event  in no heap */
  push(event) {
    event.seq = this.nextSeq;
    this.nextSeq += 1;
    event.child = null;
    event.sibling = null;
    this.size += 1;
    const { first } = this;
    this.first = first === null ? event : meld(first, event);
  }

  /**
   * The earliest event; the heap forgets it.
   *
   * @returns {T | null}
   */
  take() {
    const { first } = this;
    if (first === null) return null;
    this.size -= 1;
    /** @type {T | null} */
    let rest = first.child;
    if (rest !== null && rest.sibling !== null) rest = this.#pair(rest);
    this.first = rest;
    first.child = null;
    return first;
  }

  /** All events, in tag order; the heap is empty afterwards. */
  drain() {
    /** @type {T[]} */
    const events = [];
    for (let event = this.take(); event !== null; event = this.take()) events.push(event);
    return events;
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
