// Objects that the host has pinned, which are kept forever: SwingSet's `pinnedObjects`. Each is held once for its pin, apart from
// what the host holds otherwise, as by reading resolutions. The list is a value of the host in the store.

import { compareTexts } from '#model';
import { pinnedKey } from './host-keys.js';
import { findAdminRoot } from './tables.js';

/** @import { Kernel } from '#kernel' */

/** @param {Kernel} kernel @returns {string[]} krefs that the host program has pinned */
const readPins = kernel => {
  const text = kernel.getHostValue(pinnedKey) ?? '';
  return text === '' ? [] : text.split(',');
};

/**
 * Keep an object forever. SwingSet pins the root of vatAdmin itself.
 *
 * @param {Kernel} kernel
 * @param {string} kref
 */
export const pin = (kernel, kref) => {
  const pins = readPins(kernel);
  if (kref === findAdminRoot(kernel.state) || pins.includes(kref)) return;
  kernel.setHostValue(pinnedKey, [...pins, kref].sort(compareTexts).join(','));
  kernel.hold(kref);
};

/** @param {Kernel} kernel @returns {string} the value of `pinnedObjects`, in the order of SwingSet */
export const listPins = kernel => {
  const adminRoot = findAdminRoot(kernel.state);
  const all = [...readPins(kernel), ...(adminRoot === undefined ? [] : [adminRoot])];
  return all.sort(compareTexts).join(',');
};
