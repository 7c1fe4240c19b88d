// The generator of java.util.Random, which some of Savina's programs use: 48 bits of state, held in two halves of 24.

const half = 2 ** 24;
const multiplierHigh = 0x5_de;
const multiplierLow = 0xec_e6_6d;

export class JavaRandom {
  #high;

  #low;

  /** @type {number | undefined} a normal number that was drawn together with the last one */
  #spare;

  /** @param {number} seed  a whole number below 2^48 */
  constructor(seed) {
    this.#high = (Math.floor(seed / half) ^ multiplierHigh) % half;
    this.#low = (seed % half) ^ multiplierLow;
  }

  /** @param {number} bits  at most 32 */
  #next(bits) {
    const low = this.#low * multiplierLow + 0xb;
    const high = this.#high * multiplierLow + this.#low * multiplierHigh + Math.floor(low / half);
    this.#low = low % half;
    this.#high = high % half;
    return Math.floor((this.#high * half + this.#low) / 2 ** (48 - bits));
  }

  nextBoolean() {
    return this.#next(1) !== 0;
  }

  /** @param {number} limit @returns {number} a whole number below it */
  nextBelow(limit) {
    for (;;) {
      const drawn = this.#next(31);
      if (Number.isInteger(Math.log2(limit))) return Math.floor((drawn * limit) / 2 ** 31);
      const value = drawn % limit;
      // Draws of the last, incomplete run of `limit` numbers would favour small ones.
      if (drawn - value + (limit - 1) < 2 ** 31) return value;
    }
  }

  /** A number from 0, below 1. */
  nextDouble() {
    return (this.#next(26) * 2 ** 27 + this.#next(27)) / 2 ** 53;
  }

  /** A normal number: mean 0, deviation 1 (Marsaglia's polar method). */
  nextNormal() {
    if (this.#spare !== undefined) {
      const spare = this.#spare;
      this.#spare = undefined;
      return spare;
    }
    for (;;) {
      const x = 2 * this.nextDouble() - 1;
      const y = 2 * this.nextDouble() - 1;
      const square = x * x + y * y;
      if (square < 1 && square !== 0) {
        const scale = Math.sqrt((-2 * Math.log(square)) / square);
        this.#spare = y * scale;
        return x * scale;
      }
    }
  }
}
