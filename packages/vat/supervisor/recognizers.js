// Weak collections in memory that have something as a key which is known by its vref: imports, and objects of virtual data.
// They are told when it is gone.

/** A Map of a weak collection, by vref. @typedef {{ deref: () => any }} EntriesRef */

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
   * Collections that are gone, or have lost the key, recognise it no longer.
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

  /** It is gone: collections lose what they have for it. @param {string} vref */
  forget(vref) {
    for (const entries of this.#recognizers.get(vref) ?? []) entries.deref()?.delete(vref);
    this.#recognizers.delete(vref);
  }
}
