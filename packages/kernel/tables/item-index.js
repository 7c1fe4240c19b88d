// Items that are queued or staged and are looked for one by one: wake-ups of devices, by device and time, at most one for
// each pair, and the starts of vats that the run has made.

import { classes } from '#schedule';

/** @import { Item } from './queue-item.js' */

/**
 * The key of an item that is looked for; undefined for any other item.
 *
 * @param {Item} item
 */
const keyOf = ({ kind, class: itemClass, target, timeNs, vatId }) => {
  if (kind === 'wake') return wakeKey(target, timeNs);
  // The config's vats start before anything else, so nobody looks for their starts.
  return kind === 'start' && itemClass === classes.message ? startKey(vatId) : undefined;
};

/** @param {string} deviceId @param {number} timeNs */
const wakeKey = (deviceId, timeNs) => `${deviceId} ${timeNs}`;

/** @param {string} vatId */
const startKey = vatId => vatId;

/** The index of these items. Other items are ignored. */
export class ItemIndex {
  /** @type {Map<string, Item>} */
  #items = new Map();

  /**
   * @param {string} deviceId
   * @param {number} timeNs
   */
  findWake(deviceId, timeNs) {
    return this.#items.get(wakeKey(deviceId, timeNs));
  }

  /** @param {string} vatId */
  hasStart(vatId) {
    return this.#items.has(startKey(vatId));
  }

  /** @param {Item} item */
  add(item) {
    const key = keyOf(item);
    if (key !== undefined) this.#items.set(key, item);
  }

  /** Deletes the item of the same key. @param {Item} item */
  delete(item) {
    const key = keyOf(item);
    if (key !== undefined) this.#items.delete(key);
  }

  /** Removes an item that a dropped crank added, unless another has replaced it by now. @param {Item} item */
  takeBack(item) {
    const key = keyOf(item);
    if (key !== undefined && this.#items.get(key) === item) this.#items.delete(key);
  }

  all() {
    return [...this.#items.values()];
  }
}
