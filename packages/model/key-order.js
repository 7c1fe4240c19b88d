// Keys in their order, for walking through the writes of a block. It may hold deleted keys: a walk checks each key and
// removes deleted ones on the way, so that each is passed over once. A dropped crank restores keys, so keys that were
// removed during it are added again.
//
// New keys stay unsorted until the next walk. Adding, walking and passing over each cost log n.

import { compareTexts } from './text-order.js';

/** Keys in a run, at most, so that an insertion moves few others. */
const runLimit = 512;

/** New keys are inserted one by one if they are a smaller fraction of all than one in this many. */
const smallPart = 16;

/**
 * The first index in a sorted list whose key is after `prior`.
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

  /** The number of keys in the runs. */
  #size = 0;

  /** @type {string[]} */
  #recent = [];

  /** @type {string[]} removed in this crank */
  #removed = [];

  /** The number of keys that it holds, deleted ones and repetitions among them. */
  get size() {
    return this.#size + this.#recent.length;
  }

  /** @param {string} key  a new key */
  add(key) {
    this.#recent.push(key);
  }

  /** Keeps the crank. */
  keep() {
    if (this.#removed.length > 0) this.#removed = [];
  }

  /** Drops the crank: keys that were removed in it are added again. */
  drop() {
    for (const key of this.#removed) this.#recent.push(key);
    this.keep();
  }

  /**
   * The smallest existing key after `prior` that begins with `prefix`.
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
   * The position of the first key after `prior`.
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

  /** @param {string} key  may be in already */
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
