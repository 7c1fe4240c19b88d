// A vat's own key-value store. Its data stays in the kernel's store; this keeper holds what the block has
// written and not committed yet.

import { Table } from '../journal.js';

/** @import { Journal } from '../journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

/** A deleted key, as long as the store may still have it. */
const deleted = Symbol('deleted');

/** @type {(vatId: string) => string} */
const prefixOf = vatId => `vs.${vatId}.`;

export class VatStoreKeeper {
  #store;

  /** @type {Table<string | typeof deleted>} full key → value, without a codec: `collect` writes and empties it */
  #block;

  #journal;

  /**
   * @param {Journal} journal
   * @param {KernelStore} store
   */
  constructor(journal, store) {
    this.#journal = journal;
    this.#store = store;
    this.#block = new Table(journal);
  }

  /**
   * @param {string} vatId
   * @param {string} key
   */
  get(vatId, key) {
    const full = prefixOf(vatId) + key;
    const written = this.#block.get(full);
    if (written === deleted) return undefined;
    return written ?? this.#store.get(full);
  }

  /**
   * @param {string} vatId
   * @param {string} key
   * @param {string} value
   */
  set(vatId, key, value) {
    this.#block.set(prefixOf(vatId) + key, value);
  }

  /**
   * @param {string} vatId
   * @param {string} key
   */
  delete(vatId, key) {
    this.#block.set(prefixOf(vatId) + key, deleted);
  }

  /**
   * The smallest key after `prior`, by code units.
   *
   * @param {string} vatId
   * @param {string} prior
   */
  nextKey(vatId, prior) {
    const prefix = prefixOf(vatId);
    let stored = this.#store.nextKey(prefix + prior, prefix);
    while (stored !== undefined && this.#block.get(stored) === deleted) {
      stored = this.#store.nextKey(stored, prefix);
    }
    let next = stored?.slice(prefix.length);
    for (const [full, value] of this.#block.entries()) {
      if (value === deleted || !full.startsWith(prefix)) continue;
      const key = full.slice(prefix.length);
      if (key > prior && (next === undefined || key < next)) next = key;
    }
    return next;
  }

  /**
   * All of a vat's keys, for its end.
   *
   * @param {string} vatId
   */
  *keys(vatId) {
    for (let key = this.nextKey(vatId, ''); key !== undefined; key = this.nextKey(vatId, key))
      yield key;
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    if (this.#block.size === 0) return;
    for (const [full, value] of this.#block.entries())
      puts.set(full, value === deleted ? undefined : value);
    this.#block = new Table(this.#journal);
  }
}
