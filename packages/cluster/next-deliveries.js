// Deliveries that a host begins by itself. With a delivery the leader sends those that the vat gets next if it makes no
// syscall (`laterDeliveries` of the kernel): the notifies of a vat that waits for many others. The host begins the next
// one when a result has no effect, and forgets them all when it has one; the leader follows the same rule. So both know
// without a message which delivery is under way.

import { digestOf } from '#host/workers/ahead-state.js';

/** @import { Kernel } from '#kernel' */
/** @import { When } from '#model' */
/** @import { ResultFrame } from '#transport' */
/** @import { HostedVat, Replica } from './hosted-vat.js' */
/** @import { ToHost } from './host-messages.js' */

/** Whether a crank changes nothing but what its delivery changes. @param {ResultFrame} result */
export const hasNoEffect = ({ fault, isRefusal, syscalls, answers, reactors }) =>
  fault === null &&
  !isRefusal &&
  syscalls.length === 0 &&
  answers.length === 0 &&
  reactors === null;

/**
 * Find what a vat gets behind a delivery that was just sent, and note it.
 *
 * @param {Kernel} kernel
 * @param {HostedVat} vat
 * @param {Replica} replica
 * @param {When} when  of the delivery, as the kernel gave it
 * @returns {ToHost[]} to be posted
 */
export const noteNext = (kernel, { vatId }, replica, when) => {
  /** @type {ToHost[]} */
  const messages = [];
  replica.next = [];
  for (const { item, delivery } of kernel.laterDeliveries(vatId, when)) {
    const { timeNs, microstep, stage } = item;
    const call = { vatId, when: { timeNs, microstep, stage }, asked: [], delivery };
    replica.next.push(digestOf(call));
    messages.push({ kind: 'next', request: { kind: 'deliver', ...call } });
  }
  return messages;
};
