// Finds deliveries behind the one under way, for transports far away that begin them without a word of the kernel
// (packages/cluster). Changes nothing. The kernel gives each delivery again in its turn, and the transport compares the
// two: what is foreseen here decides nothing but when a vat runs.

import { collectionKinds, findAsked, isUnresolvedSend, planFlight } from './ahead.js';
import { isDelivery, route } from './routing.js';

/** @import { Delivery } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Plan } from './translate.js' */

/** @typedef {{ item: Item, delivery: Delivery }} LaterDelivery */

/** Bounds: items to look at, and deliveries to find. @typedef {{ limit: number, most: number }} LaterBounds */

/** Whether a notify tells the vat of one promise, whose data names nothing. @param {KernelState} state @param {Route} found */
const isPlainNotify = ({ promises }, found) => {
  if (found.step !== 'notify' || found.batch.length !== 1) return false;
  const { data } = promises.require(found.batch[0]);
  return data !== null && data.slots.length === 0;
};

/**
 * Whether a delivery names a promise of which its vat is told before: that one may have left the vat's c-list by then.
 *
 * @param {ReadonlySet<string>} told  promises
 * @param {Item} item
 * @param {Route} found
 */
const isToldBefore = (told, item, found) => {
  if (told.size === 0) return false;
  if (found.step === 'notify') return found.batch.some(kref => told.has(kref));
  return (
    told.has(item.target) || (item.message?.methargs.slots.some(kref => told.has(kref)) ?? false)
  );
};

/** @param {Set<string>} told  promises; those of a notify are added @param {Route} found */
const noteTold = (told, found) => {
  if (found.step === 'notify') for (const kref of found.batch) told.add(kref);
};

/**
 * The translation of an item that goes to a vat, if it stays the same until the vat's earlier items are done.
 *
 * @param {KernelState} state
 * @param {Item} item
 * @param {Route} found
 * @returns {Plan | undefined}
 */
const planFixed = (state, item, found) => {
  const isMessage = found.step === 'deliver' && item.kind === 'send';
  if (!isMessage && !isPlainNotify(state, found)) return undefined;
  return planFlight(state, item, found).plan ?? undefined;
};

/**
 * The deliveries that a vat gets next at the tag of an item, if its cranks until then make no syscall. They are exact:
 * they add nothing to its c-list, and what they name is settled. An item that may change anything else ends the list. So
 * does an item of another vat if the vat has a device: it would wait for the answer of a call, and hold up that other vat.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Item} from  its item under way
 * @param {LaterBounds} bounds
 * @returns {LaterDelivery[]}
 */
export const laterDeliveries = (state, vatId, from, { limit, most }) => {
  /** @type {LaterDelivery[]} */
  const later = [];
  // A collection may bring others before what is left of the tag.
  if (!state.vats.isRunning(vatId) || collectionKinds.has(from.kind)) return later;
  const { holdsDevice } = state.vats.require(vatId);
  /** @type {Set<string>} */
  const told = new Set();
  const present = route(state, from);
  noteTold(told, present);
  // The head, if it is not the item itself.
  const mayAsk = findAsked(state, 1);
  if (mayAsk(from, present)) return later;
  const items = state.queue.ahead(limit);
  // The head is not among them; an item that was begun ahead of its turn is.
  const place = items.findIndex(item => item === from);
  for (let i = 0; i < place; i += 1) if (mayAsk(items[i], route(state, items[i]))) return later;
  for (let i = place + 1; i < items.length; i += 1) {
    const item = items[i];
    if (item.timeNs !== from.timeNs || item.microstep !== from.microstep) break;
    if (collectionKinds.has(item.kind) || item.kind === 'upgrade' || item.kind === 'wake') break;
    if (isUnresolvedSend(state, item)) break;
    const found = route(state, item);
    const isLast = mayAsk(item, found);
    if (!isDelivery(found)) {
      // A notify of a promise that the vat has forgotten: the item under way may name the promise anew.
      if (isLast || (item.kind === 'notify' && item.vatId === vatId)) break;
      continue;
    }
    if (found.vatId !== vatId) {
      if (holdsDevice || isLast) break;
      continue;
    }
    const plan = isToldBefore(told, item, found) ? undefined : planFixed(state, item, found);
    if (plan === undefined || plan.fresh.length > 0) break;
    noteTold(told, found);
    later.push({ item, delivery: plan.vatDelivery });
    if (later.length === most || isLast) break;
  }
  return later;
};
