// The keys that a block writes. A store reads them once, in order, so they are two lists: a Map that is filled for
// every block grows several times, which costs more than formatting the block.

import { keepShape } from '#model';

export class PutList {
  /** @type {string[]} */
  #keys = [];

  /** @type {(string | Uint8Array | undefined)[]} */
  #values = [];

  /**
   * @param {string} key  if it is set twice, the last value counts
   * @param {string | Uint8Array | undefined} value  `undefined` deletes the key
   */
  set(key, value) {
    this.#keys.push(key);
    this.#values.push(value);
  }

  /** @param {(value: string | Uint8Array | undefined, key: string) => void} visit  called in the order of `set` */
  forEach(visit) {
    const keys = this.#keys;
    const values = this.#values;
    for (let i = 0; i < keys.length; i += 1) visit(values[i], keys[i]);
  }
}

keepShape(new PutList());
