// Routes the messages and notifies of a crank at the crank's end, in the profiles that route when something is sent. They
// are routed in the order in which they were sent, before anything else runs. All promises that the crank settles are settled by
// then, so it makes no difference whether a message was sent before or after its promise settled. Notifies that routing
// itself adds (of results that it rejects) come last. Routing is no crank.

import { isObjectKref } from '#model';
import { routeSend } from './routing.js';
import { rejectMessage } from './settlement.js';

/** @import { Item } from '../tables/queue-item.js' */
/** @import { Message } from '../tables/promise-row.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * Route what has been sent since the last call.
 *
 * - A notify is queued.
 * - A message to an object of a running vat is queued for that vat, as is a message to a promise that is fulfilled to
 *   such an object.
 * - A message to an unresolved promise is parked there. If a pipelining vat decides the promise, the message is queued
 *   with the promise instead and routed again at the head of the queue, since the promise may be settled by then.
 * - Every other message has no recipient: its result is rejected.
 *
 * @param {KernelState} state
 */
export const routeSent = state => {
  const { queue, profile } = state;
  if (!profile.routesWhenSent) return;
  const before = queue.unrouted;
  let taken = 0;
  let routed = 0;
  let added = 0;
  let excess = 0;
  for (;;) {
    const item = queue.nextUnrouted();
    if (item === undefined) break;
    taken += 1;
    const { kind } = item;
    if (kind === 'send') routeMessage(state, item, /** @type {Message} */ (item.message));
    else if (kind === 'notify') queue.accept();
    else if (kind !== 'start' && kind !== 'upgrade') continue;
    routed += 1;
    added = queue.unrouted + taken - before;
    excess = Math.max(excess, added - routed);
  }
  if (routed > 0) state.figures.accept(routed - added, excess);
};

/**
 * @param {KernelState} state
 * @param {Item} item  a send
 * @param {Message} message  its own
 */
const routeMessage = (state, item, message) => {
  const { queue, promises } = state;
  // Nearly all messages go to an object whose vat was found when they were sent.
  const parts = item.home !== null && item.home.isListed ? item.home.clist.parts : undefined;
  if (parts?.row?.state === 'running') {
    queue.acceptFor(item, parts.id, item.target);
    return;
  }
  const found = routeSend(state, item.target, message);
  if (found.step === 'deliver') {
    if (isObjectKref(found.target)) queue.acceptFor(item, found.vatId, found.target);
    else queue.accept();
    return;
  }
  // Parked or rejected before it is released, so that the promises it names never lose their last reference.
  if (found.step === 'park') promises.park(found.promise, message, item);
  else if (found.step === 'reject') rejectMessage(state, found);
  queue.refuse(item);
};
