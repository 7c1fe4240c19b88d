// A map by references, krefs or vrefs. Each type of reference is numbered, so they are stored by their numbers,
// promises separate from objects: promises come and go within a few cranks, objects stay until they are collected.

import { ChurnMap } from './churn-map.js';
import { decimal } from './decimal.js';
import { maxNumber, NumberedMap } from './numbered-map.js';

const letterK = 'k'.charCodeAt(0);
const letterO = 'o'.charCodeAt(0);
const letterP = 'p'.charCodeAt(0);
const plus = '+'.charCodeAt(0);
const minus = '-'.charCodeAt(0);
const digit0 = '0'.charCodeAt(0);

/** Characters before the number in every reference that is stored by number. */
const prefixLength = 2;

/** Longer references could have a number above `maxNumber`. */
const maxLength = prefixLength + String(maxNumber).length - 1;

/**
 * @param {string} ref
 * @returns {number} −1 unless the text after the first two letters is a number in its canonical form
 */
const numberIn = ref => {
  const { length } = ref;
  if (length <= prefixLength || length > maxLength) return -1;
  let number = ref.charCodeAt(prefixLength) - digit0;
  if (number < 0 || number > 9 || (number === 0 && length > prefixLength + 1)) return -1;
  for (let i = prefixLength + 1; i < length; i += 1) {
    const digit = ref.charCodeAt(i) - digit0;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
};

/** @template {{}} V */
export class RefMap {
  /** Objects that the kernel allocated. @type {NumberedMap<V>} */
  #objects = new NumberedMap();

  /** @type {NumberedMap<V>} */
  #promises = new NumberedMap();

  /** Objects that a vat allocated. @type {NumberedMap<V>} */
  #ownObjects = new NumberedMap();

  /** @type {NumberedMap<V>} */
  #ownPromises = new NumberedMap();

  /** Devices, virtual objects, and references of any other form. @type {ChurnMap<string, V>} */
  #others = new ChurnMap();

  #isByKref;

  /** @param {'kref' | 'vref'} form  of the keys */
  constructor(form) {
    this.#isByKref = form === 'kref';
  }

  /** @param {string} ref @returns {NumberedMap<V> | undefined} */
  #mapOf(ref) {
    const first = ref.charCodeAt(0);
    const second = ref.charCodeAt(1);
    if (this.#isByKref) {
      if (first !== letterK) return undefined;
      if (second === letterP) return this.#promises;
      return second === letterO ? this.#objects : undefined;
    }
    if (first === letterP) {
      if (second === minus) return this.#promises;
      return second === plus ? this.#ownPromises : undefined;
    }
    if (first !== letterO) return undefined;
    if (second === minus) return this.#objects;
    return second === plus ? this.#ownObjects : undefined;
  }

  get size() {
    return (
      this.#objects.size +
      this.#promises.size +
      this.#ownObjects.size +
      this.#ownPromises.size +
      this.#others.size
    );
  }

  /** @param {string} ref @returns {V | undefined} */
  get(ref) {
    const number = numberIn(ref);
    const map = number < 0 ? undefined : this.#mapOf(ref);
    return map === undefined ? this.#others.get(ref) : map.get(number);
  }

  /**
   * @param {string} ref
   * @param {V} value
   */
  set(ref, value) {
    const number = numberIn(ref);
    const map = number < 0 ? undefined : this.#mapOf(ref);
    if (map === undefined) this.#others.set(ref, value);
    else map.set(number, value);
  }

  /**
   * @param {string} ref
   * @returns {boolean} whether the reference was there
   */
  delete(ref) {
    const number = numberIn(ref);
    const map = number < 0 ? undefined : this.#mapOf(ref);
    return map === undefined ? this.#others.delete(ref) : map.delete(number);
  }

  /**
   * Visits objects, then devices and the like, then promises: those that a vat allocates before those of the kernel,
   * each in the order of their numbers; devices and the like in the order of insertion. Do not delete during the
   * iteration.
   *
   * @param {(value: V, ref: string) => void} visit
   */
  forEach(visit) {
    const [objects, promises] = this.#isByKref ? ['ko', 'kp'] : ['o-', 'p-'];
    this.#ownObjects.forEach((value, number) => visit(value, `o+${decimal(number)}`));
    this.#objects.forEach((value, number) => visit(value, objects + decimal(number)));
    for (const [ref, value] of this.#others.entries()) visit(value, ref);
    this.#ownPromises.forEach((value, number) => visit(value, `p+${decimal(number)}`));
    this.#promises.forEach((value, number) => visit(value, promises + decimal(number)));
  }

  /** The keys in the order of `forEach`, as a copy. @returns {string[]} */
  keys() {
    /** @type {string[]} */
    const refs = [];
    this.forEach((_, ref) => refs.push(ref));
    return refs;
  }

  /** The values in the order of `forEach`, as a copy. @returns {V[]} */
  values() {
    /** @type {V[]} */
    const values = [];
    const visit = (/** @type {V} */ value) => void values.push(value);
    this.#ownObjects.forEach(visit);
    this.#objects.forEach(visit);
    for (const value of this.#others.values()) values.push(value);
    this.#ownPromises.forEach(visit);
    this.#promises.forEach(visit);
    return values;
  }

  /** The entries in the order of `forEach`, as a copy. @returns {[ref: string, value: V][]} */
  entries() {
    /** @type {[ref: string, value: V][]} */
    const entries = [];
    this.forEach((value, ref) => entries.push([ref, value]));
    return entries;
  }
}
