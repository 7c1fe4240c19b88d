// How often virtual data names each object. Counts of virtual objects and of imports are in the vat's store, under
// `vom.rc.` and the base reference. Other exports and promises, which exist only in memory, are held here as long as
// anything in the store names them.
//
// The export status is in the store too, under `vom.es.`: a letter for each facet, `r` for one that other vats reach,
// `s` for one that they only recognise, `n` for neither.

import { Fail } from '@endo/errors';
import { parseVref, typeOfVref } from '#model';
import { baseRefOf, facetOf, isImportVref, isVirtualVref, kindOf } from './vrefs.js';

/** @import { SyscallBuffer } from '../supervisor/syscall-buffer.js' */
/** @import { KindTable } from './kind-table.js' */

/** @typedef {'reachable' | 'recognizable' | 'none'} ExportStatus */

/**
 * An object that is held in memory because the store names it `count` times.
 *
 * @typedef {{ value: object, count: number }} Held
 */

export class ReferenceCounts {
  #syscalls;

  #kinds;

  #requireValue;

  /** Exports and promises that virtual data names, by vref. @type {Map<string, Held>} */
  #held = new Map();

  /** Vrefs of promises that virtual data names, which the vat may have settled with the kernel long ago. @type {WeakMap<object, string>} */
  #promiseVrefs = new WeakMap();

  /**
   * Objects that may be dead by their counts in the store. They are examined when the vat is asked for its dead.
   *
   * @type {Set<string>}
   */
  suspects = new Set();

  /**
   * @param {SyscallBuffer} syscalls
   * @param {KindTable} kinds
   * @param {(vref: string) => object} requireValue
   */
  constructor(syscalls, kinds, requireValue) {
    this.#syscalls = syscalls;
    this.#kinds = kinds;
    this.#requireValue = requireValue;
  }

  /** @param {string} baseRef @returns {number} */
  get(baseRef) {
    return Number(this.#syscalls.vatstoreGet(`vom.rc.${baseRef}`) ?? 0);
  }

  /** @param {string} baseRef @param {number} count */
  #set(baseRef, count) {
    if (count > 0) {
      this.#syscalls.vatstoreSet(`vom.rc.${baseRef}`, `${count}`);
    } else {
      this.#syscalls.vatstoreDelete(`vom.rc.${baseRef}`);
      this.suspects.add(baseRef);
    }
  }

  /**
   * Counts one more reference from virtual data.
   *
   * @param {string} vref
   */
  add(vref) {
    if (isVirtualVref(vref) || isImportVref(vref)) {
      const baseRef = baseRefOf(vref);
      this.#set(baseRef, this.get(baseRef) + 1);
    } else if (typeOfVref(vref) !== 'device') {
      const held = this.#held.get(vref);
      if (held !== undefined) {
        held.count += 1;
      } else {
        const value = this.#requireValue(vref);
        this.#held.set(vref, { value, count: 1 });
        if (typeOfVref(vref) === 'promise') this.#promiseVrefs.set(value, vref);
      }
    }
  }

  /**
   * Counts one reference from virtual data less.
   *
   * @param {string} vref
   * @returns {boolean} whether something in memory was released
   */
  remove(vref) {
    if (isVirtualVref(vref) || isImportVref(vref)) {
      const baseRef = baseRefOf(vref);
      const count = this.get(baseRef);
      count > 0 || Fail`attempt to decref ${baseRef} below 0`;
      this.#set(baseRef, count - 1);
      return false;
    }
    if (typeOfVref(vref) === 'device') return false;
    const held = this.#held.get(vref);
    if (held === undefined) throw Fail`attempt to decref ${vref} below 0`;
    held.count -= 1;
    if (held.count > 0) return false;
    this.#held.delete(vref);
    this.#promiseVrefs.delete(held.value);
    return true;
  }

  /**
   * @param {readonly string[]} vrefs
   * @returns {boolean} whether something in memory was released
   */
  removeAll(vrefs) {
    let isFreed = false;
    for (const vref of vrefs) isFreed = this.remove(vref) || isFreed;
    return isFreed;
  }

  /**
   * Replaces the references of one value by those of another. A value that names an object repeatedly counts once.
   *
   * @param {readonly string[]} before
   * @param {readonly string[]} after
   */
  replace(before, after) {
    if (before.length === 0 && after.length === 0) return;
    const old = new Set(before);
    const now = new Set(after);
    for (const vref of [...new Set([...before, ...after])].sort()) {
      if (old.has(vref) && !now.has(vref)) this.remove(vref);
      else if (now.has(vref) && !old.has(vref)) this.add(vref);
    }
  }

  /** Finds a promise or an export that virtual data names, by its vref. @param {string} vref @returns {any} */
  findHeld(vref) {
    return this.#held.get(vref)?.value;
  }

  /** The vref under which virtual data names a promise. @param {object} promise */
  findPromiseVref(promise) {
    return this.#promiseVrefs.get(promise);
  }

  /**
   * Sets how other vats hold an object.
   *
   * @param {string} vref  virtual
   * @param {ExportStatus} status
   */
  setExportStatus(vref, status) {
    const baseRef = baseRefOf(vref);
    const key = `vom.es.${baseRef}`;
    const facetCount = this.#kinds.require(kindOf(vref)).facetNames?.length ?? 1;
    const known = this.#syscalls.vatstoreGet(key) ?? '';
    const letters = [...known.padEnd(facetCount, 'n')];
    letters[facetOf(vref) ?? 0] = status === 'reachable' ? 'r' : status === 'none' ? 'n' : 's';
    if (letters.every(letter => letter === 'n')) this.#syscalls.vatstoreDelete(key);
    else this.#syscalls.vatstoreSet(key, letters.join(''));
    if (status === 'recognizable' && this.get(baseRef) === 0 && !letters.includes('r'))
      this.suspects.add(baseRef);
  }

  /**
   * How other vats hold an object.
   *
   * @param {string} baseRef
   * @returns {{ isReached: boolean, recognized: string[] }} `recognized`: vrefs of facets that are recognised, if none
   *   is reached
   */
  exportStatusOf(baseRef) {
    const letters = this.#syscalls.vatstoreGet(`vom.es.${baseRef}`) ?? '';
    if (letters.includes('r')) return { isReached: true, recognized: [] };
    const { facetNames } = this.#kinds.require(kindOf(baseRef));
    const recognized =
      facetNames === undefined
        ? [...(letters === 's' ? [baseRef] : [])]
        : [...letters].flatMap((letter, i) => (letter === 's' ? [`${baseRef}:${i}`] : []));
    return { isReached: false, recognized };
  }

  /** Whether virtual data or another vat reaches an object. @param {string} baseRef */
  isReached(baseRef) {
    const count = this.get(baseRef);
    return this.exportStatusOf(baseRef).isReached || count > 0;
  }

  /** Forgets an object that is gone. @param {string} baseRef */
  forget(baseRef) {
    this.#syscalls.vatstoreDelete(`vom.rc.${baseRef}`);
    this.#syscalls.vatstoreDelete(`vom.es.${baseRef}`);
  }

  /** Whether an object can be kept across upgrades, so that durable data may name it. @param {string} vref */
  isDurable(vref) {
    const { type, allocatedByVat, kept } = parseVref(vref);
    if (type === 'promise') return false;
    if (this.isRelaxed || type === 'device' || !allocatedByVat) return true;
    return kept === 'durable' && this.#kinds.require(kindOf(vref)).isDurable;
  }

  /** Whether durable data may name objects that are not durable (`relaxDurabilityRules`). */
  isRelaxed = false;
}
