// The numbers of the references that a vat allocates. A vat with virtual data keeps them in its store for later
// incarnations.

import { decimal } from '#model';

export class IdNumbers {
  // The first ones are SwingSet's, so that traces can be compared.
  #nextExport = 1;

  #nextCollection = 1;

  #nextPromise = 5;

  /** Whether the numbers are still to be written to the store. */
  hasChanged = false;

  takeExport() {
    this.hasChanged = true;
    this.#nextExport += 1;
    return this.#nextExport - 1;
  }

  takeCollection() {
    this.hasChanged = true;
    this.#nextCollection += 1;
    return this.#nextCollection - 1;
  }

  /** @returns {string} a vref */
  allocatePromise() {
    this.hasChanged = true;
    const vref = `p+${decimal(this.#nextPromise)}`;
    this.#nextPromise += 1;
    return vref;
  }

  /** @param {number} first  the smallest number that a promise may have */
  beginPromisesAt(first) {
    this.#nextPromise = Math.max(this.#nextPromise, first);
  }

  /** @param {string | undefined} kept  the numbers stored by an earlier incarnation */
  continueFrom(kept) {
    const { exportID, collectionID, promiseID } = JSON.parse(kept ?? '{}');
    this.#nextExport = Math.max(this.#nextExport, exportID ?? 0);
    this.#nextCollection = Math.max(this.#nextCollection, collectionID ?? 0);
    this.#nextPromise = Math.max(this.#nextPromise, promiseID ?? 0);
    this.hasChanged = true;
  }

  /** The counters as the store keeps them. */
  format() {
    return JSON.stringify({
      exportID: this.#nextExport,
      collectionID: this.#nextCollection,
      promiseID: this.#nextPromise,
    });
  }
}
