// The audit of who holds objects: a recount from the c-lists and from every other table that names objects.

import { isAllocatedByVat, isObjectKref } from '#model';
import { findHeldElsewhere } from '../collection/collection.js';
import { figure } from '../tables/figures.js';

/** @import { Expect } from './audit.js' */
/** @import { KrefSet } from '../collection/collection.js' */
/** @import { Holders } from '../tables/holders.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @typedef {object} Counted
 * @property {KrefSet} reachable  objects reached by others than their own vat
 * @property {Map<string, number>} reached  by kref: number of c-lists that reach it as an import
 * @property {Map<string, number>} recognised  by kref: number of c-lists that only recognise it
 */

/**
 * @param {KernelState} state
 * @returns {Counted}
 */
const countHolders = state => {
  const { vats } = state;
  const reachable = findHeldElsewhere(state);
  const reached = new Map();
  const recognised = new Map();
  const count = (/** @type {Map<string, number>} */ counts, /** @type {string} */ kref) =>
    counts.set(kref, (counts.get(kref) ?? 0) + 1);
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId));
  for (const vatId of running)
    if (vats.require(vatId).isStatic) reachable.add(vats.clist(vatId).findKref('o+0') ?? '');
  for (const id of [...running, ...vats.deviceIds()])
    for (const { kref, vref, isReachable } of vats.clist(id).pairs()) {
      if (isAllocatedByVat(vref) || !isObjectKref(kref)) continue;
      count(isReachable ? reached : recognised, kref);
      if (isReachable) reachable.add(kref);
    }
  return { reachable, reached, recognised };
};

/**
 * Compares the stored counts with those of the c-lists.
 *
 * @param {Holders} holders
 * @param {Counted} counted
 * @param {Expect} expect
 */
const auditCounts = (holders, { reached, recognised }, expect) => {
  const kept = holders.counts();
  for (const [kref, reachedNow, recognisedNow] of kept) {
    expect(`${kref}: c-lists that reach it`, reachedNow, reached.get(kref) ?? 0);
    expect(`${kref}: c-lists that recognise it`, recognisedNow, recognised.get(kref) ?? 0);
  }
  const all = new Set([...reached.keys(), ...recognised.keys()]);
  expect('objects that c-lists import', kept.length, all.size);
};

/**
 * Checks the holders. Nobody reaches an object whose owner was told that nobody does. Only vats, not devices, recognise
 * an object without reaching it. A reached object has an owner, unless a vat has ended or was upgraded, or a raw vat
 * could abandon an export.
 *
 * @param {KernelState} state
 * @param {Expect} expect
 */
export const auditHolders = (state, expect) => {
  const { vats, owners, profile, figures } = state;
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId));
  const hasEnded = running.length < figures.numbers[figure.nextVat] - 1;
  const mayHaveOrphans =
    hasEnded ||
    running
      .map(vatId => vats.require(vatId))
      .some(({ incarnation, options }) => incarnation > 0 || options.enableSetup === true);
  const counted = countHolders(state);
  const { reachable } = counted;
  if (state.holders !== null) auditCounts(state.holders, counted, expect);
  for (const id of [...running, ...vats.deviceIds()]) {
    for (const { kref, vref, isReachable } of vats.clist(id).pairs()) {
      if (isReachable) {
        if (isObjectKref(kref) && !mayHaveOrphans)
          expect(`${kref}, which ${id} reaches, has an owner`, owners.has(kref), true);
        continue;
      }
      expect(`${kref} of ${id}, which is not reached, is an object`, isObjectKref(kref), true);
      // A raw vat may drop imports under either profile.
      if (isAllocatedByVat(vref))
        expect(`objects are collected, such as ${kref}`, profile.collectsObjects, true);
      if (isAllocatedByVat(vref))
        expect(`${kref}, of which ${id} was told, is reached`, reachable.has(kref), false);
      else expect(`${id}, which recognises ${kref}, is a vat`, vats.vats.has(id), true);
    }
  }
};
