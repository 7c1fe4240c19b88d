// Settled promises can refer to each other in a ring, through their data. Whoever looks for such rings walks through all
// that can be reached from a promise, so this says only what a walk found and how far it went; when to walk is the
// keeper's business (promises.js).

import { isPromiseKref } from '#model';

/** @import { PromiseRow } from './promise-row.js' */

/** A promise that can be reached, and how many references to it do not come from those that can be reached. */
class Member {
  /** @param {PromiseRow} row  settled */
  constructor(row) {
    this.row = row;
    this.outside = row.refCount;
  }
}

/**
 * Settled promises to which nothing refers but among themselves.
 *
 * @param {Iterable<string>} suspects  krefs
 * @param {(kref: string) => PromiseRow | undefined} find
 * @returns {{ rings: PromiseRow[], steps: number }} `steps`: slots and promises that were looked at
 */
export const findRings = (suspects, find) => {
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
  // A Map gives what is added meanwhile, too.
  for (const { row } of group.values()) row.data?.slots.forEach(visit);
  for (const { row } of group.values()) {
    for (const slot of row.data?.slots ?? []) {
      const member = group.get(slot);
      if (member !== undefined) member.outside -= 1;
    }
  }
  // Whatever is referred to from outside lives, and all that it refers to.
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
