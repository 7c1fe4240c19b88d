// Where an item goes. Pure: it reads the tables and changes nothing, so an item can be looked at ahead of its
// turn. The result says what to deliver to which vat, or what the kernel does itself.

import { Fail, findSoleSlot, isObjectKref } from '#model';
import { methodNameOf } from './wire.js';

/** @import { CapData, Delivery, Resolution } from '#model' */
/** @import { CList } from './keepers/clist.js' */
/** @import { Message } from './keepers/promises.js' */
/** @import { Item } from './keepers/queue.js' */
/** @import { KernelState } from './state.js' */

/**
 * @typedef {{ step: 'deliver', vatId: string, target: string, message: Message }
 *   | { step: 'notify', vatId: string, batch: string[] }
 *   | { step: 'start', vatId: string }
 *   | { step: 'park', promise: string, message: Message }
 *   | { step: 'reject', message: Message, why: string, data: CapData | null }
 *   | { step: 'nothing', why: string, ref: string, countedDead: boolean }} Route
 *   `reject` has the error's text in `why`, or the data that the result is rejected with
 */

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {Route}
 */
export const route = (state, item) => {
  switch (item.kind) {
    case 'send':
      return routeSend(state, item.target, item.message ?? Fail`a send has no message`);
    case 'notify':
      return routeNotify(state, item.vatId, item.target);
    case 'start':
      return { step: 'start', vatId: item.vatId };
    default:
      throw Fail`an item has the unknown kind ${/** @type {any} */ (item).kind}`;
  }
};

/**
 * @param {KernelState} state
 * @param {string} target
 * @param {Message} message
 * @returns {Route}
 */
const routeSend = (state, target, message) => {
  const { owners, promises, vats } = state;
  if (isObjectKref(target)) {
    const vatId = owners.get(target);
    if (vatId === undefined) return { step: 'reject', message, why: 'vat terminated', data: null };
    return { step: 'deliver', vatId, target, message };
  }
  const row = promises.require(target);
  switch (row.state) {
    case 'presence': {
      const object = findSoleSlot(row.data ?? Fail`promise ${target} has no data`);
      return routeSend(state, object ?? Fail`promise ${target} is no presence`, message);
    }
    case 'data':
      return {
        step: 'reject',
        message,
        why: `data is not callable, has no method ${methodNameOf(message.methargs)}`,
        data: null,
      };
    case 'rejected':
      return { step: 'reject', message, why: '', data: row.data };
    default: {
      const { decider } = row;
      if (decider === '') return { step: 'park', promise: target, message };
      if (!vats.isRunning(decider))
        return { step: 'reject', message, why: 'vat terminated', data: null };
      // A pipelining vat takes messages for promises that it has still to settle.
      if (vats.require(decider).pipelining)
        return { step: 'deliver', vatId: decider, target, message };
      return { step: 'park', promise: target, message };
    }
  }
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {string} kref
 * @returns {Route}
 */
const routeNotify = ({ vats, promises, profile }, vatId, kref) => {
  if (!vats.isRunning(vatId))
    return { step: 'nothing', why: 'ended', ref: kref, countedDead: true };
  const hasEntry = vats.clist(vatId).findVref(kref) !== undefined;
  // The vat was told already, together with another promise.
  if (!profile.delivers(hasEntry))
    return { step: 'nothing', why: 'told', ref: kref, countedDead: false };
  return { step: 'notify', vatId, batch: profile.notifyBatch(kref, ref => promises.require(ref)) };
};

/**
 * A delivery in both notations, and the c-list entries that it makes.
 *
 * @typedef {object} Plan
 * @property {Delivery} kernelDelivery  in krefs
 * @property {Delivery} vatDelivery  in vrefs
 * @property {{ apply: () => void, fresh: readonly string[] }} entries  `fresh` are the krefs new to the vat
 */

/**
 * Translate a route that reaches a vat, without touching its c-list. Krefs are mapped in the order target,
 * arguments, result; of a notify, each promise and then its data.
 *
 * @param {KernelState} state
 * @param {CList} clist  of the vat
 * @param {Extract<Route, { vatId: string }>} found
 * @returns {Plan}
 */
export const translate = (state, clist, found) => {
  const entries = clist.plan();
  const map = (/** @type {CapData} */ data) =>
    data.slots.length === 0 ? data : { body: data.body, slots: entries.vrefsOf(data.slots) };
  if (found.step === 'deliver') {
    const { methargs, result } = found.message;
    const target = entries.vrefOf(found.target);
    const vatMethargs = map(methargs);
    return {
      kernelDelivery: ['message', found.target, methargs, result],
      vatDelivery: [
        'message',
        target,
        vatMethargs,
        result === null ? null : entries.vrefOf(result),
      ],
      entries,
    };
  }
  if (found.step === 'notify') {
    /** @type {Resolution[]} */
    const settled = [];
    /** @type {Resolution[]} */
    const resolutions = [];
    for (const kref of found.batch) {
      const { state: outcome, data } = state.promises.require(kref);
      if (data === null) throw Fail`promise ${kref} is not settled`;
      const rejected = outcome === 'rejected';
      settled.push([kref, rejected, data]);
      resolutions.push([entries.vrefOf(kref), rejected, map(data)]);
    }
    return { kernelDelivery: ['notify', settled], vatDelivery: ['notify', resolutions], entries };
  }
  // Parameters of a vat are plain data: there is nothing to map.
  const body = state.vats.require(found.vatId).parameters;
  const parameters = { body, slots: [] };
  return {
    kernelDelivery: ['startVat', parameters],
    vatDelivery: ['startVat', parameters],
    entries,
  };
};
