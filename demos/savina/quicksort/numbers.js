import { makeNumbers } from '../common/make-numbers.js';

/** A list of numbers that is never changed: an instance of a class is handed on between reactors as it is. */
export class Numbers {
  #values;

  constructor(values) {
    this.#values = values;
  }

  /** @param {number} length @param {() => number} [draw] */
  static of(length, draw = () => 0) {
    const values = makeNumbers(length);
    for (let i = 0; i < length; i += 1) values[i] = draw();
    return new Numbers(values);
  }

  /** @param {Numbers[]} parts */
  static join(parts) {
    const all = makeNumbers(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      const values = part.#values;
      for (let i = 0; i < values.length; i += 1) all[at + i] = values[i];
      at += values.length;
    }
    return new Numbers(all);
  }

  get length() {
    return this.#values.length;
  }

  /** Splits the numbers into those less than, equal to and more than the one in the middle. */
  split() {
    const values = this.#values;
    const { length } = values;
    const pivot = values[length >> 1];
    const less = makeNumbers(length);
    const more = makeNumbers(length);
    let lessCount = 0;
    let moreCount = 0;
    for (let i = 0; i < length; i += 1) {
      const value = values[i];
      if (value < pivot) {
        less[lessCount] = value;
        lessCount += 1;
      } else if (value > pivot) {
        more[moreCount] = value;
        moreCount += 1;
      }
    }
    return {
      less: new Numbers(less.slice(0, lessCount)),
      equal: new Numbers(makeNumbers(length - lessCount - moreCount).fill(pivot)),
      more: new Numbers(more.slice(0, moreCount)),
    };
  }

  /** By the same method, without children. @returns {Numbers} */
  sorted() {
    if (this.length < 2) return this;
    const { less, equal, more } = this.split();
    return Numbers.join([less.sorted(), equal, more.sorted()]);
  }

  describe() {
    let sum = 0;
    let isSorted = true;
    this.#values.forEach((value, i) => {
      sum += value;
      if (i > 0 && value < this.#values[i - 1]) isSorted = false;
    });
    return { length: this.length, isSorted, sum };
  }
}
