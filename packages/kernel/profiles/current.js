// Profile `current`, the default. Settled promises leave every c-list, and promises that refer to each other are
// notified together, so that nothing accumulates.

import { countersCurrent } from '../tables/counters.js';
import { smallcaps } from '../crank/wire.js';
import { notifyBatch } from './settled-from.js';

/** @import { Profile } from './profile.js' */

/** @type {Profile} */
export const profileCurrent = Object.freeze({
  name: 'current',
  wire: smallcaps,
  counters: countersCurrent,
  startsVatsInCranks: true,
  routesWhenSent: true,
  retriesDroppedItem: false,
  orderSubscribers: (vatIds, order) => order.sort(vatIds),
  cleansUpInCranks: true,
  keepsEndedBooks: false,
  collectsObjects: true,
  countsParked: true,
  deletesRings: true,
  keepsFailedExit: false,
  lastExitCounts: true,
  stopsAtFailedBootstrap: true,
  hidesDeviceErrors: true,
  notifiesSettler: true,
  retiresAll: true,
  retiresEntry: () => true,
  notifyBatch,
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
  countIdleNotify: (counters, isForEnded) => {
    const { toldNotifies, deadNotifies } = counters.places;
    counters.inc(isForEnded ? deadNotifies : toldNotifies);
  },
});
