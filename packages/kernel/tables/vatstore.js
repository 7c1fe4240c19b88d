// A vat's own key-value store. Its data stays in the kernel's store; this keeper holds the entries that the block has
// written and not committed yet.

/// <reference lib="es2024.string" />

import { compareTexts, KeyOrder } from '#model';
import { Table } from './journal.js';
import { findSizeProblem } from '../limits.js';

/** @import { Journal } from './journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

/** The value of a deleted key while the store may still have it. */
const deleted = Symbol('deleted');

/** Characters of a key, at most: with the prefix they fit into the 1,024 bytes that a store takes. */
export const maxVatKeyLength = 330;

/**
 * Describes what is wrong with a key or a value that a vat uses; `undefined` if nothing is. A store keeps UTF-8, which
 * cannot encode a lone surrogate. The empty string is no key: `nextKey` takes it for "before the first one".
 *
 * @param {string} text
 * @param {'key' | 'prior key' | 'value'} what
 */
export const findTextProblem = (text, what) => {
  if (what === 'key' && text === '') return `a key of the vat's store is empty`;
  if (what !== 'value' && text.length > maxVatKeyLength) {
    return `a key of the vat's store has ${text.length} characters; at most ${maxVatKeyLength} are allowed`;
  }
  if (!text.isWellFormed()) {
    return `a ${what === 'value' ? 'value' : 'key'} of the vat's store has a lone surrogate`;
  }
  return what === 'value' ? findSizeProblem(text, `a value of the vat's store`) : undefined;
};

/** The prefix of a vat's keys in the kernel's store. @type {(vatId: string) => string} */
export const vatStorePrefix = vatId => `vs.${vatId}.`;

export class VatStoreKeeper {
  #store;

  /** @type {Table<string | typeof deleted>} full key → value, without a codec: `collect` writes and empties it */
  #block;

  /** The keys that the block has written, in order. */
  #order = new KeyOrder();

  /**
   * For keys that the store has and the block has deleted: the store's next key that was not deleted at the last walk
   * over it; the empty string at the end. A key that was written again is in the order of written keys.
   *
   * @type {Map<string, string>}
   */
  #skips = new Map();

  /** @type {string[]} keys whose skips this crank has set */
  #skipped = [];

  /** The crank in which order and skips were last used. */
  #epoch = 0;

  /** Number of cranks dropped before it. */
  #drops = 0;

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
    const full = vatStorePrefix(vatId) + key;
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
    const full = vatStorePrefix(vatId) + key;
    const before = this.#block.get(full);
    if (before === undefined || before === deleted) this.#order.add(full);
    this.#block.set(full, value);
  }

  /**
   * @param {string} vatId
   * @param {string} key
   */
  delete(vatId, key) {
    this.#block.set(vatStorePrefix(vatId) + key, deleted);
  }

  /** Restores keys that a dropped crank removed from the order, and forgets its skips, whose keys may exist again. */
  #catchUp() {
    const { epoch, drops } = this.#journal;
    if (this.#epoch === epoch) return;
    this.#epoch = epoch;
    if (this.#drops === drops) {
      this.#order.keep();
    } else {
      this.#order.drop();
      for (const full of this.#skipped) this.#skips.delete(full);
    }
    this.#drops = drops;
    if (this.#skipped.length > 0) this.#skipped = [];
  }

  /**
   * The smallest key of the store after `prior` that the block has not deleted. Deleted keys are skipped once;
   * otherwise a vat that empties its store from the front would pass over all of them again and again.
   *
   * @param {string} prior  begins with the prefix
   * @param {string} prefix
   * @returns {string | undefined}
   */
  #nextStored(prior, prefix) {
    let full = this.#store.nextKey(prior, prefix);
    const passed = [];
    while (full !== undefined && this.#block.get(full) === deleted) {
      passed.push(full);
      const skip = this.#skips.get(full);
      full = skip === undefined ? this.#store.nextKey(full, prefix) : skip || undefined;
    }
    for (let i = 0; i < passed.length; i += 1) {
      this.#skips.set(passed[i], full ?? '');
      this.#skipped.push(passed[i]);
    }
    return full;
  }

  /** @param {string} full */
  #isWritten = full => {
    const value = this.#block.get(full);
    return value !== undefined && value !== deleted;
  };

  /**
   * The smallest key after `prior`, in the store's own order, so that the answer does not depend on where blocks end.
   *
   * @param {string} vatId
   * @param {string} prior
   */
  nextKey(vatId, prior) {
    const prefix = vatStorePrefix(vatId);
    this.#catchUp();
    const stored = this.#nextStored(prefix + prior, prefix);
    const written = this.#order.after(prefix + prior, prefix, this.#isWritten);
    const isFirst =
      stored === undefined || (written !== undefined && compareTexts(written, stored) < 0);
    return (isFirst ? written : stored)?.slice(prefix.length);
  }

  /**
   * All of a vat's keys in their order, for dumps.
   *
   * @param {string} vatId
   */
  keys(vatId) {
    const keys = [];
    for (let key = this.nextKey(vatId, ''); key !== undefined; key = this.nextKey(vatId, key))
      keys.push(key);
    return keys;
  }

  /**
   * All vats and devices that have keys, for the audit.
   *
   * @returns {Set<string>}
   */
  owners() {
    const found = new Set();
    const ownerOf = (/** @type {string} */ full) => full.split('.', 2)[1];
    for (const [full] of this.#store.entries('vs.'))
      if (this.#block.get(full) !== deleted) found.add(ownerOf(full));
    for (const [full, value] of this.#block.entries())
      if (value !== deleted) found.add(ownerOf(full));
    return found;
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    if (this.#block.size === 0) return;
    for (const [full, value] of this.#block.entries())
      puts.set(full, value === deleted ? undefined : value);
    this.#block = new Table(this.#journal);
    this.#order = new KeyOrder();
    this.#skips = new Map();
    this.#skipped = [];
  }
}
