// Chooses hosts for vats while many of them work at once: vats that send much to each other come to one host, and each
// host gets its share of the vats. Counts are of messages since the last choice; the run does not depend on it.

import { compareIds } from '#model';

/** @import { Kernel } from '#kernel' */
/** @import { Syscall } from '#model' */

/** Bound on the pairs that are counted. */
const mostPairs = 10_000;

/** A placement must save this part of the messages between hosts: moving a vat repeats its cranks. */
const leastGain = 0.2;

/** @typedef {{ vatId: string, host: string, isFixed: boolean }} PlacedVat */

/** Messages from one vat to another, in both directions. @typedef {{ vatIds: readonly [string, string], count: number }} SendPair */

export class SendCounts {
  #kernel;

  /** @type {Map<string, SendPair>} */
  #pairs = new Map();

  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.#kernel = kernel;
  }

  /**
   * Count the messages of a crank that is about to be applied.
   *
   * @param {string} vatId
   * @param {readonly Syscall[]} syscalls
   */
  note(vatId, syscalls) {
    const { vats, owners } = this.#kernel.state;
    for (let i = 0; i < syscalls.length; i += 1) {
      const syscall = syscalls[i];
      if (syscall[0] !== 'send') continue;
      const kref = vats.parts(vatId).clist.findKref(syscall[1]);
      const other = kref === undefined ? undefined : owners.get(kref);
      if (other !== undefined && other !== vatId) this.#add(vatId, other);
    }
  }

  /** @param {string} from @param {string} to */
  #add(from, to) {
    const [left, right] = compareIds(from, to) < 0 ? [from, to] : [to, from];
    const key = `${left} ${right}`;
    const pair = this.#pairs.get(key);
    if (pair !== undefined) pair.count += 1;
    else if (this.#pairs.size < mostPairs)
      this.#pairs.set(key, { vatIds: [left, right], count: 1 });
  }

  /** The pairs since the last call. */
  take() {
    const pairs = [...this.#pairs.values()];
    this.#pairs.clear();
    return pairs;
  }
}

/**
 * Groups of vats, each with at most `share` members and at most one host of fixed members. The pairs with the most
 * messages are joined first, equal ones in the order of their vats.
 *
 * @param {readonly PlacedVat[]} vats
 * @param {readonly SendPair[]} pairs
 * @param {number} share
 * @returns {PlacedVat[][]}
 */
const groupVats = (vats, pairs, share) => {
  const groups = new Map(vats.map(vat => [vat.vatId, [vat]]));
  const hostOf = (/** @type {PlacedVat[]} */ group) => group.find(({ isFixed }) => isFixed)?.host;
  const order = [...pairs].sort(
    (left, right) =>
      right.count - left.count ||
      compareIds(left.vatIds[0], right.vatIds[0]) ||
      compareIds(left.vatIds[1], right.vatIds[1]),
  );
  for (const { vatIds } of order) {
    const [left, right] = vatIds.map(vatId => groups.get(vatId));
    if (left === undefined || right === undefined || left === right) continue;
    const [leftHost, rightHost] = [hostOf(left), hostOf(right)];
    const isApart = leftHost !== undefined && rightHost !== undefined && leftHost !== rightHost;
    if (isApart || left.length + right.length > share) continue;
    left.push(...right);
    for (const { vatId } of right) groups.set(vatId, left);
  }
  return [...new Set(groups.values())];
};

/** Messages between vats on different hosts. @param {readonly SendPair[]} pairs @param {ReadonlyMap<string, string>} hostOf */
const countBetween = (pairs, hostOf) => {
  let count = 0;
  for (const { vatIds, count: sent } of pairs) {
    const [left, right] = vatIds.map(vatId => hostOf.get(vatId));
    if (left !== undefined && right !== undefined && left !== right) count += sent;
  }
  return count;
};

/**
 * The vats to move, and their new hosts.
 *
 * @param {readonly PlacedVat[]} vats  all vats on hosts; fixed ones stay
 * @param {readonly string[]} hosts  names, at least one
 * @param {readonly SendPair[]} pairs
 * @returns {Map<string, string>} host by vat; empty if a move would gain too little
 */
export const chooseMoves = (vats, hosts, pairs) => {
  const share = Math.ceil(vats.length / hosts.length);
  const loads = new Map(hosts.map(host => [host, 0]));
  const before = new Map(vats.map(({ vatId, host }) => [vatId, host]));
  /** @type {Map<string, string>} */
  const after = new Map();
  const place = (/** @type {PlacedVat} */ { vatId }, /** @type {string} */ host) => {
    after.set(vatId, host);
    loads.set(host, (loads.get(host) ?? 0) + 1);
  };
  const groups = groupVats(vats, pairs, share);
  for (const group of groups) for (const vat of group) if (vat.isFixed) place(vat, vat.host);
  // The largest first, since small ones fit anywhere.
  for (const group of groups.sort((left, right) => right.length - left.length)) {
    const own = group.find(({ isFixed }) => isFixed)?.host;
    const free = group.filter(({ isFixed }) => !isFixed);
    const there = (/** @type {string} */ host) => group.filter(each => each.host === host).length;
    const room = (/** @type {string} */ host) => share - (loads.get(host) ?? 0);
    // The host of most of its vats, if there is room; otherwise that with the most room.
    const [best] = [...hosts].sort((left, right) => {
      const [leftFits, rightFits] = [left, right].map(host => room(host) >= free.length);
      if (leftFits !== rightFits) return leftFits ? -1 : 1;
      return (leftFits ? there(right) - there(left) : 0) || room(right) - room(left);
    });
    for (const vat of free) place(vat, own ?? best);
  }
  const counts = hosts.map(host => vats.filter(vat => vat.host === host).length);
  const isUneven = Math.max(...counts) > share;
  const [now, then] = [countBetween(pairs, before), countBetween(pairs, after)];
  if (!isUneven && now - then < leastGain * Math.max(now, 1)) return new Map();
  return new Map([...after].filter(([vatId, host]) => before.get(vatId) !== host));
};
