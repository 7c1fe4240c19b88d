// Which items may begin before those in front of them are applied: those to which nothing that is not applied yet
// can make a difference. Nothing is changed here.

import { isDeviceKref, isPromiseKref } from '#model';
import { isDelivery, route, translate } from './routing.js';
import { Flight } from './flight.js';

/** @import { Item } from '../tables/queue.js' */
/** @import { Plan, Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * Whether a delivery gives its vat a device that it did not hold.
 *
 * @param {Plan | null} plan
 */
export const bringsDevice = plan => plan !== null && plan.fresh.some(isDeviceKref);

/**
 * Whether it is still open which vat an item goes to.
 *
 * @param {KernelState} state
 * @param {Item} item
 */
const isUndetermined = ({ promises }, item) =>
  item.kind === 'send' &&
  isPromiseKref(item.target) &&
  promises.require(item.target).state === 'unresolved';

/** Of a notify from which more promises are reached it is not known. */
const mostReached = 1000;

/**
 * Whether all promises are settled that can be reached through the data of a notify.
 *
 * @param {KernelState} state
 * @param {Route} found
 */
const isComplete = ({ promises }, found) => {
  if (found.step !== 'notify') return true;
  const seen = new Set(found.batch);
  for (const kref of seen) {
    if (seen.size > mostReached) return false;
    const { state, data } = promises.require(kref);
    if (state === 'unresolved' || data === null) return false;
    for (const slot of data.slots) if (isPromiseKref(slot)) seen.add(slot);
  }
  return true;
};

/**
 * An item and where it goes, as a flight that has not begun.
 *
 * @param {KernelState} state
 * @param {Item} item
 * @param {Route} found
 */
export const planFlight = (state, item, found) =>
  isDelivery(found)
    ? new Flight(item, found, translate(state, found), found.vatId)
    : new Flight(item, found, null, '');

/** Items of object collection. */
const collecting = new Set([
  'bringOutYourDead',
  'collect',
  'dropExports',
  'retireExports',
  'retireImports',
]);

/**
 * Items behind the head that may begin now:
 * - only items of the present tag, since what a crank queues comes at a later one;
 * - no item of object collection, no upgrade, and none behind one;
 * - none behind an item whose target is an unresolved promise, for that can still go to any vat;
 * - one item a vat at a time, in order;
 * - a notify only when all promises reachable through its data are settled, or its batch could still grow;
 * - none to a vat that runs on the kernel's thread;
 * - none to a vat that holds a device, or is given one, whose calls must see everything before them;
 * - none once the head has begun to write (it called a device), for what it wrote may be dropped again.
 *
 * @param {KernelState} state
 * @param {Flight} head
 * @param {Pick<ReadonlyMap<number, Flight>, 'get'>} begun  ahead of their turn, by their items' sequence numbers
 * @param {number} limit  how many items to look at
 * @param {(vatId: string) => boolean} mayBegin  whether a vat runs where others run beside it
 * @returns {Flight[]} in the order of their items
 */
export const findReady = (state, head, begun, limit, mayBegin) => {
  /** @type {Flight[]} */
  const ready = [];
  if (limit <= 0 || head.isPrepared) return ready;
  const { queue, vats } = state;
  const busy = new Set([head.vatId]);
  for (const item of queue.ahead(limit)) {
    if (item.timeNs !== head.item.timeNs || item.microstep !== head.item.microstep) break;
    const early = begun.get(item.seq);
    if (early) {
      busy.add(early.vatId);
      continue;
    }
    if (isUndetermined(state, item)) break;
    // What is collected depends on everything before it, and so do reactions, which come last at a tag.
    if (collecting.has(item.kind) || item.kind === 'upgrade' || item.kind === 'react') break;
    const found = route(state, item);
    if (!isDelivery(found)) continue;
    const { vatId } = found;
    const isFree = mayBegin(vatId) && !busy.has(vatId) && !vats.require(vatId).holdsDevice;
    if (isFree && isComplete(state, found)) {
      const flight = planFlight(state, item, found);
      if (!bringsDevice(flight.plan)) ready.push(flight);
    }
    busy.add(vatId);
  }
  return ready;
};
