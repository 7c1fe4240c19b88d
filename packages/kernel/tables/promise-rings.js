// Settled promises can refer to each other in a ring, through their data. A search for rings walks through everything
// that can be reached from a promise, so it reports what it found and how far it went; the keeper (promises.js) decides
// when to search.

import { isPromiseKref } from '#model';

/** @import { PromiseRow } from './promise-row.js' */

/** A reachable promise, and the number of references to it from outside the reachable ones. */
class Member {
  /** @param {PromiseRow} row  settled */
  constructor(row) {
    this.row = row;
    this.outside = row.refCount;
  }
}

/** Suspects, and slots of each, that are examined without a search, at most. */
const few = 8;

/** Steps that the search for rings may take in a crank on average; a shorter search is free (promises.js). */
export const ringStepsPerCrank = 64;

/**
 * Checks without a search whether the promises that a suspect names refer to no others, so that there is no ring.
 *
 * @param {string} kref  of the suspect
 * @param {(kref: string) => PromiseRow | undefined} find
 * @returns {number} the steps of a search from there, where there is no ring; otherwise NaN
 */
const stepsWithoutRing = (kref, find) => {
  const row = find(kref);
  if (!row?.data) return 1;
  const { slots } = row.data;
  if (slots.length > few || row.refCount === 0) return NaN;
  let steps = 1 + slots.length;
  for (let i = 0; i < slots.length; i += 1) {
    if (!isPromiseKref(slots[i])) continue;
    const further = find(slots[i])?.data?.slots;
    if (further === undefined) continue;
    for (let j = 0; j < further.length; j += 1) if (isPromiseKref(further[j])) return NaN;
    steps += further.length;
  }
  return steps;
};

/** @type {readonly PromiseRow[]} */
const none = Object.freeze([]);

/**
 * Settled promises that only refer to each other. Nearly all suspects name promises that name none, which is checked
 * without a search.
 *
 * @param {readonly string[]} suspects  krefs
 * @param {(kref: string) => PromiseRow | undefined} find
 * @returns {{ rings: readonly PromiseRow[], steps: number }} `steps`: slots and promises that a search examines; if
 *   less than `ringStepsPerCrank`, perhaps a few more
 */
export const findRings = (suspects, find) => {
  if (suspects.length > few) return searchRings(suspects, find);
  let steps = 0;
  for (let i = 0; i < suspects.length; i += 1) steps += stepsWithoutRing(suspects[i], find);
  return steps < ringStepsPerCrank ? { rings: none, steps } : searchRings(suspects, find);
};

/**
 * Searches for settled promises that only refer to each other. Walks through everything that the suspects reach.
 *
 * @param {readonly string[]} suspects  krefs, each once
 * @param {(kref: string) => PromiseRow | undefined} find
 * @returns {{ rings: readonly PromiseRow[], steps: number }} `steps`: slots and promises that were looked at
 */
export const searchRings = (suspects, find) => {
  /** @type {Map<string, Member>} what can be reached from the suspects */
  const group = new Map();
  let steps = 0;
  const visit = (/** @type {string} */ kref) => {
    steps += 1;
    if (!isPromiseKref(kref) || group.has(kref)) return;
    const row = find(kref);
    if (row?.data) group.set(kref, new Member(row));
  };
  for (const kref of suspects) visit(kref);
  // Iteration of a Map includes entries added meanwhile.
  for (const { row } of group.values()) row.data?.slots.forEach(visit);
  for (const { row } of group.values()) {
    for (const slot of row.data?.slots ?? []) {
      const member = group.get(slot);
      if (member !== undefined) member.outside -= 1;
    }
  }
  // A promise that is referred to from outside lives, and so do all promises that it refers to.
  const live = [];
  for (const member of group.values()) if (member.outside > 0) live.push(member);
  for (const { row } of live) group.delete(row.kref);
  for (let i = 0; i < live.length; i += 1) {
    for (const slot of live[i].row.data?.slots ?? []) {
      const member = group.get(slot);
      if (member === undefined) continue;
      group.delete(slot);
      live.push(member);
    }
  }
  return { rings: Array.from(group.values(), ({ row }) => row), steps };
};
