// A Map for keys that come and go. When V8 grows, shrinks or empties a Map it makes a new table, and the old one points
// to it. So an old table that has survived a few scavenges keeps every later one alive, with all its entries, until a
// full collection. A table of promises goes through a new table every few cranks, so scavenges copied several times as
// much as was alive. Here the entries move into a fresh Map, which no old table points to, once more keys were deleted
// than are left.

/** Fewer deletions than this do not matter. */
const few = 64;

/**
 * @template K
 * @template V
 */
export class ChurnMap {
  /** @type {Map<K, V>} */
  #map = new Map();

  #gone = 0;

  get size() {
    return this.#map.size;
  }

  /** @param {K} key */
  get(key) {
    return this.#map.get(key);
  }

  /** @param {K} key */
  has(key) {
    return this.#map.has(key);
  }

  /**
   * @param {K} key
   * @param {V} value
   */
  set(key, value) {
    this.#map.set(key, value);
  }

  /**
   * @param {K} key
   * @returns {boolean} whether the key was there
   */
  delete(key) {
    const wasThere = this.#map.delete(key);
    if (wasThere) {
      this.#gone += 1;
      if (this.#gone > few + this.#map.size) this.#renew();
    }
    return wasThere;
  }

  #renew() {
    const renewed = new Map();
    this.#map.forEach((value, key) => renewed.set(key, value));
    this.#map = renewed;
    this.#gone = 0;
  }

  /** Keys in the order of insertion, as of a Map. Do not delete during the iteration. */
  keys() {
    return this.#map.keys();
  }

  /** Values in the order of insertion. Do not delete during the iteration. */
  values() {
    return this.#map.values();
  }

  /** Entries in the order of insertion. Do not delete during the iteration. */
  entries() {
    return this.#map.entries();
  }
}
