// Values of the host's own in the store, under `host.` and `local.`.

/** @import { Batch, KernelStore } from '../store-interface.js' */

export class HostValues {
  #store;

  /** @type {Map<string, string | undefined>} */
  #puts = new Map();

  /** @param {KernelStore} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Sets a value of the host's own, written with the next block: `host.NAME` for values of the run (the progress of a
   * benchmark), `local.NAME` for values that may differ between equal runs (times, paths).
   *
   * @param {`host.${string}` | `local.${string}`} key
   * @param {string | undefined} value
   */
  set(key, value) {
    this.#puts.set(key, value);
  }

  /** @param {`host.${string}` | `local.${string}`} key */
  get(key) {
    return this.#puts.has(key) ? this.#puts.get(key) : this.#store.get(key);
  }

  /** All `host.` values, with those of this block. @returns {Map<string, string>} */
  all() {
    const prefix = 'host.';
    const values = new Map(this.#store.entries(prefix));
    this.#puts.forEach((value, key) => {
      if (value === undefined) values.delete(key);
      else if (key.startsWith(prefix)) values.set(key, value);
    });
    return values;
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.#puts.forEach((value, key) => puts.set(key, value));
    this.#puts = new Map();
  }
}
