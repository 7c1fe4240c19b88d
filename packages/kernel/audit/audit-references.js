// Checks the reference counts of promises against everything that may refer to one.

import { isPromiseKref } from '#model';
import { figure } from '../tables/figures.js';

/** @import { KernelState } from '../tables/state.js' */
/** @import { Expect } from './audit.js' */

/**
 * Whether books of ended vats were left as they were. A vat created in the run leaves no row.
 *
 * @param {KernelState} state
 */
export const keepsEndedBooks = ({ vats, profile, figures }) => {
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId)).length;
  return profile.keepsEndedBooks && running < figures.numbers[figure.nextVat] - 1;
};

/**
 * Every reference to a promise, one entry each.
 *
 * @param {KernelState} state
 * @returns {Iterable<string>} krefs of all kinds
 */
function* references({ vats, queue, promises, held, reactors }) {
  for (const id of [...vats.vatIds(), ...vats.deviceIds()])
    for (const { kref } of vats.clist(id).pairs()) yield kref;
  for (const { target, message } of queue.inOrder()) {
    yield target;
    if (message !== null) yield* named(message);
  }
  for (const { data } of reactors.underWay()) yield* data.slots;
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const message of parked) yield* named(message);
    if (data !== null) yield* data.slots;
  }
  for (const [kref, count] of held.entries()) for (let i = 0; i < count; i += 1) yield kref;
}

/** @param {import('../tables/promise-row.js').Message} message */
function* named({ methargs, result }) {
  if (result !== null) yield result;
  yield* methargs.slots;
}

/**
 * The references to promises that do not count, in profiles where those of parked messages do not.
 *
 * @param {KernelState} state
 */
const countParkedRefs = ({ promises, profile }) => {
  /** @type {Map<string, number>} */
  const counted = new Map();
  if (profile.countsParked) return counted;
  for (const [, { parked }] of promises.table.entries())
    for (const message of parked)
      for (const kref of named(message)) counted.set(kref, (counted.get(kref) ?? 0) + 1);
  return counted;
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
export const auditReferenceCounts = (state, expect) => {
  const { promises } = state;
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const kref of references(state)) {
    if (isPromiseKref(kref)) counted.set(kref, (counted.get(kref) ?? 0) + 1);
  }
  const mayBeLarger = keepsEndedBooks(state);
  const due = new Set(promises.due);
  const parkedRefs = countParkedRefs(state);
  for (const [kref, row] of promises.table.entries()) {
    const { refCount } = row;
    const count = counted.get(kref) ?? 0;
    counted.delete(kref);
    expect(`references to ${kref} that do not count`, row.parkedRefs, parkedRefs.get(kref) ?? 0);
    const isUncounted = refCount > 0 && refCount === row.parkedRefs && !due.has(kref);
    if (refCount > 0) expect(`${kref} is left out of the counters`, row.isUncounted, isUncounted);
    if (!(mayBeLarger && refCount > count)) expect(`references to ${kref}`, refCount, count);
    if (refCount === 0) {
      expect(`${kref}, which nothing refers to, is due for deletion`, due.has(kref), true);
    }
  }
  for (const [kref, count] of counted) expect(`references to ${kref}, which is deleted`, 0, count);
};
