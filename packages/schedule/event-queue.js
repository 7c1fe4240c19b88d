// The event queue: items in tag order, within a tag by class, within a class as queued (reactions: by stage,
// then vat). This order is the order of cranks, so everything that is deterministic rests on it.
//
//   tags (heap)      classes of one tag        items
//   (0, 5) ───────▶  control    ──▶ [a, b]     first in, first out
//   (0, 6)           messages   ──▶ [c, d, e]  first in, first out
//   (1 ms, 0)        reactions  ──▶ [f]        by stage, then vat number
//
// Nearly always there are two tags: the present one and its next microstep. Both are found without a look-up.

import { ChurnMap, compareTags } from '#model';

/** Classes in their order at one tag. */
export const classes = Object.freeze({ control: 0, message: 1, reaction: 2 });

/**
 * The fields of an item that the queue reads; the rest belongs to the caller who queued it.
 *
 * @typedef {object} Queued
 * @property {number} timeNs
 * @property {number} microstep
 * @property {number} class  one of `classes`
 * @property {number} stage  0 unless a reaction
 * @property {number} vatNumber  0 unless a reaction
 */

/** Taken slots at the front of a queue that may stay. Each scavenge would copy many more. */
const fewTaken = 64;

/**
 * A queue of one class at one tag: an array read from the front by an index, so that taking costs nothing.
 *
 * @template T
 */
class Fifo {
  constructor() {
    /** @type {T[]} */
    this.items = [];
    this.head = 0;
  }

  get size() {
    return this.items.length - this.head;
  }

  /** @param {T} item */
  putBack(item) {
    if (this.head > 0) {
      this.head -= 1;
      this.items[this.head] = item;
    } else {
      this.items.unshift(item);
    }
  }

  /** @param {T} item  in the queue */
  remove(item) {
    // An item that is removed out of turn was usually queued recently, so search from the end.
    this.items.splice(this.items.lastIndexOf(item), 1);
  }

