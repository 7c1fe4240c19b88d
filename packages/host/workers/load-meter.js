// Measures the times of cranks on all threads, in samples of some blocks, for the placement of vats. While it is off,
// the cost of a crank is one test.

/** @import { When } from '#model' */
/** @import { Load } from './placement.js' */

export class LoadMeter {
  isOn = false;

  /** @type {Map<string, number>} numbers of vats, by id */
  #numbers = new Map();

  /** @type {string[]} ids of vats, by number */
  vatIds = [];

  /** @type {number[]} */
  #vats = [];

  /** @type {number[]} */
  #tags = [];

  /** @type {number[]} */
  #busyNs = [];

  #timeNs = -1;

  #microstep = -1;

  #stage = -1;

  #tag = 0;

  /** Nanoseconds of all cranks in vats. */
  totalNs = 0;

  /** Begin a new sample. */
  begin() {
    this.isOn = true;
    this.#numbers.clear();
    this.vatIds = [];
    this.#vats = [];
    this.#tags = [];
    this.#busyNs = [];
    this.totalNs = 0;
  }

  /** Number of noted cranks. */
  get count() {
    return this.#vats.length;
  }

  /**
   * Note a finished crank. Tags and stages come in order, cranks of one tag and stage in any order.
   *
   * @param {string} vatId
   * @param {When} when
   * @param {number} ns
   */
  note(vatId, { timeNs, microstep, stage }, ns) {
    if (timeNs !== this.#timeNs || microstep !== this.#microstep || stage !== this.#stage) {
      this.#timeNs = timeNs;
      this.#microstep = microstep;
      this.#stage = stage;
      this.#tag += 1;
    }
    let number = this.#numbers.get(vatId);
    if (number === undefined) {
      number = this.vatIds.length;
      this.#numbers.set(vatId, number);
      this.vatIds.push(vatId);
    }
    this.#vats.push(number);
    this.#tags.push(this.#tag);
    this.#busyNs.push(ns);
    this.totalNs += ns;
  }

  /** @returns {Load} */
  get load() {
    return { vats: this.#vats, tags: this.#tags, busyNs: this.#busyNs };
  }
}
