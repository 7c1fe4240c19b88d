// Vats that run on the leader's own thread although there are hosts, and why they do.

/** A list shorter than that is not looked through for vats that have ended. */
const shortList = 64;

export class StayingVats {
  #isThere;

  #tell;

  /** @type {Map<string, { name: string, reason: string }>} by id */
  #vats = new Map();

  /** @type {Set<string>} reasons that a person was told of */
  #told = new Set();

  /** With so many vats, those that have ended are dropped. */
  #full = shortList;

  /**
   * @param {(vatId: string) => boolean} isThere  false for a vat that has ended
   * @param {(line: string) => void} tell
   */
  constructor(isThere, tell) {
    this.#isThere = isThere;
    this.#tell = tell;
  }

  #dropEnded() {
    for (const vatId of this.#vats.keys()) if (!this.#isThere(vatId)) this.#vats.delete(vatId);
    this.#full = Math.max(shortList, 2 * this.#vats.size);
  }

  /**
   * A vat is made on the leader. One line is told for each reason, of its first vat; none of vats of the system.
   *
   * @param {{ vatId: string, name: string, isBuiltIn: boolean }} vat
   * @param {string} reason
   */
  add({ vatId, name, isBuiltIn }, reason) {
    if (this.#vats.size >= this.#full) this.#dropEnded();
    this.#vats.set(vatId, { name, reason });
    if (isBuiltIn || this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#tell(`vat ${name} runs on the leader, not on a host: ${reason}`);
  }

  /** @returns {{ vatId: string, name: string, reason: string }[]} in the order they were made */
  list() {
    this.#dropEnded();
    return [...this.#vats].map(([vatId, vat]) => ({ vatId, ...vat }));
  }
}
