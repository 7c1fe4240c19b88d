// Routes what a crank has sent at the end of the crank, in profiles that say so: messages and notifies in the order in
// which they were sent, first in, first out, before anything else runs. A promise that the crank settles is settled by
// then, whether the message to it was sent before or after. What routing itself adds (notifies of results that are
// rejected) comes last. Nothing here is a crank.

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
 * - A message to an object of a running vat is queued, for that vat; so is one to a promise that is fulfilled to such an
 *   object.
 * - A message to an unresolved promise is parked there, unless a pipelining vat decides the promise: then it is queued with
 *   the promise, and routed again at the head of the queue, for the promise may be settled by then.
 * - All others reach nobody: their results are rejected.
 *
 * @param {KernelState} state
 */
export const routeSent = state => {
  const { queue, profile } = state;
  if (!profile.routesWhenSent) return;
  for (;;) {
    const item = queue.nextUnrouted();
    if (item === undefined) return;
    if (item.kind === 'send') routeMessage(state, item, /** @type {Message} */ (item.message));
    else if (item.kind === 'notify') queue.accept();
  }
};

/**
 * @param {KernelState} state
 * @param {Item} item  a send
 * @param {Message} message  its own
 */
const routeMessage = (state, item, message) => {
  const { queue, promises } = state;
  // Nearly all go to an object whose vat has been found already.
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
  // Parked or rejected before it is let go of, so that what it names is referred to throughout.
  if (found.step === 'park') promises.park(found.promise, message, item);
  else if (found.step === 'reject') rejectMessage(state, found);
  queue.refuse(item);
};
