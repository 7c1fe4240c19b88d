// Profile `2020-09`: the bookkeeping of the SwingSet snapshot of 2020-09-30, which yields the published tables exactly.
// Two differences are deliberate: counters are rolled back with a dropped crank, and nothing panics where that kernel
// did (docs/design/profiles.md).

import { isPromiseKref } from '#model';
import { counters2020 } from '../tables/counters.js';
import { qclass } from '../crank/wire.js';

/** @import { Profile } from './profile.js' */

/**
 * That kernel sorted vat ids and keys as strings: `v10` before `v2`.
 *
 * @type {(left: string, right: string) => number}
 */
const asStrings = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

/** @type {Profile} */
export const profile2020 = Object.freeze({
  name: '2020-09',
  wire: qclass,
  counters: counters2020,
  startsVatsInCranks: false,
  routesWhenSent: false,
  retriesDroppedItem: true,
  orderSubscribers: vatIds => [...vatIds].sort(asStrings),
  cleansUpInCranks: false,
  keepsEndedBooks: true,
  collectsObjects: false,
  countsParked: false,
  deletesRings: false,
  keepsFailedExit: true,
  lastExitCounts: false,
  stopsAtFailedBootstrap: false,
  hidesDeviceErrors: false,
  notifiesSettler: false,
  // "Easy" promises leave the c-list: those whose data names no promise. The others stay for good.
  retiresAll: false,
  retiresEntry: (_kref, data) => !data.slots.some(isPromiseKref),
  notifyBatch: kref => [kref],
  delivers: () => true,
  countResolve: (counters, states) => {
    const { syscalls, resolved } = counters.places;
    for (const state of states) {
      counters.inc(syscalls);
      counters.inc(resolved[state]);
    }
  },
  countNotify: (counters, states) => {
    const { dispatches, notified } = counters.places;
    counters.inc(dispatches);
    for (const state of states) counters.inc(notified[state]);
  },
  countIdleNotify: counters => counters.inc(counters.places.dispatches),
});
