// Counts the references to each object as SwingSet does: by imports, queue, parked messages, data of promises, the
// host, parameters of vats, and the kernel's own to vatAdmin. The kernel itself counts only references to promises.

import { isAllocatedByVat, isObjectKref } from '#model';
import { findAdminRoot } from './tables.js';

/** @import { Kernel } from '#kernel' */

/** @typedef {{ reachable: number, recognizable: number }} ObjectCount */

/**
 * @param {Kernel['state']} state
 * @returns {Map<string, ObjectCount>} by kref in numeric order; objects without references have zeros
 */
export const countObjects = state => {
  const { vats, owners, queue, promises, reactors, held } = state;
  /** @type {Map<string, ObjectCount>} */
  const counts = new Map();
  const provide = (/** @type {string} */ kref) => {
    const known = counts.get(kref) ?? { reachable: 0, recognizable: 0 };
    counts.set(kref, known);
    return known;
  };
  const add = (/** @type {string} */ kref, times = 1, isReachable = true) => {
    if (!isObjectKref(kref)) return;
    const count = provide(kref);
    count.recognizable += times;
    if (isReachable) count.reachable += times;
  };
  const addAll = (/** @type {readonly string[]} */ krefs) => krefs.forEach(kref => add(kref));
  for (const [kref] of owners.entries()) if (isObjectKref(kref)) provide(kref);
  for (const id of [...vats.vatIds(), ...vats.deviceIds()]) {
    for (const { kref, vref, isReachable } of vats.clist(id).pairs())
      if (!isAllocatedByVat(vref)) add(kref, 1, isReachable);
  }
  for (const [, row] of vats.vats.entries())
    if (row.state === 'running') addAll(row.parameterSlots);
  for (const { target, message } of queue.inOrder()) {
    if (message === null) continue;
    add(target);
    addAll(message.methargs.slots);
  }
  for (const { data } of reactors.underWay()) addAll(data.slots);
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const { methargs } of parked) addAll(methargs.slots);
    if (data !== null) addAll(data.slots);
  }
  for (const [kref, times] of held.entries()) add(kref, times);
  const adminRoot = findAdminRoot(state);
  if (adminRoot !== undefined) add(adminRoot);
  const number = (/** @type {string} */ kref) => Number(kref.slice(2));
  return new Map([...counts].sort(([left], [right]) => number(left) - number(right)));
};
