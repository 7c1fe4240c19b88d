// Sends the kernel's own messages: to the root of a vat for the host, and to vatAdmin about vats that start and end.

import { Fail } from '#model';
import { figure } from '../tables/figures.js';
import { methodCall, partOf } from '../crank/wire.js';

/** @import { CapData } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { KernelState } from '../tables/state.js' */

/** The name of the vat that gets reports of new and ended vats. */
const vatAdminName = 'vatAdmin';

/**
 * Gives the root object of a new vat its kref, unless the vat has already sent it to another vat while it started.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {string}
 */
export const exportRoot = (state, vatId) => {
  const known = state.vats.clist(vatId).findKref('o+0');
  if (known !== undefined) return known;
  const root = `ko${state.figures.allocate(figure.nextObject)}`;
  state.owners.set(root, vatId);
  state.count('kernelObjects');
  state.vats.clist(vatId).add(root, 'o+0');
  return root;
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {boolean} isFailure
 * @param {CapData} info
 */
export const reportEnd = (state, vatId, isFailure, info) => {
  const { wire } = state.profile;
  const { text, slots } = partOf(wire, info);
  tellVatAdmin(state, 'vatTerminated', [wire.string(vatId), String(isFailure), text], slots);
};

/**
 * Reports that a vat created in the run has started; its creator gets the root.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
export const reportStart = (state, vatId) => {
  const { wire } = state.profile;
  const root = state.vats.clist(vatId).findKref('o+0') ?? Fail`vat ${vatId} has no root object`;
  // The kernel does not know the root's interface; SwingSet's kernel writes this text for it.
  const result = `{${wire.string('rootObject')}:${wire.slot(0, 'undefined')}}`;
  tellVatAdmin(state, 'newVatCallback', [wire.string(vatId), result], [root]);
};

/**
 * Reports that a vat did not start within the crank that created it. Behind a start in a crank of its own the report of
 * the vat's end says so.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {CapData} problem  in krefs
 */
export const reportFailedStart = (state, vatId, problem) => {
  const { wire } = state.profile;
  const { text, slots } = partOf(wire, problem);
  const result = `{${wire.string('error')}:${text}}`;
  tellVatAdmin(state, 'newVatCallback', [wire.string(vatId), result], slots);
};

/**
 * @param {KernelState} state
 * @param {string} method
 * @param {string[]} args  in the wire's notation
 * @param {readonly string[]} slots
 */
export const tellVatAdmin = (state, method, args, slots) => {
  const { vats, profile } = state;
  const admin = vats.findVatByName(vatAdminName);
  if (admin === undefined || !vats.isRunning(admin)) return;
  queueToRoot(state, admin, methodCall(profile.wire, method, args, slots));
};

/**
 * Queues a message from the kernel or the host to a vat's root object.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {CapData} methargs  in krefs
 * @returns {string} the result's kref; nothing refers to it but the queue
 */
export const queueToRoot = (state, vatId, methargs) => {
  const root = state.vats.clist(vatId).findPair('o+0') ?? Fail`vat ${vatId} has no root object`;
  return queueToTarget(state, root.kref, methargs, root);
};

/**
 * Queues a message from the kernel or the host to an object or a promise.
 *
 * @param {KernelState} state
 * @param {string} target  kref
 * @param {CapData} methargs  in krefs
 * @param {Pair | null} [home]  the target's entry in the c-list of its own vat, if it is known
 * @returns {string} the result's kref; nothing refers to it but the queue
 */
export const queueToTarget = (state, target, methargs, home = null) => {
  const row = state.promises.add('');
  const result = row.kref;
  state.queue.addSend(target, { methargs, result }, row, home);
  countSend(state);
  return result;
};

/**
 * Queues a message without a result from the host to an object or a promise.
 *
 * @param {KernelState} state
 * @param {string} target  kref
 * @param {CapData} methargs  in krefs
 */
export const queueWithoutResult = (state, target, methargs) => {
  state.queue.addSend(target, { methargs, result: null }, null);
  countSend(state);
};

/** @param {KernelState} state */
const countSend = ({ counters }) => {
  counters.inc(counters.places.syscalls);
  counters.inc(counters.places.send);
};
