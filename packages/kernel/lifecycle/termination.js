// The end of a vat. At once: its undecided promises are rejected, nothing reaches it any more, and vatAdmin is told.
// In steps of a bounded size: its c-list, what it exported, its key-value store and its transcript are deleted, so
// that the end of a large vat does not hold up the others.

import { Fail, isPromiseKref } from '#model';
import { rejectWith, vatTerminated } from '../crank/settlement.js';
import { reportEnd } from './vat-admin.js';

/** @import { CapData } from '#model' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * Entries that one step deletes, as many microseconds' work: a block of 200 cranks takes no more than a few tens of
 * milliseconds, even if each of them is such a step.
 */
const stepSize = 100;

/**
 * @param {KernelState} state
 * @param {string} vatId  running
 * @param {boolean} isFailure
 * @param {CapData} info  in krefs: with what it ended
 */
export const endVat = (state, vatId, isFailure, info) => {
  stopVat(state, vatId, info);
  reportEnd(state, vatId, isFailure, info);
};

/**
 * Ends a vat without notifying vatAdmin.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {CapData} info
 */
export const stopVat = (state, vatId, info) => {
  const { vats, promises, profile, reactors } = state;
  const clist = vats.clist(vatId);
  const row = vats.require(vatId);
  if (row.options.critical === true) state.criticalEnd ??= { name: row.name, info };
  state.endedVats.push(vatId);
  vats.end(vatId);
  for (const { data } of reactors.remove(vatId)) promises.dropRefs(data.slots);

  const abandoned = [];
  for (const pair of clist.pairs()) {
    const { kref } = pair;
    if (isPromiseKref(kref) && promises.find(kref)?.decider === vatId) abandoned.push(pair);
  }
  abandoned.sort(profile.compareAbandoned);
  vats.ending.set(vatId, 'c-list');
  if (!profile.cleansUpInCranks) vats.orderEnding(vatId);
  cleanUp(state, vatId);
  for (const { kref } of abandoned) rejectWith(state, kref, vatTerminated, vatId);
  if (vats.ending.has(vatId) && profile.cleansUpInCranks) state.queue.addControl('cleanUp', vatId);
};

/**
 * One step of deleting what an ended vat left. Entries go in the order of their texts, so that the store is the same
 * after each crank, wherever the run was resumed.
 *
 * @param {KernelState} state
 * @param {string} vatId  one of `vats.ending`
 */
export const cleanUp = (state, vatId) => {
  const left = deleteEntries(state, vatId, stepSize);
  if (left > 0 && deleteKeys(state, vatId, left)) finishEnd(state, vatId);
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {number} limit
 * @returns {number} what is left of the limit: 0 when there may be more to do
 */
const deleteEntries = (state, vatId, limit) => {
  const { vats, owners, profile, remains, counters } = state;
  const clist = vats.clist(vatId);
  if (clist.size === 0) return limit;
  const vrefs = remains.take(`c.${vatId}`, limit, () =>
    Array.from(clist.pairs(), ({ vref }) => vref).sort(),
  );
  for (const vref of vrefs) {
    const kref = clist.findKref(vref) ?? Fail`the c-list of ${vatId} changed after its end`;
    if (vref.startsWith('o+')) {
      owners.delete(kref);
      if (!profile.keepsEndedBooks) counters.dec(counters.find('kernelObjects'));
    }
    if (profile.keepsEndedBooks) clist.forget(kref);
    else clist.delete(kref);
  }
  return limit - vrefs.length;
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {number} limit
 * @returns {boolean} whether none is left
 */
const deleteKeys = ({ vatstore, remains }, vatId, limit) => {
  const name = `vs.${vatId}`;
  // Not from the beginning each time: the keys that the block has deleted would be passed over again and again.
  let key = remains.place(name);
  for (let i = 0; i < limit; i += 1) {
    const next = vatstore.nextKey(vatId, key);
    if (next === undefined) {
      remains.setPlace(name, undefined);
      return true;
    }
    vatstore.delete(vatId, next);
    key = next;
  }
  remains.setPlace(name, key);
  return false;
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 */
const finishEnd = (state, vatId) => {
  const { vats } = state;
  vats.clist(vatId).close();
  state.dropTranscript(vatId);
  vats.ending.delete(vatId);
  // The name of a vat of the config stays known: messages from outside are refused by it.
  if (!vats.require(vatId).isStatic) vats.deleteVat(vatId);
};
