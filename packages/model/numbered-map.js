// A map by numbers that are allocated consecutively, like those of references. Values are in pages of consecutive
// numbers: recent numbers, which are looked up most, are together; nothing is hashed or compared; and pages are freed
// as their numbers are deleted.
//
// A round of Exchange reads tables of some ten thousand objects more than a thousand times; with Maps by strings that
// took several times as long, mostly waiting for memory (docs/v8-in-a-locked-down-realm.md).

import { ChurnMap } from './churn-map.js';

/** Larger pages would be faster, but a single object that stays for good would keep a whole page. */
const pageBits = 5;
const pageSize = 1 << pageBits;
const inPage = pageSize - 1;

/** The highest number that can be a key: the engine shifts it as a small integer. */
export const maxNumber = 2 ** 30 - 1;

/** Pages that are found without a Map; those of the latest numbers never evict each other. */
const recentPages = 16;

/**
 * A list of fixed length without a prototype. In a locked-down realm each store to an element of an ordinary array is a
 * call of the engine, which looks for read-only elements in the prototypes (docs/v8-in-a-locked-down-realm.md).
 *
 * @template T
 * @param {number} length
 * @param {T} value  in each place
 * @returns {T[]} it has no methods
 */
const makeSlots = (length, value) => {
  const slots = new Array(length).fill(value);
  Object.setPrototypeOf(slots, null);
  return slots;
};

/** @template V */
class Page {
  /** The number of slots in use. */
  count = 0;

  /** @param {number} at  its index */
  constructor(at) {
    this.at = at;
    /** @type {(V | undefined)[]} */
    this.slots = makeSlots(pageSize, undefined);
  }
}

/** Stands for a missing page. */
const noPage = new Page(-1);

/** @template {{}} V */
export class NumberedMap {
  /** @type {ChurnMap<number, Page<V>>} */
  #pages = new ChurnMap();

  #recent = makeSlots(recentPages, noPage);

  /** The page of the highest numbers. It is kept when empty, since the next number goes there. @type {Page<any>} */
  #newest = noPage;

  /** The number of entries. */
  size = 0;

  /** The number of pages. */
  get pages() {
    return this.#pages.size;
  }

  /** @param {number} at @returns {Page<V> | undefined} */
  #find(at) {
    const place = at & (recentPages - 1);
    const recent = this.#recent[place];
    if (recent.at === at) return recent;
    const page = this.#pages.get(at);
    if (page !== undefined) this.#recent[place] = page;
    return page;
  }

  /** @param {number} number  a whole one from 0 to `maxNumber` @returns {V | undefined} */
  get(number) {
    return this.#find(number >> pageBits)?.slots[number & inPage];
  }

  /**
   * @param {number} number  a whole number from 0 to `maxNumber`
   * @param {V} value
   */
  set(number, value) {
    const page = this.#find(number >> pageBits) ?? this.#add(number >> pageBits);
    const slot = number & inPage;
    if (page.slots[slot] === undefined) {
      page.count += 1;
      this.size += 1;
    }
    page.slots[slot] = value;
  }

  /** @param {number} at @returns {Page<V>} */
  #add(at) {
    const page = new Page(at);
    this.#pages.set(at, page);
    this.#recent[at & (recentPages - 1)] = page;
    const newest = this.#newest;
    if (at > newest.at) {
      this.#newest = page;
      if (newest.count === 0 && newest !== noPage) this.#remove(newest);
    }
    return page;
  }

  /** @param {Page<V>} page  an empty page */
  #remove(page) {
    this.#pages.delete(page.at);
    const place = page.at & (recentPages - 1);
    if (this.#recent[place] === page) this.#recent[place] = noPage;
  }

  /**
   * @param {number} number  a whole number from 0 to `maxNumber`
   * @returns {boolean} whether it had a value
   */
  delete(number) {
    const page = this.#find(number >> pageBits);
    const slot = number & inPage;
    if (page === undefined || page.slots[slot] === undefined) return false;
    page.slots[slot] = undefined;
    page.count -= 1;
    this.size -= 1;
    if (page.count === 0 && page !== this.#newest) this.#remove(page);
    return true;
  }

  /**
   * Visits the entries in the order of their numbers. The visitor may delete the visited entry.
   *
   * @param {(value: V, number: number) => void} visit
   */
  forEach(visit) {
    for (const at of [...this.#pages.keys()].sort((left, right) => left - right)) {
      const slots = this.#pages.get(at)?.slots ?? noPage.slots;
      for (let slot = 0; slot < pageSize; slot += 1) {
        const value = slots[slot];
        if (value !== undefined) visit(/** @type {V} */ (value), at * pageSize + slot);
      }
    }
  }
}
