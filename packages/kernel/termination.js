// The end of a vat: its undecided promises are rejected, its objects have no owner any more, its tables, its
// key-value store and its transcript are deleted, and vatAdmin is told.

import { Fail, isPromiseKref } from '#model';
import { transcriptStream } from './state.js';
import { rejectWith, vatTerminated } from './settlement.js';
import { methodCall } from './wire.js';

/** @import { CapData } from '#model' */
/** @import { KernelState } from './state.js' */

/** The vat that is told of ended vats. */
const vatAdminName = 'vatAdmin';

/**
 * @param {KernelState} state
 * @param {string} vatId  running
 * @param {boolean} isFailure
 * @param {CapData} info  in krefs: with what it ended
 */
export const endVat = (state, vatId, isFailure, info) => {
  const { vats, promises, owners, profile, vatstore } = state;
  const clist = vats.clist(vatId);
  const row = vats.require(vatId);
  vats.vats.touch(row);
  row.state = 'ended';

  const abandoned = [...clist.krefs.entries()]
    .filter(([, kref]) => isPromiseKref(kref) && promises.find(kref)?.decider === vatId)
    .sort(profile.compareAbandoned);
  for (const [vref, kref] of clist.krefs.entries()) {
    if (vref.startsWith('o+')) owners.delete(kref);
  }
  profile.clearCList(clist);
  for (const [, kref] of abandoned) rejectWith(state, kref, vatTerminated, vatId);

  for (const key of [...vatstore.keys(vatId)]) vatstore.delete(vatId, key);
  state.dropStream(transcriptStream(vatId));
  reportEnd(state, vatId, isFailure, info);
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {boolean} isFailure
 * @param {CapData} info
 */
const reportEnd = (state, vatId, isFailure, info) => {
  const { vats, profile } = state;
  const admin = vats.findVatByName(vatAdminName);
  if (admin === undefined || !vats.isRunning(admin)) return;
  const { wire } = profile;
  const infoText = info.body.slice(wire.start.length);
  const methargs = methodCall(
    wire,
    'vatTerminated',
    [wire.string(vatId), String(isFailure), infoText],
    info.slots,
  );
  queueToRoot(state, admin, methargs);
};

/**
 * A message from the kernel or the host to a vat's root object.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {CapData} methargs  in krefs
 * @returns {string} the result's kref; nothing refers to it but the queue
 */
export const queueToRoot = (state, vatId, methargs) => {
  const root = state.vats.clist(vatId).findKref('o+0') ?? Fail`vat ${vatId} has no root object`;
  const result = state.promises.add('');
  state.queue.addSend(root, { methargs, result });
  state.count('syscalls');
  state.count('syscallSend');
  return result;
};
