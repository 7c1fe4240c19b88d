// WeakMap and WeakSet as a vat has them. An imported object can leave the vat and come back as another presence with the
// same vref, and must still be found: it is a key by its vref, until the object is gone everywhere. Everything else is
// a key as always.
//
// A value that is kept for an import is held as long as the collection and the object are there, also where the value
// leads to the presence itself.

/** @import { Collector, References } from './references.js' */

/**
 * @param {References} references
 * @param {Collector} collector
 * @returns {{ WeakMap: typeof WeakMap, WeakSet: typeof WeakSet }}
 */
export const makeWeakCollections = (references, { WeakRef }) => {
  /** @param {any} key */
  const findImport = key => {
    if (typeof key !== 'object' || key === null) return undefined;
    const vref = references.findVref(key);
    return vref !== undefined && vref.startsWith('o-') ? vref : undefined;
  };

  /** Entries by vref, and the weak reference by which the table of references knows them. */
  class ImportEntries {
    /** @type {Map<string, any>} */
    #entries = new Map();

    #ref = new WeakRef(this.#entries);

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
      references.addRecognizer(vref, this.#ref);
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

    /** @param {Iterable<readonly [any, any]> | null} [entries] */
    constructor(entries) {
      for (const [key, value] of entries ?? []) this.set(key, value);
    }

    /** @param {any} key */
    get(key) {
      const vref = findImport(key);
      return vref === undefined ? this.#others.get(key) : this.#imports.get(vref);
    }

    /** @param {any} key */
    has(key) {
      const vref = findImport(key);
      return vref === undefined ? this.#others.has(key) : this.#imports.has(vref);
    }

    /** @param {any} key @param {any} value */
    set(key, value) {
      const vref = findImport(key);
      if (vref === undefined) this.#others.set(key, value);
      else this.#imports.set(vref, value);
      return this;
    }

    /** @param {any} key */
    delete(key) {
      const vref = findImport(key);
      return vref === undefined ? this.#others.delete(key) : this.#imports.delete(vref);
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

  const dress = (/** @type {any} */ maker, /** @type {string} */ name) => {
    Object.defineProperty(maker, 'name', { value: name });
    Object.defineProperty(maker.prototype, Symbol.toStringTag, { value: name });
    return harden(maker);
  };
  return { WeakMap: dress(VatWeakMap, 'WeakMap'), WeakSet: dress(VatWeakSet, 'WeakSet') };
};
