// Very many events in tag order: an array heap whose nodes have four children, with the times in a second array. In a
// pairing heap of a million events each step down is a cache miss; here the times of a node's children are adjacent.
//
//   times     2 ms  3 ms  5 ms  2 ms  4 ms  …
//   events     e3    e1    e7    e2    e5   …
//
// Times are written through a DataView: see docs/v8-in-a-locked-down-realm.md.

/**
 * An event, ordered by tag, then by `seq`.
 *
 * @typedef {object} Ordered
 * @property {number} timeNs
 * @property {number} microstep
 * @property {number} seq  decides between events of one tag
 */

/**
 * @param {Ordered} left
 * @param {Ordered} right
 */
export const isBefore = (left, right) =>
  left.timeNs !== right.timeNs
    ? left.timeNs < right.timeNs
    : left.microstep !== right.microstep
      ? left.microstep < right.microstep
      : left.seq < right.seq;

const bytesPerTime = 8;

/** @template {Ordered} T */
export class WideTagHeap {
  /** @type {T[]} the heap, up to `#count`; entries after that are unused */
  #events = [];

  #times = new DataView(new ArrayBuffer(16 * bytesPerTime));

  #count = 0;

  get size() {
    return this.#count;
  }

  /** @returns {T | null} the earliest event */
  get first() {
    return this.#count === 0 ? null : this.#events[0];
  }

  /** @param {T} event  in no heap, with a `seq` */
  push(event) {
    const at = this.#count;
    this.#count += 1;
    if (at === this.#events.length) {
      this.#events.push(event);
      if (this.#times.byteLength < this.#events.length * bytesPerTime) this.#grow();
    }
    this.#rise(at, event);
  }

  /**
   * Puts an event at a place, or moves it up from there.
   *
   * @param {number} place
   * @param {T} event
   */
  #rise(place, event) {
    const events = this.#events;
    const times = this.#times;
    const { timeNs } = event;
    let at = place;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const parentNs = times.getFloat64(parent << 3, true);
      if (parentNs < timeNs) break;
      if (parentNs === timeNs && isBefore(events[parent], event)) break;
      events[at] = events[parent];
      times.setFloat64(at << 3, parentNs, true);
      at = parent;
    }
    events[at] = event;
    times.setFloat64(at << 3, timeNs, true);
  }

  /**
   * Removes and returns the earliest event.
   *
   * @returns {T | null}
   */
  take() {
    if (this.#count === 0) return null;
    const events = this.#events;
    const times = this.#times;
    const root = events[0];
    this.#count -= 1;
    const count = this.#count;
    const last = events[count];
    // So that a removed event can be collected.
    events[count] = /** @type {any} */ (undefined);
    if (count === 0) return root;
    // The hole moves down along the earliest children; the last event, which usually belongs far down, rises from
    // there.
    let at = 0;
    for (;;) {
      const child = 4 * at + 1;
      if (child >= count) break;
      let least = child;
      let leastNs = times.getFloat64(child << 3, true);
      const end = child + 4 < count ? child + 4 : count;
      for (let other = child + 1; other < end; other += 1) {
        const otherNs = times.getFloat64(other << 3, true);
        if (otherNs > leastNs) continue;
        if (otherNs === leastNs && !isBefore(events[other], events[least])) continue;
        least = other;
        leastNs = otherNs;
      }
      events[at] = events[least];
      times.setFloat64(at << 3, leastNs, true);
      at = least;
    }
    this.#rise(at, last);
    return root;
  }

  #grow() {
    const old = new Uint8Array(this.#times.buffer);
    const grown = new Uint8Array(2 * old.length);
    grown.set(old);
    this.#times = new DataView(grown.buffer);
  }
}
