// The queue of entries that have not entered the run, in the order of their requests.

/** @import { Entry } from './entry.js' */

/** Empty slots at the front before the array is copied: shifting one by one would copy it each time. */
const mostEmpty = 10_000;

export class EntryQueue {
  /** Valid from index `#first` on. @type {Entry[]} */
  #entries = [];

  #first = 0;

  get size() {
    return this.#entries.length - this.#first;
  }

  /** @param {Entry} entry */
  push(entry) {
    this.#entries.push(entry);
  }

  /**
   * Take entries off the front. Entries that `enter` adds stay for the next call.
   *
   * @param {number} most  entries to take
   * @param {(entry: Entry) => void} enter  called with each that is not over
   * @returns {number} number of entries that entered
   */
  takeEach(most, enter) {
    const entries = this.#entries;
    const end = Math.min(entries.length, this.#first + most);
    let count = 0;
    while (this.#first < end) {
      const entry = entries[this.#first];
      this.#first += 1;
      if (entry.isOver) continue;
      count += 1;
      enter(entry);
    }
    if (this.#first === entries.length) {
      this.#entries = [];
      this.#first = 0;
    } else if (this.#first > mostEmpty) {
      this.#entries = entries.slice(this.#first);
      this.#first = 0;
    }
    return count;
  }

  /** Take all. @returns {Entry[]} */
  clear() {
    const all = this.#entries.slice(this.#first);
    this.#entries = [];
    this.#first = 0;
    return all;
  }
}
