// Keys in their order, for walking through what a block has written. It may hold keys that are gone: whoever walks asks
// whether each is there, and those that are not are taken out on the way, so that each is passed over once. A dropped crank
// brings keys back, so what was taken out in it is put in again.
//
// New keys wait unsorted until somebody walks. Adding, walking and passing over all cost log n.

import { compareTexts } from './text-order.js';

/** Keys are kept in runs of at most this many, so that putting one in moves few others. */
const runLimit = 512;

/** New keys that are a smaller part of all than this are put in one by one. */
const smallPart = 16;

/**
 * The first place in a sorted list whose key is behind `prior`.
 *
 * @param {number} length
 * @param {(at: number) => string} keyAt
 * @param {string} prior
 */
const findAfter = (length, keyAt, prior) => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTexts(keyAt(middle), prior) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

export class KeyOrder {
  /** @type {string[][]} sorted, none of them empty */
  #runs = [];

  /** Keys in the runs. */
  #size = 0;

  /** @type {string[]} */
  #recent = [];

  /** @type {string[]} taken out in the crank that runs */
  #removed = [];

  /** @param {string} key  that was not there */
  add(key) {
    this.#recent.push(key);
  }

  /** The crank is kept. */
  keep() {
    if (this.#removed.length > 0) this.#removed = [];
  }

  /** The crank is dropped. */
  drop() {
    for (const key of this.#removed) this.#recent.push(key);
    this.keep();
  }

  /**
   * The smallest key after `prior`, of those that begin with `prefix` and are there.
   *
   * @param {string} prior  begins with the prefix
   * @param {string} prefix
   * @param {(key: string) => boolean} isThere
   * @returns {string | undefined}
   */
  after(prior, prefix, isThere) {
    if (this.#recent.length > 0) this.#sortIn();
    for (;;) {
      const [run, at] = this.#find(prior);
      if (run === this.#runs.length) return undefined;
      const key = this.#runs[run][at];
      if (!key.startsWith(prefix)) return undefined;
      if (isThere(key)) return key;
      this.#takeOut(run, at);
      this.#removed.push(key);
    }
  }

  /**
   * Where the first key behind `prior` is.
   *
   * @param {string} prior
   * @returns {[run: number, at: number]}
   */
  #find(prior) {
    const runs = this.#runs;
    const run = findAfter(runs.length, i => runs[i][runs[i].length - 1], prior);
    if (run === runs.length) return [run, 0];
    return [run, findAfter(runs[run].length, i => runs[run][i], prior)];
  }

  /**
   * @param {number} run
   * @param {number} at
   */
  #takeOut(run, at) {
    this.#runs[run].splice(at, 1);
    this.#size -= 1;
    if (this.#runs[run].length === 0) this.#runs.splice(run, 1);
  }

  #sortIn() {
    const recent = this.#recent;
    this.#recent = [];
    if (recent.length * smallPart <= this.#size) {
      for (const key of recent) this.#putIn(key);
      return;
    }
    const all = [...new Set([...this.#runs.flat(), ...recent])].sort(compareTexts);
    this.#size = all.length;
    this.#runs = [];
    for (let at = 0; at < all.length; at += runLimit / 2)
      this.#runs.push(all.slice(at, at + runLimit / 2));
  }

  /** @param {string} key  perhaps one that is in already */
  #putIn(key) {
    const runs = this.#runs;
    const at = Math.min(
      findAfter(runs.length, i => runs[i][runs[i].length - 1], key),
      runs.length - 1,
    );
    const run = runs[at];
    const place = findAfter(run.length, i => run[i], key);
    if (place > 0 ? run[place - 1] === key : at > 0 && runs[at - 1].at(-1) === key) return;
    run.splice(place, 0, key);
    this.#size += 1;
    if (run.length > runLimit) runs.splice(at + 1, 0, run.splice(runLimit / 2));
  }
}
