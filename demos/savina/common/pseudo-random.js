/** Savina's generator: 16 bits of state, which are also what it draws. */
export class PseudoRandom {
  #value;

  /** @param {number} [seed]  a whole number */
  constructor(seed = 74_755) {
    // The state after the first draw is the same for seeds that differ by 2^16.
    this.#value = seed % 65_536;
  }

  /** A whole number below 65,536. */
  next() {
    this.#value = (this.#value * 1_309 + 13_849) & 65_535;
    return this.#value;
  }

  /** @param {number} limit @returns {number} a whole number below it */
  nextBelow(limit) {
    return this.next() % limit;
  }

  /** A number above 0 and at most 1. */
  nextDouble() {
    return 1 / (this.next() + 1);
  }
}

/**
 * Draw so many numbers: work that takes time in proportion, and that no compiler leaves out.
 *
 * @param {number} turns
 */
export const busyWait = turns => {
  const random = new PseudoRandom(turns);
  let last = 0;
  for (let i = 0; i < turns; i += 1) last = random.next();
  return last;
};
