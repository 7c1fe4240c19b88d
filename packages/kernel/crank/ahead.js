// Decides which items may begin before those in front of them are applied: the items on which nothing in front can have
// an effect any more. Changes nothing.

import { isDeviceKref, isPromiseKref } from '#model';
import { classes } from '#schedule';
import { isDelivery, route } from './routing.js';
import { translate } from './translate.js';
import { deliveriesLeft } from '../collection/reaper.js';
import { Flight } from './flight.js';

/** @import { Item } from '../tables/queue-item.js' */
/** @import { DeliveryRoute, Route } from './routing.js' */
/** @import { Plan } from './translate.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * Whether a delivery gives its vat a device that it did not hold.
 *
 * @param {Plan | null} plan
 */
export const bringsDevice = plan =>
  plan !== null && plan.fresh.length > 0 && plan.fresh.some(isDeviceKref);

/**
 * Whether the vat that an item goes to is still undetermined.
 *
 * @param {KernelState} state
 * @param {Item} item
 */
export const isUnresolvedSend = ({ promises }, item) =>
  item.kind === 'send' &&
  isPromiseKref(item.target) &&
  promises.require(item.target).state === 'unresolved';

/** A notify that reaches more promises than this does not run ahead. */
const mostReached = 1000;

/**
 * Whether the batch of a notify is fixed. It is if each promise that can be reached through its data is settled, or
 * stays unresolved until the notify's turn because its decider has nothing to do before. Only the decider resolves a
 * promise, or the kernel when that vat ends; a vat ends by its own syscall or by a device call of another vat.
 *
 * @param {KernelState} state
 * @param {Route} found
 * @param {ReadonlySet<string>} busy  vats that earlier items go to
 * @param {boolean} mayEndVats  whether an earlier item may call a device
 */
const isFixed = ({ promises }, found, busy, mayEndVats) => {
  if (found.step !== 'notify') return true;
  const seen = new Set(found.batch);
  for (const kref of seen) {
    if (seen.size > mostReached) return false;
    const { state, data, decider } = promises.require(kref);
    if (state === 'unresolved') {
      // A promise without a decider is the result of a queued message.
      if (mayEndVats || decider === '' || busy.has(decider)) return false;
    } else {
      if (data === null) return false;
      for (const slot of data.slots) if (isPromiseKref(slot)) seen.add(slot);
    }
  }
  return true;
};

/**
 * @param {KernelState} state
 * @param {DeliveryRoute} found
 */
const partsOf = ({ vats }, found) => {
  const isKnown = (found.step === 'deliver' || found.step === 'notify') && found.pair !== null;
  return (isKnown ? found.pair?.clist.parts : undefined) ?? vats.parts(found.vatId);
};

/**
 * An item and where it goes, as a flight that has not begun.
 *
 * @param {KernelState} state
 * @param {Item} item
 * @param {Route} found
 */
export const planFlight = (state, item, found) => {
  if (!isDelivery(found)) return new Flight(item, found, null, null);
  const parts = partsOf(state, found);
  return new Flight(item, found, translate(state, parts, item, found), parts);
};

/**
 * Whether a delivery may give its vat a device.
 *
 * @param {KernelState} state
 * @param {Route} found
 */
const mayBringDevice = ({ promises, vats }, found) => {
  if (found.step === 'deliver') return found.message.methargs.slots.some(isDeviceKref);
  if (found.step === 'react') return found.values.some(({ data }) => data.slots.some(isDeviceKref));
  if (found.step === 'start') return vats.require(found.vatId).parameterSlots.some(isDeviceKref);
  if (found.step !== 'notify') return true;
  return found.batch.some(kref => promises.require(kref).data?.slots.some(isDeviceKref) ?? true);
};

/** Kinds of items of object collection. */
export const collectionKinds = new Set([
  'bringOutYourDead',
  'collect',
  'dropExports',
  'retireExports',
  'retireImports',
]);

/**
 * How early a vat's items may begin: `inTurn`, only in their turn; `early`, before it if the vat holds no device;
 * `earlyWithDevice`, before it in any case, because its device calls and clock reads wait for the turn; or `overtaking`,
 * also behind items that have not begun, because a delivery whose vat would have to wait is taken back.
 *
 * @typedef {'inTurn' | 'early' | 'earlyWithDevice' | 'overtaking'} Earliness
 */

/**
 * Whether the execution of an item may call a device.
 *
 * @param {KernelState} state
 * @param {Flight} flight
 */
const mayCallDevice = ({ vats }, { found, plan, vatId }) =>
  found.step === 'wake' ||
  bringsDevice(plan) ||
  (vats.isRunning(vatId) && vats.require(vatId).holdsDevice);

/**
 * Whether a delivery began without leave to wait for its turn: it may have been taken back, and need its thread.
 *
 * @param {Flight} flight
 */
const mustNotWait = ({ when }) => when !== null && when.mustNotWait === true;

/**
 * Counts deliveries that are in front, one a call. A notify that has nothing to tell counts, too: a delivery in front may
 * bring its promise back to the vat.
 *
 * @param {KernelState} state
 * @param {number} [others]  deliveries in front that are not counted, each to any vat
 * @returns {(item: Item, found: Route) => boolean} whether a vat may be asked for its dead references at once after this item
 */
export const findAsked = (state, others = 0) => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return (item, found) => {
    const vatId = isDelivery(found) ? found.vatId : item.kind === 'notify' ? item.vatId : '';
    if (vatId === '') return false;
    const left = deliveriesLeft(state, vatId);
    // Nothing is counted of vats without an interval, which are nearly all.
    if (left === Infinity) return false;
    const count = (counts.get(vatId) ?? 0) + 1;
    counts.set(vatId, count);
    return count + others >= left;
  };
};

