// A map by references, krefs or vrefs. Promises come and go within a few cranks, objects stay until they are collected;
// so they are kept apart. The map of promises stays so small that it is looked up in the processor's nearest cache, and
// the map of objects is not copied over and over because of keys that have gone.

import { ChurnMap } from './churn-map.js';

const promiseLetter = 'p'.charCodeAt(0);

/** @template V */
export class RefMap {
  /** @type {ChurnMap<string, V>} */
  #promises = new ChurnMap();

  /** @type {ChurnMap<string, V>} */
  #others = new ChurnMap();

  #letterAt;

  /** @param {'kref' | 'vref'} form  of the keys */
  constructor(form) {
    this.#letterAt = form === 'kref' ? 1 : 0;
  }

  /** @param {string} ref */
  #mapOf(ref) {
    return ref.charCodeAt(this.#letterAt) === promiseLetter ? this.#promises : this.#others;
  }

  get size() {
    return this.#promises.size + this.#others.size;
  }

  /** @param {string} ref */
  get(ref) {
    return this.#mapOf(ref).get(ref);
  }

  /**
   * @param {string} ref
   * @param {V} value
   */
  set(ref, value) {
    this.#mapOf(ref).set(ref, value);
  }

  /**
   * @param {string} ref
   * @returns {boolean} whether it was there
   */
  delete(ref) {
    return this.#mapOf(ref).delete(ref);
  }

  /** As `values`. */
  *keys() {
    yield* this.#others.keys();
    yield* this.#promises.keys();
  }

  /** Of objects and devices, then of promises, in the order of insertion. Deleting while it runs is not allowed. */
  *values() {
    yield* this.#others.values();
    yield* this.#promises.values();
  }

  /** As `values`. @returns {Generator<[ref: string, value: V]>} */
  *entries() {
    yield* this.#others.entries();
    yield* this.#promises.entries();
  }
}
