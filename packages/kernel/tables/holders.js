// Counts, for each object, how many c-lists of running vats and of devices reach it as an import, and which entries only
// recognise it. The c-lists report each change here, undone ones too. The counts follow from the c-lists, so they are not
// stored.
//
// Object collection judges suspects only: objects that are new, or that lost a holder, since the last collection. Every
// object that no c-list reaches is a suspect, or its vat was told of it.

import { isAllocatedByVat, isObjectKref, RefMap } from '#model';

/** @import { CList, Pair } from './clist.js' */

class Holding {
  /** C-lists that reach the object as an import. */
  reached = 0;

  /** @type {Set<Pair> | undefined} entries of imports that only recognise it */
  recognisers = undefined;
}

/** @param {CList} clist @returns {Pair[]} entries of imported objects */
const importsOf = clist =>
  /** @type {Pair[]} */ (
    clist.pairs().filter(({ kref, vref }) => isObjectKref(kref) && !isAllocatedByVat(vref))
  );

export class Holders {
  /** @type {RefMap<Holding>} by kref, as long as a c-list imports the object */
  #holdings = new RefMap('kref');

  /** @type {RefMap<true>} by kref */
  #suspects = new RefMap('kref');

  /** @param {string} kref */
  #provide(kref) {
    let holding = this.#holdings.get(kref);
    if (holding === undefined) {
      holding = new Holding();
      this.#holdings.set(kref, holding);
    }
    return holding;
  }

  /**
   * An entry of an object was added to a c-list.
   *
   * @param {Pair} pair
   */
  add(pair) {
    const { kref, clist } = pair;
    if (isAllocatedByVat(pair.vref)) this.suspect(kref);
    else if (clist.isHolding) this.#hold(pair);
  }

  /**
   * An entry of an object was removed.
   *
   * @param {Pair} pair
   */
  remove(pair) {
    const { kref, clist } = pair;
    if (isAllocatedByVat(pair.vref)) {
      // Vats that only recognise it must be told.
      if (!this.isRecognised(kref)) this.#suspects.delete(kref);
      else this.suspect(kref);
    } else if (clist.isHolding) {
      this.#letGo(pair, pair.isReachable);
    }
  }

  /**
   * `isReachable` of an entry has changed.
   *
   * @param {Pair} pair
   */
  turn(pair) {
    if (isAllocatedByVat(pair.vref)) {
      this.suspect(pair.kref);
    } else if (pair.clist.isHolding) {
      // First the new holding, so that the row stays.
      this.#hold(pair);
      this.#letGo(pair, !pair.isReachable);
    }
  }

  /** @param {Pair} pair */
  #hold(pair) {
    const holding = this.#provide(pair.kref);
    if (pair.isReachable) {
      holding.reached += 1;
    } else {
      holding.recognisers ??= new Set();
      holding.recognisers.add(pair);
      this.suspect(pair.kref);
    }
  }

  /**
   * @param {Pair} pair
   * @param {boolean} wasReachable
   */
  #letGo(pair, wasReachable) {
    const { kref } = pair;
    const holding = this.#provide(kref);
    if (wasReachable) holding.reached -= 1;
    else holding.recognisers?.delete(pair);
    if (holding.reached > 0) return;
    this.suspect(kref);
    if ((holding.recognisers?.size ?? 0) === 0) this.#holdings.delete(kref);
  }

  /**
   * The vat of a c-list has ended: its imports hold nothing from now on.
   *
   * @param {CList} clist
   */
  release(clist) {
    for (const pair of importsOf(clist)) this.#letGo(pair, pair.isReachable);
    clist.isHolding = false;
  }

  /**
   * The end of the vat is undone.
   *
   * @param {CList} clist
   */
  restore(clist) {
    clist.isHolding = true;
    for (const pair of importsOf(clist)) this.#hold(pair);
  }

  /** @param {string} kref  of an object that the next collection must judge */
  suspect(kref) {
    this.#suspects.set(kref, true);
  }

  /** Takes the suspects found since the last call. @returns {string[]} krefs, by their numbers */
  takeSuspects() {
    const taken = this.#suspects.keys();
    this.#suspects = new RefMap('kref');
    return taken;
  }

  /** Whether a c-list reaches it as an import. @param {string} kref */
  isReached(kref) {
    const holding = this.#holdings.get(kref);
    return holding !== undefined && holding.reached > 0;
  }

  /** Whether a c-list has it as an import that it only recognises. @param {string} kref */
  isRecognised(kref) {
    return (this.#holdings.get(kref)?.recognisers?.size ?? 0) > 0;
  }

  /** @param {string} kref @returns {readonly Pair[]} */
  recognisersOf(kref) {
    const { recognisers } = this.#holdings.get(kref) ?? {};
    return recognisers === undefined ? [] : [...recognisers];
  }

  /** For the audit. @returns {[kref: string, reached: number, recognised: number][]} */
  counts() {
    return this.#holdings
      .entries()
      .map(([kref, { reached, recognisers }]) => [kref, reached, recognisers?.size ?? 0]);
  }
}