  take() {
    const item = this.items[this.head];
    // The slot is cleared so that a taken item can be collected.
    this.items[this.head] = /** @type {any} */ (undefined);
    this.head += 1;
    // Taken slots at the front are freed when there are more of them than of the rest.
    if (this.head > fewTaken && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

/**
 * @param {Queued} left
 * @param {Queued} right
 */
const compareReactions = (left, right) =>
  left.stage - right.stage || left.vatNumber - right.vatNumber;

/**
 * The index after all reactions that do not come after an item.
 *
 * @param {readonly Queued[]} reactions  sorted
 * @param {Queued} item
 */
const findPlace = (reactions, item) => {
  let low = 0;
  let high = reactions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareReactions(reactions[middle], item) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
};

/**
 * All items of one tag.
 *
 * @template {Queued} T
 */
class Instant {
  /**
   * @param {number} timeNs
   * @param {number} microstep
   */
  constructor(timeNs, microstep) {
    this.timeNs = timeNs;
    this.microstep = microstep;
    /** Its index in the heap. */
    this.place = 0;
    /** @type {Fifo<T>} */
    this.control = new Fifo();
    /** @type {Fifo<T>} */
    this.messages = new Fifo();
    /** @type {T[]} sorted, first to run first */
    this.reactions = [];
  }

  get size() {
    return this.control.size + this.messages.size + this.reactions.length;
  }

  /** @param {T} item */
  push(item) {
    if (item.class === classes.message) {
      this.messages.items.push(item);
    } else if (item.class === classes.control) {
      this.control.items.push(item);
    } else {
      // After every reaction that does not come after it, so that equal ones stay in the order of queueing.
      const at = findPlace(this.reactions, item);
      if (at === this.reactions.length) this.reactions.push(item);
      else this.reactions.splice(at, 0, item);
    }
  }

  /** @returns {T | undefined} */
  peek() {
    if (this.control.size > 0) return this.control.items[this.control.head];
    if (this.messages.size > 0) return this.messages.items[this.messages.head];
    return this.reactions[0];
  }

  take() {
    if (this.control.size > 0) return this.control.take();
    if (this.messages.size > 0) return this.messages.take();
    return /** @type {T} */ (this.reactions.shift());
  }

  /** @param {T} item */
  putBack(item) {
    if (item.class === classes.message) this.messages.putBack(item);
    else if (item.class === classes.control) this.control.putBack(item);
    else this.reactions.unshift(item);
  }

  /** @param {T} item  in the instant */
  remove(item) {
    if (item.class === classes.message) this.messages.remove(item);
    else if (item.class === classes.control) this.control.remove(item);
    else
      this.reactions.splice(this.reactions.lastIndexOf(item, findPlace(this.reactions, item)), 1);
  }

  *inOrder() {
    yield* this.control.items.slice(this.control.head);
    yield* this.messages.items.slice(this.messages.head);
    yield* this.reactions;
  }
}

/**
 * @template T
 * @param {T[]} found  the list to which items are added
 * @param {readonly T[]} items
 * @param {number} from
 * @param {number} limit  length of the list at the end, at most
 */
const addFirst = (found, items, from, limit) => {
  for (let i = from; i < items.length && found.length < limit; i += 1) found.push(items[i]);
};

/** Up to this many instants are searched one by one; more are indexed by a map. */
const fewInstants = 8;

/**
 * @param {ChurnMap<number, ChurnMap<number, Instant<T>>>} byTag
 * @param {Instant<T>} instant
 * @template {Queued} T
 */
const enter = (byTag, instant) => {
  const { timeNs, microstep } = instant;
  const ofTime = byTag.get(timeNs) ?? new ChurnMap();
  if (ofTime.size === 0) byTag.set(timeNs, ofTime);
  ofTime.set(microstep, instant);
};

/**
 * @template {Queued} T
 */
export class EventQueue {
  /** @type {Instant<T>[]} binary heap, earliest tag at 0 */
  #heap = [];

  /** @type {Instant<T> | undefined} the last instant that was pushed to */
  #recent;

  /** @type {ChurnMap<number, ChurnMap<number, Instant<T>>> | undefined} time → microstep → instant, while there are many */
  #byTag;

  /** @type {Instant<T> | undefined} an empty instant for reuse: most live for a crank or two */
  #spare;

  #size = 0;

  get size() {
    return this.#size;
  }

  /** @param {T} item */
  push(item) {
    this.#instant(item.timeNs, item.microstep).push(item);
    this.#size += 1;
  }

  /** The item that `take` would return. */
  peek() {
    return this.#heap.length === 0 ? undefined : this.#heap[0].peek();
  }

  /**
   * Removes and returns the first item in tag order.
   *
   * @returns {T | undefined}
   */
  take() {
    if (this.#heap.length === 0) return undefined;
    const instant = this.#heap[0];
    const item = instant.take();
    this.#size -= 1;
    if (instant.size === 0) this.#removeFirst();
    return item;
  }

  /**
   * Undoes a `take`: the item is again the first of its class and tag.
   *
   * @param {T} item  the last one taken
   */
  putBack(item) {
    this.#instant(item.timeNs, item.microstep).putBack(item);
    this.#size += 1;
  }

  /**
   * Removes an item out of turn. For a message, this searches the messages that were queued later for its tag.
   *
   * @param {T} item  queued
   */
  remove(item) {
    const instant = this.#instant(item.timeNs, item.microstep);
    instant.remove(item);
    this.#size -= 1;
    if (instant.size > 0) return;
    this.#forget(instant);
    const heap = this.#heap;
    const last = /** @type {Instant<T>} */ (heap.pop());
    if (last === instant) return;
    this.#rise(this.#sink(instant.place, last), last);
  }

  /** The earliest tag with an item, or undefined when the queue is empty. */
  nextTag() {
    const first = this.#heap[0];
    return first && { timeNs: first.timeNs, microstep: first.microstep };
  }

  /**
   * The earliest tag with an item that is not a reaction. Looks at all tags.
   *
   * @returns {{ timeNs: number, microstep: number } | undefined}
   */
  firstBesidesReactions() {
    /** @type {Instant<T> | undefined} */
    let first;
    for (const instant of this.#heap) {
      if (instant.size === instant.reactions.length) continue;
      if (first === undefined || compareTags(instant, first) < 0) first = instant;
    }
    return first && { timeNs: first.timeNs, microstep: first.microstep };
  }

  /** All items in the order in which they would be taken. */
  *inOrder() {
    for (const instant of [...this.#heap].sort(compareTags)) yield* instant.inOrder();
  }

  /**
   * The first `limit` items of the earliest tag, in order, for looking ahead.
   *
   * @param {number} limit
   */
  atFirstTag(limit) {
    /** @type {T[]} */
    const found = [];
    if (this.#heap.length === 0) return found;
    // By index, to avoid a copy of the whole queue.
    const { control, messages, reactions } = this.#heap[0];
    addFirst(found, control.items, control.head, limit);
    addFirst(found, messages.items, messages.head, limit);
    addFirst(found, reactions, 0, limit);
    return found;
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep
   */
  #instant(timeNs, microstep) {
    const recent = this.#recent;
    if (recent && recent.microstep === microstep && recent.timeNs === timeNs) return recent;
    const first = this.#heap[0];
    if (first && first.microstep === microstep && first.timeNs === timeNs) return first;
    const instant = this.#provide(timeNs, microstep);
    this.#recent = instant;
    return instant;
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep
   * @returns {Instant<T>}
   */
  #provide(timeNs, microstep) {
    const known = this.#find(timeNs, microstep);
    if (known) return known;
    /** @type {Instant<T>} */
    const instant = this.#spare ?? new Instant(timeNs, microstep);
    this.#spare = undefined;
    instant.timeNs = timeNs;
    instant.microstep = microstep;
    if (this.#byTag !== undefined) enter(this.#byTag, instant);
    this.#insert(instant);
    return instant;
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep
   */
  #find(timeNs, microstep) {
    const heap = this.#heap;
    if (heap.length <= fewInstants) {
      this.#byTag = undefined;
      for (let i = 0; i < heap.length; i += 1)
        if (heap[i].microstep === microstep && heap[i].timeNs === timeNs) return heap[i];
      return undefined;
    }
    if (this.#byTag === undefined) {
      this.#byTag = new ChurnMap();
      for (const instant of heap) enter(this.#byTag, instant);
    }
    return this.#byTag.get(timeNs)?.get(microstep);
  }

  /** @param {Instant<T>} instant */
  #insert(instant) {
    const at = this.#heap.length;
    this.#heap.push(instant);
    this.#rise(at, instant);
  }

  /**
   * Moves an instant up until its parent is not later.
   *
   * @param {number} place  free, or its own
   * @param {Instant<T>} instant
   */
  #rise(place, instant) {
    const heap = this.#heap;
    let at = place;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (compareTags(heap[parent], instant) <= 0) break;
      heap[at] = heap[parent];
      heap[at].place = at;
      at = parent;
    }
    heap[at] = instant;
    instant.place = at;
  }

  /**
   * Moves an instant down until its children are not earlier.
   *
   * @param {number} place  free
   * @param {Instant<T>} instant
   * @returns {number} its index
   */
  #sink(place, instant) {
    const heap = this.#heap;
    let at = place;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && compareTags(heap[child + 1], heap[child]) < 0) child += 1;
      if (compareTags(heap[child], instant) >= 0) break;
      heap[at] = heap[child];
      heap[at].place = at;
      at = child;
    }
    heap[at] = instant;
    instant.place = at;
    return at;
  }

  /** @param {Instant<T>} gone  empty; the caller removes it from the heap */
  #forget(gone) {
    const ofTime = this.#byTag?.get(gone.timeNs);
    ofTime?.delete(gone.microstep);
    if (ofTime?.size === 0) this.#byTag?.delete(gone.timeNs);
    if (this.#recent === gone) this.#recent = undefined;
    this.#spare = gone;
  }

  #removeFirst() {
    const heap = this.#heap;
    this.#forget(heap[0]);
    const last = /** @type {Instant<T>} */ (heap.pop());
    if (heap.length > 0) this.#sink(0, last);
  }
}
