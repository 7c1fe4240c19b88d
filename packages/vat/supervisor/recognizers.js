// Weak collections in memory whose keys are known by their vrefs: imports, and objects of virtual data. They are told
// when a key is gone.

/** A weak reference to a weak collection's Map by vref. @typedef {{ deref: () => any }} EntriesRef */

export class Recognizers {
  /** @type {Map<string, Set<EntriesRef>>} */
  #recognizers = new Map();

  /** @param {string} vref @param {EntriesRef} entries */
  add(vref, entries) {
    const known = this.#recognizers.get(vref);
    if (known === undefined) this.#recognizers.set(vref, new Set([entries]));
    else known.add(entries);
  }

  /** @param {string} vref */
  has(vref) {
    return this.#recognizers.has(vref);
  }

  /** @param {string} vref */
  delete(vref) {
    this.#recognizers.delete(vref);
  }

  /**
   * Drops collections that are gone, or have lost the key.
   *
   * @returns {string[]} vrefs that nothing recognises now
   */
  sweep() {
    const forgotten = [];
    for (const [vref, recognizers] of this.#recognizers) {
      for (const entries of recognizers)
        if (!entries.deref()?.has(vref)) recognizers.delete(entries);
      if (recognizers.size > 0) continue;
      this.#recognizers.delete(vref);
      forgotten.push(vref);
    }
    return forgotten;
  }

  /** Deletes the entries of a key that is gone. @param {string} vref */
  forget(vref) {
    for (const entries of this.#recognizers.get(vref) ?? []) entries.deref()?.delete(vref);
    this.#recognizers.delete(vref);
  }
}
