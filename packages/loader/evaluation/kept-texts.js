// A bounded cache of what follows from texts that vats evaluate. Vats share it, so it may hold only what depends on
// nothing but the text.

/** Bounds of a cache: texts, and characters of all of them. When one is reached, it begins anew. */
const maxTexts = 1000;
const maxCharacters = 8_000_000;

/** @template T */
export class KeptTexts {
  /** @type {Map<string, T>} */
  #kept = new Map();

  #characters = 0;

  /** @param {string} text */
  get(text) {
    return this.#kept.get(text);
  }

  /**
   * @param {string} text  not in the cache
   * @param {T} value
   * @param {number} size  characters that both take
   */
  keep(text, value, size) {
    if (size > maxCharacters) return;
    if (this.#kept.size === maxTexts || this.#characters + size > maxCharacters) {
      this.#kept.clear();
      this.#characters = 0;
    }
    this.#kept.set(text, value);
    this.#characters += size;
  }
}
