// The kinds that the vat knows, including those of collections: how an object of each is made from the store, and how
// it is deleted there.

import { Fail } from '@endo/errors';
import { baseRefOf, facetOf, kindOf } from './vrefs.js';

/**
 * @typedef {object} KindInfo
 * @property {(baseRef: string) => any} reanimate  the object, or the record of its facets; reads nothing from the store
 * @property {(baseRef: string) => boolean} deleteStored  deletes it from the store; returns whether something in memory
 *   was released
 * @property {boolean} isDurable
 * @property {readonly string[]} [facetNames]  undefined for objects without facets
 */

export class KindTable {
  /** @type {Map<string, KindInfo>} by kind id */
  #kinds = new Map();

  /** @param {string} kindId @param {KindInfo} info */
  add(kindId, info) {
    this.#kinds.set(kindId, info);
  }

  /** @param {string} kindId */
  find(kindId) {
    return this.#kinds.get(kindId);
  }

  /** @param {string} kindId */
  require(kindId) {
    return this.#kinds.get(kindId) ?? Fail`no kind info for ${kindId}`;
  }

  /**
   * @param {string} baseRef
   * @returns {any}
   * @throws {Error} for an object of a kind that this incarnation of the vat has not defined yet
   */
  reanimate(baseRef) {
    const kindId = kindOf(baseRef);
    const kind = this.#kinds.get(kindId);
    if (kind === undefined)
      throw Fail`no kind info for ${kindId} (${baseRef}); check deserialize preceding kind definitions`;
    return kind.reanimate(baseRef);
  }

  /**
   * The object that a vref names.
   *
   * @param {string} vref
   * @param {any} whole  the object of its base reference, or the record of its facets
   */
  pick(vref, whole) {
    const facet = facetOf(vref);
    if (facet === undefined) return whole;
    const name = this.require(kindOf(vref)).facetNames?.[facet];
    if (name === undefined) throw Fail`getFacet missing, ${kindOf(vref)} [${facet}]`;
    return whole[name];
  }

  /** All vrefs of an object. @param {string} baseRef */
  vrefsOf(baseRef) {
    const names = this.#kinds.get(kindOf(baseRef))?.facetNames;
    return names === undefined ? [baseRef] : names.map((_, i) => `${baseRefOf(baseRef)}:${i}`);
  }
}
