// Measures the time of cranks, on whichever thread: for some blocks now and then, for the placement of vats. While it is
// off, a crank pays for one look.

import { performance } from 'node:perf_hooks';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { When } from '#model' */
/** @import { Load } from './placement.js' */

export class LoadMeter {
  isOn = false;

  /** @type {Map<string, number>} numbers of vats here, by their ids */
  #numbers = new Map();

  /** @type {string[]} ids by numbers */
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

  /** Nanoseconds in vats, in all. */
  totalNs = 0;

  /** Begin anew. */
  begin() {
    this.isOn = true;
    this.#numbers.clear();
    this.vatIds = [];
    this.#vats = [];
    this.#tags = [];
    this.#busyNs = [];
    this.totalNs = 0;
  }

  /** How many cranks were noted. */
  get count() {
    return this.#vats.length;
  }

  /**
   * A crank is over. Cranks are noted in any order within a tag and stage, and one tag and stage after the other.
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

/**
 * A vat on this thread whose cranks are noted while the meter is on.
 *
 * @param {Transport} transport
 * @param {string} vatId
 * @param {LoadMeter} meter
 * @returns {Transport}
 */
export const meterTransport = (transport, vatId, meter) => {
  let begunMs = -1;
  let timeNs = 0;
  let microstep = 0;
  let stage = 0;

  /** @param {CrankResult} result */
  const end = result => {
    meter.note(vatId, { timeNs, microstep, stage }, (performance.now() - begunMs) * 1_000_000);
    begunMs = -1;
    return result;
  };

  return Object.freeze({
    overlaps: false,
    begin(delivery, answer, when) {
      if (meter.isOn) {
        ({ timeNs, microstep, stage } = when);
        begunMs = performance.now();
      }
      transport.begin(delivery, answer, when);
    },
    finish() {
      const result = transport.finish();
      if (begunMs < 0) return result;
      return result instanceof Promise ? result.then(end) : end(result);
    },
    close: transport.close,
  });
};
