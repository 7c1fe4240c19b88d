// Profile `current`, the default: the kernel as it should be. Settled promises leave every c-list, and those
// that refer to each other are notified together, so that nothing accumulates.

import { compareIds, isPromiseKref } from '#model';
import { countersCurrent } from '../tables/counters.js';
import { smallcaps } from '../crank/wire.js';

/** @import { Profile, PromiseView } from './profile.js' */

/**
 * So many promises are told of at once: then the vat asks for the next ones itself. What can be reached may be much, and
 * stay; a vat that is given its first promise again and again is told of so many each time.
 */
const mostTold = 1000;

/**
 * The promise and every settled promise that can be reached through settled promises' data, depth first in the
 * order of slots. A vat that is told of one is told of all, or it would have to ask for each of them.
 *
 * @param {string} kref
 * @param {PromiseView} view
 */
const settledFrom = (kref, view) => {
  const { data } = view(kref);
  // Nearly every notify is of one promise whose data names no other.
  if (data === null || !data.slots.some(isPromiseKref)) return [kref];
  const batch = new Set([kref]);
  // Where the walk is in each list of slots; not a recursion, for it may go deep.
  const stack = [{ slots: data.slots, at: 0 }];
  while (stack.length > 0 && batch.size < mostTold) {
    const top = stack[stack.length - 1];
    if (top.at === top.slots.length) {
      stack.pop();
      continue;
    }
    const slot = top.slots[top.at];
    top.at += 1;
    if (!isPromiseKref(slot) || batch.has(slot)) continue;
    const { state, data: inner } = view(slot);
    if (state === 'unresolved' || inner === null) continue;
    batch.add(slot);
    stack.push({ slots: inner.slots, at: 0 });
  }
  return [...batch];
};

/** @type {Profile} */
export const profileCurrent = Object.freeze({
  name: 'current',
  wire: smallcaps,
  counters: countersCurrent,
  startsVatsInCranks: true,
  routesWhenSent: true,
  retriesDroppedItem: false,
  orderSubscribers: (vatIds, order) => order.sort(vatIds),
  compareAbandoned: (left, right) => compareIds(left.kref, right.kref),
  cleansUpInCranks: true,
  keepsEndedBooks: false,
  collectsObjects: true,
  deletesRings: true,
  keepsFailedExit: false,
  stopsAtFailedBootstrap: true,
  hidesDeviceErrors: true,
  retiresAll: true,
  retiresEntry: () => true,
  notifyBatch: settledFrom,
  delivers: vatHasEntry => vatHasEntry,
  countResolve: (counters, states) => {
    const { syscalls, resolve, resolved } = counters.places;
    counters.inc(syscalls);
    counters.inc(resolve);
    for (let i = 0; i < states.length; i += 1) counters.inc(resolved[states[i]]);
  },
  countNotify: (counters, states) => {
    const { dispatches, notify, notified } = counters.places;
    counters.inc(dispatches);
    counters.inc(notify);
    for (let i = 0; i < states.length; i += 1) counters.inc(notified[states[i]]);
  },
  countDeadNotify: () => {},
});
