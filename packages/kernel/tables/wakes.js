// Wake-ups of devices that are queued or staged, by device and time: at most one for each pair.

/** @import { Item } from './queue-item.js' */

/** @param {string} deviceId @param {number} timeNs */
const keyOf = (deviceId, timeNs) => `${deviceId} ${timeNs}`;

/** The index of wake-ups. Items of other kinds are ignored. */
export class Wakes {
  /** @type {Map<string, Item>} */
  #items = new Map();

  /**
   * @param {string} deviceId
   * @param {number} timeNs
   */
  find(deviceId, timeNs) {
    return this.#items.get(keyOf(deviceId, timeNs));
  }

  /** @param {Item} item */
  add(item) {
    if (item.kind === 'wake') this.#items.set(keyOf(item.target, item.timeNs), item);
  }

  /** Deletes the wake-up of the item's device and time. @param {Item} item */
  delete(item) {
    if (item.kind === 'wake') this.#items.delete(keyOf(item.target, item.timeNs));
  }

  /** Removes an item that a dropped crank added, unless another has replaced it by now. @param {Item} item */
  takeBack(item) {
    if (item.kind === 'wake' && this.find(item.target, item.timeNs) === item) this.delete(item);
  }

  all() {
    return [...this.#items.values()];
  }
}
