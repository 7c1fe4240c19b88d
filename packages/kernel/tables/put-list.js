// The keys that a block writes. A store reads them once, from first to last, so they are two lists: a Map that is filled
// anew for every block grows several times, which costs more than the block's own formatting.

import { keepShape } from '#model';

export class PutList {
  /** @type {string[]} */
  #keys = [];

  /** @type {(string | Uint8Array | undefined)[]} */
  #values = [];

  /**
   * @param {string} key  one that was set before counts as it is set last
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
