// Weak collections in the store recognise a key without holding it. Each such key has a record under `vom.ir.`, so that
// its entries are found and deleted when the object is gone.

import { isImportVref } from './vrefs.js';
import { keysWithPrefix } from './store-keys.js';

/** @import { SyscallBuffer } from '../supervisor/syscall-buffer.js' */

export class StoredRecognizers {
  #syscalls;

  /** Deletes an entry of a collection. @type {(collectionId: string, vref: string) => boolean} */
  #deleteEntry;

  /**
   * Imports that may not be recognised any more, checked when the vat is asked for its dead references.
   *
   * @type {Set<string>}
   */
  suspects = new Set();

  /**
   * @param {SyscallBuffer} syscalls
   * @param {(collectionId: string, vref: string) => boolean} deleteEntry  returns whether something in memory was
   *   released
   */
  constructor(syscalls, deleteEntry) {
    this.#syscalls = syscalls;
    this.#deleteEntry = deleteEntry;
  }

  /** @param {string} vref @param {string} collectionId */
  add(vref, collectionId) {
    this.#syscalls.vatstoreSet(`vom.ir.${vref}|${collectionId}`, '1');
  }

  /** @param {string} vref @param {string} collectionId */
  remove(vref, collectionId) {
    this.#syscalls.vatstoreDelete(`vom.ir.${vref}|${collectionId}`);
    if (isImportVref(vref)) this.suspects.add(vref);
  }

  /** Whether any collection of the store has it as a key. @param {string} vref */
  has(vref) {
    const prefix = `vom.ir.${vref}|`;
    return this.#syscalls.vatstoreGetNextKey(prefix)?.startsWith(prefix) ?? false;
  }

  /**
   * Deletes the entries of collections for an object that is gone.
   *
   * @param {string} vref
   * @returns {boolean} whether something in memory was released
   */
  forget(vref) {
    const prefix = `vom.ir.${vref}|`;
    let isFreed = false;
    for (const key of keysWithPrefix(this.#syscalls, prefix)) {
      this.#syscalls.vatstoreDelete(key);
      isFreed = this.#deleteEntry(key.slice(prefix.length), vref) || isFreed;
    }
    return isFreed;
  }
}
