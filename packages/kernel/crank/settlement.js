// Settles promises: notifies subscribers and sends parked messages again.

import { findSoleSlot, isObjectKref } from '#model';
import { errorData } from './wire.js';

/** @import { CapData, Resolution } from '#model' */
/** @import { ParkedMessage, PromiseRow, SettledState } from '../tables/promise-row.js' */
/** @import { Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */

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
 * Settle a promise and send what waited for it: first a notify for each subscriber, in the profile's order, then the
 * parked messages in the order in which they came. They are sent to the promise again, and routed.
 *
 * @param {KernelState} state
 * @param {PromiseRow} row  unresolved
 * @param {SettledState} outcome
 * @param {CapData} data  in krefs
 * @param {string} settler  the vat that settled it; '' for the kernel
 */
export const settle = (state, row, outcome, data, settler) => {
  const { promises, queue, profile, swingsetOrder } = state;
  const { subscribers } = row;
  const parked = promises.settle(row, outcome, data);
  const ordered =
    subscribers.length > 1 ? profile.orderSubscribers(subscribers, swingsetOrder) : subscribers;
  for (let i = 0; i < ordered.length; i += 1)
    if (profile.notifiesSettler || ordered[i] !== settler) queue.addNotify(ordered[i], row);
  if (parked.length > 0) sendAgain(state, row.kref, parked);
};

/**
 * Makes a vat the decider of the result of a message that it gets. A pipelining vat also gets the messages parked on
 * the result, in profiles that route when sent: before the messages that it sends itself in the same crank.
 *
 * @param {KernelState} state
 * @param {PromiseRow} row  unresolved
 * @param {string} vatId
 */
export const decideFor = (state, row, vatId) => {
  const { promises, profile, vats } = state;
  promises.setDecider(row, vatId);
  if (row.parked.length > 0 && profile.routesWhenSent && vats.require(vatId).pipelining)
    sendAgain(state, row.kref, promises.takeParked(row));
};

/**
 * @param {KernelState} state
 * @param {string} kref  of the promise to which they were sent
 * @param {readonly ParkedMessage[]} parked  that waited there
 */
const sendAgain = ({ promises, queue, counters }, kref, parked) => {
  const { syscalls, send, sentAgain } = counters.places;
  for (const message of parked) {
    // Queued before it is unparked, so that the promises it names never lose their last reference.
    queue.addParked(kref, message);
    promises.unpark(message);
    counters.inc(syscalls);
    counters.inc(send);
    counters.inc(sentAgain);
  }
};

/**
 * Rejects a promise for the kernel itself.
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

/**
 * Rejects the result, if any, of a message without a recipient.
 *
 * @param {KernelState} state
 * @param {Extract<Route, { step: 'reject' }>} found
 */
export const rejectMessage = (state, { message, why, data }) => {
  const { result } = message;
  if (result === null) return;
  if (data === null) rejectWith(state, result, why);
  else settle(state, state.promises.require(result), 'rejected', data, '');
};

/** The error of a promise whose decider has ended, or of a message whose target's owner has ended. */
export const vatTerminated = 'vat terminated';

/** @param {Resolution} resolution  in krefs */
export const stateOf = ([, rejected, data]) => settledState(rejected, data);
