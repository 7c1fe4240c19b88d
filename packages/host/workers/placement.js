// Chooses the thread of each vat: computes the time of a part of the run under another placement from the times of its
// cranks and the rules for overlapping cranks. The functions are pure, and affect only the time of a run, not its
// result.

/**
 * Cranks in order, from a load meter.
 *
 * @typedef {object} Load
 * @property {readonly number[]} vats  the number of each crank's vat, from 0
 * @property {readonly number[]} tags  the same number for all cranks of one tag and stage, which are adjacent
 * @property {readonly number[]} busyNs  time of each crank in its vat
 */

/**
 * Times of a crank outside its vat, in nanoseconds.
 *
 * @typedef {object} Costs
 * @property {number} kernelNs  to route and apply it
 * @property {number} sendNs  to write it for another thread and read its result, on the kernel's thread
 * @property {number} workNs  to read it and write its result, on the other thread
 * @property {number} hopNs  until a sleeping thread gets it, and until the waiting kernel gets its result
 */

/** The thread of a vat by its number: 0 is the kernel's. @typedef {readonly number[]} Placement */

/**
 * Estimate the time of cranks under a placement. Cranks of one tag and stage may overlap, one at a time in each vat;
 * results are applied in order; the kernel's thread runs its own vats while it waits.
 *
 * @param {Load} load
 * @param {Placement} placement
 * @param {Costs} costs
 * @returns {number} nanoseconds
 */
export const estimateNs = ({ vats, tags, busyNs }, placement, costs) => {
  const { kernelNs, sendNs, workNs, hopNs } = costs;
  let nowNs = 0;
  /** Time at which each thread is free. @type {number[]} */
  const freeNs = [];
  /** Time at which each crank is done; -1 if it has not begun. @type {number[]} */
  const doneNs = new Array(vats.length).fill(-1);

  /** @param {number} i  of a crank on another thread */
  const send = i => {
    const thread = placement[vats[i]];
    nowNs += sendNs;
    doneNs[i] = Math.max(freeNs[thread] ?? 0, nowNs + hopNs) + workNs + busyNs[i];
    freeNs[thread] = doneNs[i];
  };

  for (let from = 0; from < vats.length;) {
    let to = from + 1;
    while (to < vats.length && tags[to] === tags[from]) to += 1;
    const seen = new Set();
    /** Cranks on the kernel's thread that may run early. @type {number[]} */
    const early = [];
    for (let i = from; i < to; i += 1) {
      if (seen.has(vats[i])) continue;
      seen.add(vats[i]);
      if (placement[vats[i]] === 0) early.push(i);
      else send(i);
    }
    let nextEarly = 0;
    for (let i = from; i < to; i += 1) {
      if (placement[vats[i]] === 0) {
        if (doneNs[i] < 0) {
          nowNs += busyNs[i];
          doneNs[i] = nowNs;
        }
      } else {
        if (doneNs[i] < 0) send(i);
        if (doneNs[i] + hopNs > nowNs) {
          while (nextEarly < early.length && doneNs[i] + hopNs > nowNs) {
            const own = early[nextEarly];
            nextEarly += 1;
            if (doneNs[own] >= 0) continue;
            nowNs += busyNs[own];
            doneNs[own] = nowNs;
          }
          nowNs = Math.max(nowNs, doneNs[i] + hopNs);
        }
      }
      nowNs += kernelNs;
    }
    from = to;
  }
  return nowNs;
};

/**
 * Bound on the gain of any placement, in one pass over the cranks: the kernel works alone, vats that may not move stay on
 * its thread, and cranks of one vat come one after the other.
 *
 * @param {Load} load
 * @param {object} bounds
 * @param {number} bounds.threads  beside the kernel's
 * @param {number} bounds.kernelNs  the kernel's time for a crank, without the time in the vat
 * @param {(vat: number) => boolean} bounds.mayMove
 * @returns {number} at least 1
 */
export const boundGain = ({ vats, tags, busyNs }, { threads, kernelNs, mayMove }) => {
  /** Whether each vat may move. @type {boolean[]} */
  const isMovable = [];
  /** Time of each vat at a tag, and the last tag at which it had any. @type {number[]} */
  const ownNs = [];
  /** @type {number[]} */
  const lastTags = [];
  let serialNs = 0;
  let boundNs = 0;
  for (let from = 0, to = 0; from < vats.length; from = to) {
    const tag = tags[from];
    let longestNs = 0;
    let tiedNs = 0;
    let allNs = 0;
    for (; to < vats.length && tags[to] === tag; to += 1) {
      const vat = vats[to];
      isMovable[vat] ??= mayMove(vat);
      ownNs[vat] = busyNs[to] + (lastTags[vat] === tag ? ownNs[vat] : 0);
      lastTags[vat] = tag;
      longestNs = Math.max(longestNs, ownNs[vat]);
      allNs += busyNs[to];
      if (!isMovable[vat]) tiedNs += busyNs[to];
    }
    const kernelsNs = kernelNs * (to - from);
    serialNs += allNs + kernelsNs;
    boundNs += Math.max(
      tiedNs + kernelsNs,
      longestNs + kernelNs,
      (allNs + kernelsNs) / (threads + 1),
    );
  }
  return boundNs === 0 ? 1 : serialNs / boundNs;
};

/** Bound on the vats considered for another thread: those that take the most time. */
const mostConsidered = 128;

/** The least gain for which a vat moves, as a part of the whole time. */
const leastPart = 0.005;

/**
 * Find a better placement by moving one vat after the other, those with the most time first, if the move gains.
 *
 * @param {Load} load
 * @param {Placement} present
 * @param {object} bounds
 * @param {Costs} bounds.costs
 * @param {number} bounds.threads  beside the kernel's
 * @param {(vat: number) => boolean} bounds.mayMove
 * @returns {{ placement: Placement, presentNs: number, bestNs: number }}
 */
export const improvePlacement = (load, present, { costs, threads, mayMove }) => {
  const placement = [...present];
  const totals = present.map(() => 0);
  for (let i = 0; i < load.vats.length; i += 1) totals[load.vats[i]] += load.busyNs[i];
  const order = totals
    .map((_, vat) => vat)
    .filter(vat => totals[vat] > 0 && mayMove(vat))
    .sort((left, right) => totals[right] - totals[left] || left - right)
    .slice(0, mostConsidered);
  const presentNs = estimateNs(load, placement, costs);
  let bestNs = presentNs;

  /** The other threads to consider for a vat: the one with the least work, and the kernel's. @param {number} vat */
  const otherThreads = vat => {
    const busyNs = new Array(threads + 1).fill(0);
    totals.forEach((ns, other) => {
      if (other !== vat) busyNs[placement[other]] += ns;
    });
    let least = 1;
    for (let thread = 2; thread <= threads; thread += 1)
      if (busyNs[thread] < busyNs[least]) least = thread;
    return [least, 0].filter(thread => thread !== placement[vat]);
  };

  for (let round = 0; round < 2; round += 1) {
    for (const vat of order) {
      for (const thread of otherThreads(vat)) {
        const before = placement[vat];
        placement[vat] = thread;
        const ns = estimateNs(load, placement, costs);
        if (ns < bestNs * (1 - leastPart)) bestNs = ns;
        else placement[vat] = before;
      }
    }
  }
  return { placement, presentNs, bestNs };
};
