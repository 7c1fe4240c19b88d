// Vats that run on the leader's own thread although there are hosts, with reasons.

/** A list up to this length is not searched for ended vats. */
const shortList = 64;

export class StayingVats {
  #isThere;

  #tell;

  /** @type {Map<string, { name: string, reason: string }>} by id */
  #vats = new Map();

  /** @type {Set<string>} reported reasons */
  #told = new Set();

  /** The length at which ended vats are forgotten. */
  #full = shortList;

  /**
   * @param {(vatId: string) => boolean} isThere  false for a vat that has ended
   * @param {(line: string) => void} tell
   */
  constructor(isThere, tell) {
    this.#isThere = isThere;
    this.#tell = tell;
  }

  #forgetEnded() {
    for (const vatId of this.#vats.keys()) if (!this.#isThere(vatId)) this.#vats.delete(vatId);
    this.#full = Math.max(shortList, 2 * this.#vats.size);
  }

  /**
   * Note a vat that is made on the leader. Each reason is reported once, with its first vat; the system's vats are not
   * reported.
   *
   * @param {{ vatId: string, name: string, isBuiltIn: boolean }} vat
   * @param {string} reason
   */
  add({ vatId, name, isBuiltIn }, reason) {
    if (this.#vats.size >= this.#full) this.#forgetEnded();
    this.#vats.set(vatId, { name, reason });
    if (isBuiltIn || this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#tell(`vat ${name} runs on the leader, not on a host: ${reason}`);
  }

  /** @returns {{ vatId: string, name: string, reason: string }[]} in the order in which they were made */
  list() {
    this.#forgetEnded();
    return [...this.#vats].map(([vatId, vat]) => ({ vatId, ...vat }));
  }
}
