// What follows when a promise settles: subscribers are notified, parked messages are queued again.

import { findSoleSlot, isObjectKref } from '#model';
import { errorData } from './wire.js';

/** @import { CapData } from '#model' */
/** @import { Message, PromiseRow, SettledState } from './keepers/promises.js' */
/** @import { KernelState } from './state.js' */

/**
 * @param {boolean} rejected
 * @param {CapData} data  in krefs
 * @returns {SettledState}
 */
export const settledState = (rejected, data) => {
  if (rejected) return 'rejected';
  const sole = findSoleSlot(data);
  return sole !== undefined && isObjectKref(sole) ? 'presence' : 'data';
};

/**
 * Settle a promise and queue what waited for it: first a notify for each subscriber, in the profile's order,
 * then the parked messages in the order in which they came. They go to the promise again, and are routed when
 * they are taken.
 *
 * @param {KernelState} state
 * @param {PromiseRow} row  unresolved
 * @param {SettledState} outcome
 * @param {CapData} data  in krefs
 * @param {string} settler  the vat that settled it, which is not notified; '' for the kernel
 */
export const settle = (state, row, outcome, data, settler) => {
  const { promises, queue, profile } = state;
  const { subscribers } = row;
  const parked = promises.settle(row, outcome, data);
  const ordered = subscribers.length > 1 ? profile.orderSubscribers(subscribers) : subscribers;
  for (let i = 0; i < ordered.length; i += 1)
    if (ordered[i] !== settler) queue.addNotify(ordered[i], row);
  if (parked.length > 0) sendAgain(state, row.kref, parked);
};

/**
 * @param {KernelState} state
 * @param {string} kref  of a promise that has been settled
 * @param {readonly Message[]} parked  that waited for it
 */
const sendAgain = ({ promises, queue, counters }, kref, parked) => {
  const { syscalls, send } = counters.places;
  for (const message of parked) {
    // Queued before it is unparked, so that what it names is referred to throughout.
    queue.addSend(kref, message);
    promises.unpark(message);
    counters.inc(syscalls);
    counters.inc(send);
  }
};

/**
 * The kernel itself rejects a promise.
 *
 * @param {KernelState} state
 * @param {string} kref  unresolved
 * @param {string} message
 * @param {string} [settler]
 */
export const rejectWith = (state, kref, message, settler = '') =>
  settle(
    state,
    state.promises.require(kref),
    'rejected',
    errorData(state.profile.wire, message),
    settler,
  );

/** What a promise is rejected with whose decider, or the owner of its message's target, has ended. */
export const vatTerminated = 'vat terminated';