/** A vat's reactions share one reused item, which has no sequence number. @param {Item} item @returns {number} */
export const keyOfItem = ({ kind, seq, vatNumber }) => (kind === 'react' ? -vatNumber : seq);

/**
 * The stage whose reactions nothing in front of them can change, if there is one. At one tag a value goes to a later
 * stage than its sender's; a message may lead to reactions of stage 0, and so to values of stage 1. The start of a vat
 * of the config may complete its reactor program, which is then connected.
 *
 * @param {Item} item  the head's
 * @returns {number} -1 if there is none
 */
export const openStage = ({ kind, stage }) =>
  kind === 'react' ? stage : kind === 'start' ? -1 : 0;

/**
 * The result of a look at a tag: nothing more to find, items of vats that were busy (`vatIds`), or anything; and the number
 * of items looked at.
 *
 * @typedef {{ mayFind: 'nothing' | 'vats' | 'anything', vatIds: Set<string>, looked: number }} Rest
 */

/**
 * Begins items behind the head that may begin now. The conditions:
 * - only items of the present tag begin, since items queued by a crank have a later tag;
 * - no item of object collection begins, no upgrade, and no item behind either; nor behind an item after which a vat may be
 *   asked for its dead references at once;
 * - reactions begin for one stage only (`openStage`), and not behind a vat's start;
 * - nothing begins behind an item whose target is an unresolved promise, since that item may still go to any vat;
 * - one item a vat begins at a time, in order;
 * - a notify begins only when nothing before it can change its batch;
 * - nothing begins for a vat whose transport cannot begin early;
 * - nothing begins for a vat that holds a device, unless its device calls wait for the turn;
 * - a vat that may wait for its turn begins only if all items before it that can begin early have begun, so that none of
 *   them waits behind it for the same thread; or it begins without leave to wait (`When.mustNotWait`), as do all behind it;
 * - an item that gives its vat a device does not begin;
 * - nothing begins once the head has begun to write (it called a device), since its writes may be undone.
 *
 * @param {KernelState} state
 * @param {Flight} head
 * @param {Pick<ReadonlyMap<number, Flight>, 'get'>} begun  ahead of their turn, by `keyOfItem`
 * @param {Iterable<string>} busyLater  vats whose reactions of a later tag have begun
 * @param {number} limit  how many items to look at
 * @param {(vatId: string) => Earliness} earlinessOf
 * @param {(flight: Flight, mustNotWait: boolean) => 'begun' | 'notYet' | 'last'} begin  begins one, called in the order
 *   of the items: `notYet` if it cannot, `last` to stop looking
 * @returns {Rest}
 */
export const beginReady = (state, head, begun, busyLater, limit, earlinessOf, begin) => {
  /** @type {Rest} */
  const rest = { mayFind: 'anything', vatIds: new Set(), looked: 0 };
  if (limit <= 0 || head.isPrepared || collectionKinds.has(head.item.kind)) return rest;
  const { queue, vats } = state;
  const mayAsk = findAsked(state);
  let asksFirst = mayAsk(head.item, head.found);
  const busy = new Set([head.vatId, ...busyLater]);
  let mayEndVats = mayCallDevice(state, head);
  let isGap = mustNotWait(head);
  let isWhole = true;
  let stage = openStage(head.item);
  const items = queue.ahead(limit);
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    rest.looked = i + 1;
    if (item.timeNs !== head.item.timeNs || item.microstep !== head.item.microstep) break;
    // A request at once comes behind the items of its class.
    if (asksFirst && item.class !== classes.control) return rest;
    if (item.kind === 'start') stage = -1;
    const early = begun.get(keyOfItem(item));
    if (early) {
      busy.add(early.vatId);
      mayEndVats ||= mayCallDevice(state, early);
      isGap ||= mustNotWait(early);
      asksFirst ||= mayAsk(early.item, early.found);
      continue;
    }
    if (isUnresolvedSend(state, item)) return rest;
    // A collection depends on everything before it.
    if (collectionKinds.has(item.kind) || item.kind === 'upgrade') return rest;
    if (item.kind === 'react' && item.stage !== stage) return rest;
    const found = route(state, item);
    asksFirst ||= mayAsk(item, found);
    if (!isDelivery(found)) {
      mayEndVats ||= found.step === 'wake';
      continue;
    }
    const { vatId } = found;
    const { holdsDevice } = vats.require(vatId);
    const earliness = earlinessOf(vatId);
    const mayCall = holdsDevice || mayBringDevice(state, found);
    const isKnown = isFixed(state, found, busy, mayEndVats);
    const isBusy = busy.has(vatId);
    mayEndVats ||= mayCall || !isKnown;
    busy.add(vatId);
    if (earliness === 'inTurn') continue;
    const isFree =
      isKnown &&
      !isBusy &&
      (earliness !== 'earlyWithDevice' || !isGap) &&
      (!mayCall || (holdsDevice && earliness !== 'early'));
    const flight = isFree ? planFlight(state, item, found) : undefined;
    if (flight !== undefined && !bringsDevice(flight.plan)) {
      const done = begin(flight, isGap && earliness === 'overtaking');
      if (done === 'last') return rest;
      isGap ||= done === 'notYet';
    } else {
      isGap = true;
      if (isBusy) rest.vatIds.add(vatId);
      else isWhole = false;
    }
  }
  if (isWhole && items.length < limit) rest.mayFind = rest.vatIds.size > 0 ? 'vats' : 'nothing';
  return rest;
};
