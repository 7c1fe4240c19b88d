// The end of a vat. At once, its undecided promises are rejected, messages to it are rejected, and vatAdmin is told.
// Its c-list, its exports, its key-value store and its transcript are deleted in steps of a bounded size, so that the
// end of a large vat does not delay others.

import { Fail } from '#model';
import { rejectWith, vatTerminated } from '../crank/settlement.js';
import { cleanupBudgetOf, leftovers } from './cleanup-budget.js';
import { listDecidedPromises } from './decided-promises.js';
import { reportEnd } from './vat-admin.js';

/** @import { CapData } from '#model' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { CleanupBudget, Leftover } from './cleanup-budget.js' */

/**
 * Entries that one step deletes. Each takes about a microsecond: a block of 200 cranks takes no more than a few tens of
 * milliseconds, even if each crank is such a step.
 */
const stepSize = 100;

/**
 * @param {KernelState} state
 * @param {string} vatId  running
 * @param {boolean} isFailure
 * @param {CapData} info  the reason of its end, in krefs
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
  const row = vats.require(vatId);
  if (row.options.critical === true) state.criticalEnd ??= { name: row.name, info };
  state.endedVats.push(vatId);
  state.reactors.unforeseen += 1;
  vats.end(vatId);
  for (const { data } of reactors.remove(vatId)) promises.releaseRefs(data.slots);

  const abandoned = listDecidedPromises(state, vatId);
  vats.ending.set(vatId, 'c-list');
  if (!profile.cleansUpInCranks) vats.orderEnding(vatId);
  const budget = cleanupBudgetOf(state);
  if (budget === true) cleanUp(state, vatId);
  for (const { kref } of abandoned) rejectWith(state, kref, vatTerminated, vatId);
  if (vats.ending.has(vatId) && profile.cleansUpInCranks && budget !== false)
    state.queue.addControl('cleanUp', vatId);
};

/**
 * Deletes one step's share of what an ended vat left. Entries go in the order of their texts, so that the store is the
 * same after each crank, wherever the run was resumed.
 *
 * @param {KernelState} state
 * @param {string} vatId  one of `vats.ending`
 */
export const cleanUp = (state, vatId) => {
  const { remains } = state;
  remains.work = { exports: 0, imports: 0, promises: 0, kv: 0, snapshots: 0, transcripts: 0 };
  const budget = cleanupBudgetOf(state);
  const left =
    typeof budget === 'boolean'
      ? deleteEntries(state, vatId, stepSize)
      : deleteByKinds(state, vatId, budget);
  if (left === 0) return;
  const deleted = deleteKeys(state, vatId, left);
  remains.work.kv = deleted;
  if (deleted === left) return;
  remains.work.transcripts = 1;
  finishEnd(state, vatId);
};

/**
 * @param {string} vref
 * @returns {Leftover}
 */
const kindOf = vref => {
  if (vref.startsWith('p')) return 'promises';
  return vref.startsWith('o+') ? 'exports' : 'imports';
};

/**
 * Deletes entries until a kind has used up its budget.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {CleanupBudget} budget
 * @returns {number} keys that may be deleted in the same step; 0 if a kind has used up its budget
 */
const deleteByKinds = (state, vatId, budget) => {
  const { work } = state.remains;
  const boundOf = (/** @type {Leftover} */ kind) => Math.max(1, budget[kind] ?? budget.default);
  while (deleteEntries(state, vatId, 1) === 0)
    if (leftovers.some(kind => work[kind] >= boundOf(kind))) return 0;
  return boundOf('kv');
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {number} limit
 * @returns {number} the rest of the limit; 0 if there may be more to delete
 */
const deleteEntries = (state, vatId, limit) => {
  const { vats, owners, profile, remains, counters } = state;
  const clist = vats.clist(vatId);
  if (clist.size === 0) return limit;
  const vrefs = remains.take(`c.${vatId}`, limit, () =>
    Array.from(clist.pairs(), ({ vref }) => vref).sort(),
  );
  for (const vref of vrefs) {
    remains.work[kindOf(vref)] += 1;
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
 * @returns {number} keys that were deleted: fewer than the limit when none is left
 */
const deleteKeys = ({ vatstore, remains }, vatId, limit) => {
  const name = `vs.${vatId}`;
  // Not from the beginning each time, which would pass over the keys deleted in this block again and again.
  let key = remains.place(name);
  for (let i = 0; i < limit; i += 1) {
    const next = vatstore.nextKey(vatId, key);
    if (next === undefined) {
      remains.setPlace(name, undefined);
      return i;
    }
    vatstore.delete(vatId, next);
    key = next;
  }
  remains.setPlace(name, key);
  return limit;
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 */
const finishEnd = (state, vatId) => {
  const { vats } = state;
  vats.clist(vatId).close();
  state.deleteTranscript(vatId);
  vats.ending.delete(vatId);
  // The row of a vat of the config stays, so that messages from outside are refused by name.
  if (!vats.require(vatId).isStatic) vats.deleteVat(vatId);
};
