// The config's thresholds of object collection, for vats whose own options say nothing. They change between cranks only.

import { parseCount, readRow } from './row-fields.js';

/** @import { Batch, KernelStore } from '../store-interface.js' */

/** A number, or `never`; undefined if the config says nothing. @typedef {number | 'never' | undefined} Threshold */

const intervalKey = 'kernel.reapInterval';
const gcKrefsKey = 'kernel.reapGCKrefs';

/** @param {Threshold} threshold @returns {string | undefined} */
export const formatThreshold = threshold => threshold?.toString();

/** The exact inverse of `formatThreshold`. @param {string | undefined} text @returns {Threshold} */
export const parseThreshold = text =>
  text === undefined || text === 'never' ? text : Number(text);

/** @param {KernelStore} store @param {string} key @returns {Threshold} */
const readThreshold = (store, key) => {
  const text = store.get(key);
  return text === undefined || text === 'never' ? text : readRow(key, () => parseCount(text));
};

export class ReapThresholds {
  /** Deliveries after which a vat is asked for its dead references. @type {Threshold} */
  interval = undefined;

  /** Dropped and retired objects of which a vat is told before it is asked. @type {Threshold} */
  gcKrefs = undefined;

  /** Keys that are still to be stored. @type {Set<string>} */
  #changed = new Set();

  /** @param {Threshold} interval */
  setInterval(interval) {
    if (interval !== this.interval) this.#changed.add(intervalKey);
    this.interval = interval;
  }

  /** @param {Threshold} gcKrefs */
  setGcKrefs(gcKrefs) {
    if (gcKrefs !== this.gcKrefs) this.#changed.add(gcKrefsKey);
    this.gcKrefs = gcKrefs;
  }

  /** @returns {[key: string, threshold: Threshold][]} */
  #entries() {
    return [
      [intervalKey, this.interval],
      [gcKrefsKey, this.gcKrefs],
    ];
  }

  /** As a commit would write them. @returns {Generator<[key: string, text: string]>} */
  *written() {
    for (const [key, threshold] of this.#entries()) {
      const text = formatThreshold(threshold);
      if (text !== undefined) yield [key, text];
    }
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    if (this.#changed.size === 0) return;
    for (const [key, threshold] of this.#entries())
      if (this.#changed.has(key)) puts.set(key, formatThreshold(threshold));
    this.#changed.clear();
  }

  /** @param {KernelStore} store */
  load(store) {
    this.interval = readThreshold(store, intervalKey);
    this.gcKrefs = readThreshold(store, gcKrefsKey);
  }
}
