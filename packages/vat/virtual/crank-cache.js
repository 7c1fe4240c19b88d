// Caches what a crank has read from the store or is still to write. It is empty between cranks: the reads and writes of
// a crank follow from its code, never from what an earlier crank left in memory.

/**
 * @template {{}} V
 */
export class CrankCache {
  /** @type {Map<string, V>} */
  #values = new Map();

  /** Keys to be written or deleted at the end of the crank. @type {Set<string>} */
  #changed = new Set();

  #backing;

  /**
   * @param {object} backing
   * @param {(key: string) => V} backing.read
   * @param {(key: string, value: V) => void} backing.write
   * @param {(key: string) => void} backing.delete
   */
  constructor(backing) {
    this.#backing = backing;
  }

  /**
   * @param {string} key
   * @returns {V | undefined} undefined if this crank has deleted it
   */
  get(key) {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#changed.has(key)) return undefined;
    const value = this.#backing.read(key);
    this.#values.set(key, value);
    return value;
  }

  /** @param {string} key @param {V} value */
  set(key, value) {
    this.#values.set(key, value);
    this.#changed.add(key);
  }

  /** @param {string} key */
  delete(key) {
    this.#values.delete(key);
    this.#changed.add(key);
  }

  /** Whether anything waits to be written. */
  get isChanged() {
    return this.#changed.size > 0;
  }

  /** Ends the crank: writes changes in the order of their keys, and empties the cache. */
  flush() {
    if (this.#changed.size > 0) {
      for (const key of [...this.#changed].sort()) {
        const value = this.#values.get(key);
        if (value === undefined) this.#backing.delete(key);
        else this.#backing.write(key, value);
      }
      this.#changed.clear();
    }
    if (this.#values.size > 0) this.#values.clear();
  }
}
