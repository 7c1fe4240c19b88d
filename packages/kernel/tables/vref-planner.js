// Computes the vrefs of a delivery's references without changing the c-list.

import { Fail } from '#model';
import { nextVref } from './vref-numbers.js';

/** @import { CList } from './clist.js' */
/** @import { PromiseRow } from './promise-row.js' */

/** So many new references in one delivery are found by looking through them; more get an index. */
const fewFresh = 16;

/**
 * Works out the vrefs that a delivery will have without touching the c-list, so that an item can be begun before
 * earlier ones are applied. Applying it calls `takeVref` for the same krefs in the same order, which gives the
 * same vrefs, since nothing else changes a list whose vat is busy. One planner serves all deliveries, one at a time.
 */
export class VrefPlanner {
  /** @type {CList | undefined} */
  #clist;

  #numbers = { nextObject: 0, nextPromise: 0, nextDevice: 0 };

  /** Whether they are those of the list. */
  #isNumbered = false;

  /** @type {string[]} krefs that the list lacks, or has as unreachable, in the order in which they were asked for */
  #fresh = noSlots;

  /** @type {string[]} what they will be called */
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
    // The vat reaches again what it only recognised: applying it changes that.
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

  /** Krefs that the vat reaches from now on, in the order in which they were asked for. */
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
      // Not empty lists that grow, which take room for 17.
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
