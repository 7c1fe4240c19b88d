// WeakMap and WeakSet of vats. An imported object can leave the vat and come back as another presence with the same
// vref, and must still be found: it is a key by its vref, until the object is gone everywhere. This also holds for
// virtual objects, which leave memory and come back. Every other key is as usual, with two exceptions that are held as long
// as they are keys: the record of an object's facets, which comes and goes with them and has no vref, and symbols, which
// functions of the vat may hold that read a property by one. The engine forgets what a function has read when it has
// collected often enough.
//
// A presence says whose import it is, so one pair of classes serves all vats and the modules that they share.
//
// A value that is kept for an import is held as long as the collection and the object exist, even if the value leads to
// the presence itself.

import { findHandle } from '../eventual-send/index.js';
import { findMark } from '../marshal/index.js';
import { isCohort } from '../virtual/cohort.js';
import { isVirtualVref } from '../virtual/vrefs.js';
import { isImport, References } from './references.js';

/**
 * Entries by vref of one vat, since a collection is never in two. The vat's table of references knows them weakly.
 */
class ImportEntries {
  /** @type {References | undefined} */
  #owner;

  /** @type {Map<string, any>} */
  #entries = new Map();

  /** @type {{ deref: () => any } | undefined} */
  #ref;

  /**
   * The vref of a key that is an import, or an object of virtual data.
   *
   * @param {any} key
   * @returns {string | undefined}
   */
  find(key) {
    if (typeof key !== 'object' || key === null) return undefined;
    const note = findHandle(key) ?? findMark(key);
    if (note === undefined || !(isImport(note.vref) || isVirtualVref(note.vref))) return undefined;
    const { owner } = note;
    if (owner !== this.#owner) {
      if (this.#owner !== undefined) return undefined;
      if (!(owner instanceof References) || !owner.isCollected) return undefined;
      this.#owner = owner;
    }
    return note.vref;
  }

  /** @param {string} vref */
  get(vref) {
    return this.#entries.get(vref);
  }

  /** @param {string} vref */
  has(vref) {
    return this.#entries.has(vref);
  }

  /** @param {string} vref @param {any} value */
  set(vref, value) {
    this.#entries.set(vref, value);
    this.#ref ??= this.#owner?.makeRef(this.#entries);
    if (this.#ref !== undefined) this.#owner?.addRecognizer(vref, this.#ref);
  }

  /** @param {string} vref */
  delete(vref) {
    return this.#entries.delete(vref);
  }
}

class VatWeakMap {
  /** @type {WeakMap<object, any>} */
  #others = new WeakMap();

  #imports = new ImportEntries();

  /** Keys that must be held, or the vat could observe collections of the engine. @type {Set<object | symbol> | undefined} */
  #held = undefined;

  /** @param {Iterable<readonly [any, any]> | null} [entries] */
  constructor(entries) {
    for (const [key, value] of entries ?? []) this.set(key, value);
  }

  /** @param {any} key */
  get(key) {
    const vref = this.#imports.find(key);
    return vref === undefined ? this.#others.get(key) : this.#imports.get(vref);
  }

  /** @param {any} key */
  has(key) {
    const vref = this.#imports.find(key);
    return vref === undefined ? this.#others.has(key) : this.#imports.has(vref);
  }

  /** @param {any} key @param {any} value */
  set(key, value) {
    const vref = this.#imports.find(key);
    if (vref !== undefined) {
      this.#imports.set(vref, value);
      return this;
    }
    this.#others.set(key, value);
    if (typeof key === 'symbol' || isCohort(key)) (this.#held ??= new Set()).add(key);
    return this;
  }

  /** @param {any} key */
  delete(key) {
    const vref = this.#imports.find(key);
    if (vref !== undefined) return this.#imports.delete(vref);
    this.#held?.delete(key);
    return this.#others.delete(key);
  }
}

class VatWeakSet {
  #map = new VatWeakMap();

  /** @param {Iterable<any> | null} [keys] */
  constructor(keys) {
    for (const key of keys ?? []) this.add(key);
  }

  /** @param {any} key */
  has(key) {
    return this.#map.has(key);
  }

  /** @param {any} key */
  add(key) {
    this.#map.set(key, true);
    return this;
  }

  /** @param {any} key */
  delete(key) {
    return this.#map.delete(key);
  }
}

for (const [name, maker] of Object.entries({ WeakMap: VatWeakMap, WeakSet: VatWeakSet })) {
  Object.defineProperty(maker, 'name', { value: name });
  Object.defineProperty(maker.prototype, Symbol.toStringTag, { value: name });
}

/** For modules of the system; a vat's own code gets them hardened. */
export { VatWeakMap, VatWeakSet };

/**
 * Makes the weak collections of a vat whose references are collected, in place of the language's.
 *
 * @returns {{ WeakMap: typeof WeakMap, WeakSet: typeof WeakSet }}
 */
export const makeWeakCollections = () => ({
  WeakMap: /** @type {any} */ (harden(VatWeakMap)),
  WeakSet: /** @type {any} */ (harden(VatWeakSet)),
});
