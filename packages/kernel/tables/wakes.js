// Wake-ups of devices that are queued, or about to be, by device and time: there is one of a device for a time.

/** @import { Item } from './queue-item.js' */

/** @param {string} deviceId @param {number} timeNs */
const keyOf = (deviceId, timeNs) => `${deviceId} ${timeNs}`;

/** Items of other kinds are ignored. */
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

  /** That of the item's device and time. @param {Item} item */
  delete(item) {
    if (item.kind === 'wake') this.#items.delete(keyOf(item.target, item.timeNs));
  }

  /** An item was added by a crank that is dropped. Another may stand in its place by now. @param {Item} item */
  takeBack(item) {
    if (item.kind === 'wake' && this.find(item.target, item.timeNs) === item) this.delete(item);
  }

  all() {
    return [...this.#items.values()];
  }
}
