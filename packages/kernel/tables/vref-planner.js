// Computes the vrefs of a delivery's references without changing the c-list.

import { Fail } from '#model';
import { nextVref } from './vref-numbers.js';

/** @import { CList } from './clist.js' */
/** @import { PromiseRow } from './promise-row.js' */

/** Up to this many new references in a delivery are searched one by one; more are indexed. */
const fewFresh = 16;

/**
 * Computes the vrefs of a delivery without touching the c-list, so that an item can begin before earlier ones are
 * applied. Applying it calls `takeVref` for the same krefs in the same order, which gives the same vrefs, since nothing
 * else changes the c-list of a busy vat. One planner serves all deliveries, one at a time.
 */
export class VrefPlanner {
  /** @type {CList | undefined} */
  #clist;

  #numbers = { nextObject: 0, nextPromise: 0, nextDevice: 0 };

  /** Whether the numbers have been read from the c-list. */
  #isNumbered = false;

  /** @type {string[]} krefs that the c-list lacks, or has as unreachable, in the order of mapping */
  #fresh = noSlots;

  /** @type {string[]} their vrefs, in the same order */
  #vrefs = noSlots;

  /** @type {Map<string, string> | undefined} */
  #index;

  /** @param {CList} clist  of the vat that the next references are for */
  begin(clist) {
    this.#clist = clist;
    this.#fresh = noSlots;
    this.#vrefs = noSlots;
    this.#isNumbered = false;
  }

  /** @param {string} kref */
  vrefOf(kref) {
    const clist = this.#clist ?? Fail`a planner was not begun`;
    const known = clist.findVref(kref);
    if (known === undefined) return this.#findFresh(kref) ?? this.#allocate(clist, kref);
    // The vat only recognised it and will reach it again, which is written when the delivery is applied.
    if (!clist.isReachable(kref)) this.#addFresh(kref, known);
    return known;
  }

  /** @param {PromiseRow} promise */
  vrefOfPromise(promise) {
    const clist = this.#clist ?? Fail`a planner was not begun`;
    const known = promise.findPair(clist);
    if (known !== undefined) return known.vref;
    return this.#findFresh(promise.kref) ?? this.#allocate(clist, promise.kref);
  }

  /** @param {readonly string[]} krefs */
  vrefsOf(krefs) {
    if (krefs.length === 0) return noSlots;
    return krefs.map(kref => this.vrefOf(kref));
  }

  /** Krefs that the vat reaches from now on, in the order of mapping. */
  get fresh() {
    return this.#fresh;
  }

  /** The vrefs of these krefs. */
  get freshVrefs() {
    return this.#vrefs;
  }

  /** @param {string} kref */
  #findFresh(kref) {
    if (this.#fresh.length > fewFresh) return this.#index?.get(kref);
    const at = this.#fresh.indexOf(kref);
    return at < 0 ? undefined : this.#vrefs[at];
  }

  /**
   * @param {CList} clist
   * @param {string} kref
   */
  #allocate(clist, kref) {
    const numbers = this.#numbers;
    if (!this.#isNumbered) {
      const { nextObject, nextPromise, nextDevice } = clist.requireNumbering();
      numbers.nextObject = nextObject;
      numbers.nextPromise = nextPromise;
      numbers.nextDevice = nextDevice;
      this.#isNumbered = true;
    }
    const vref = nextVref(kref, numbers);
    this.#addFresh(kref, vref);
    return vref;
  }

  /**
   * @param {string} kref
   * @param {string} vref
   */
  #addFresh(kref, vref) {
    if (this.#fresh.length === 0) {
      // Not empty lists: a list that grows from empty reserves 17 elements.
      this.#fresh = [kref];
      this.#vrefs = [vref];
      return;
    }
    this.#fresh.push(kref);
    this.#vrefs.push(vref);
    if (this.#fresh.length === fewFresh + 1) {
      this.#index = new Map(this.#fresh.map((fresh, i) => [fresh, this.#vrefs[i]]));
    } else if (this.#fresh.length > fewFresh) {
      this.#index?.set(kref, vref);
    }
  }
}

/** @type {string[]} */
const noSlots = [];
Object.freeze(noSlots);
