// Keys in their order, for walking through what a block has written. It may hold keys that are gone, since a key that
// was deleted comes back when its crank is dropped: whoever walks asks whether each is there.
//
// New keys wait unsorted until they are too many to look through, so that neither adding nor walking is slow: with n keys
// there are at most some √n of them.

import { compareTexts } from '#model';

/** As many can always be looked through. */
const few = 64;

export class KeyOrder {
  /** @type {string[]} */
  #sorted = [];

  /** @type {string[]} */
  #recent = [];

  /** @param {string} key */
  add(key) {
    this.#recent.push(key);
  }

  /**
   * The smallest key after `prior`, of those that begin with `prefix` and are there.
   *
   * @param {string} prior  begins with the prefix
   * @param {string} prefix
   * @param {(key: string) => boolean} isThere
   * @returns {string | undefined}
   */
  after(prior, prefix, isThere) {
    if (this.#recent.length > few && this.#recent.length ** 2 > this.#sorted.length) this.#merge();
    let next = this.#afterSorted(prior, prefix, isThere);
    for (const key of this.#recent) {
      if (!key.startsWith(prefix) || compareTexts(key, prior) <= 0) continue;
      if (next !== undefined && compareTexts(key, next) >= 0) continue;
      if (isThere(key)) next = key;
    }
    return next;
  }

  /** @type {KeyOrder['after']} */
  #afterSorted(prior, prefix, isThere) {
    const sorted = this.#sorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTexts(sorted[middle], prior) <= 0) low = middle + 1;
      else high = middle;
    }
    for (; low < sorted.length && sorted[low].startsWith(prefix); low += 1)
      if (isThere(sorted[low])) return sorted[low];
    return undefined;
  }

  #merge() {
    const recent = [...new Set(this.#recent)].sort(compareTexts);
    /** @type {string[]} */
    const merged = [];
    let at = 0;
    for (const key of this.#sorted) {
      while (at < recent.length && compareTexts(recent[at], key) < 0) {
        merged.push(recent[at]);
        at += 1;
      }
      if (recent[at] === key) at += 1;
      merged.push(key);
    }
    for (; at < recent.length; at += 1) merged.push(recent[at]);
    this.#sorted = merged;
    this.#recent = [];
  }
}
