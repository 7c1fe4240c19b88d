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
 * A load in the form that many estimates read.
 *
 * @param {Load} load
 * @param {(vat: number) => boolean} isInTurnHere
 */
const prepare = ({ vats, tags, busyNs }, isInTurnHere) => {
  const { length } = vats;
  /** The first crank of each tag, and the number of cranks. */
  const starts = [];
  /** The next crank of the same vat at the same tag; -1 if there is none. */
  const nextOfVat = new Int32Array(length).fill(-1);
  const isFirstOfVat = new Uint8Array(length);
  /** @type {number[]} */
  const lastOfVat = [];
  for (let i = 0; i < length; i += 1) {
    if (i === 0 || tags[i] !== tags[i - 1]) starts.push(i);
    const last = lastOfVat[vats[i]] ?? -1;
    if (last >= starts[starts.length - 1]) nextOfVat[last] = i;
    else isFirstOfVat[i] = 1;
    lastOfVat[vats[i]] = i;
  }
  starts.push(length);
  return {
    ...{ starts, nextOfVat, isFirstOfVat },
    isInTurn: lastOfVat.map((_, vat) => isInTurnHere(vat)),
    vats: Int32Array.from(vats),
    busyNs: Float64Array.from(busyNs),
    /** Whether each crank may begin. */
    isReady: new Uint8Array(length),
    /** The time at which each crank is done; -1 if it has not begun. */
    doneNs: new Float64Array(length),
  };
};

/**
 * @param {ReturnType<typeof prepare>} prepared
 * @param {Placement} placement
 * @param {Costs} costs
 * @returns {number} nanoseconds
 */
const estimatePrepared = (prepared, placement, { kernelNs, sendNs, workNs, hopNs }) => {
  const { starts, nextOfVat, isFirstOfVat, isInTurn, vats, busyNs, isReady, doneNs } = prepared;
  isReady.set(isFirstOfVat);
  doneNs.fill(-1);
  let nowNs = 0;
  /** The time at which each thread is free. @type {number[]} */
  const freeNs = [];

  /** @param {number} i  of a crank on another thread */
  const send = i => {
    const thread = placement[vats[i]];
    nowNs += sendNs;
    doneNs[i] = Math.max(freeNs[thread] ?? 0, nowNs + hopNs) + workNs + busyNs[i];
    freeNs[thread] = doneNs[i];
  };

  /** @param {number} i  of a crank on the kernel's thread */
  const run = i => {
    nowNs += busyNs[i];
    doneNs[i] = nowNs;
  };

  for (let tag = 0; tag + 1 < starts.length; tag += 1) {
    const to = starts[tag + 1];
    for (let i = starts[tag]; i < to; i += 1)
      if (isFirstOfVat[i] === 1 && placement[vats[i]] !== 0) send(i);
    /** No crank of the kernel's thread before this one may begin early. */
    let early = starts[tag];
    for (let i = starts[tag]; i < to; i += 1) {
      if (placement[vats[i]] === 0) {
        if (doneNs[i] < 0) run(i);
      } else {
        const hereNs = doneNs[i] + hopNs;
        for (; early < to && hereNs > nowNs; early += 1) {
          const vat = vats[early];
          if (placement[vat] !== 0 || isInTurn[vat] || isReady[early] === 0) continue;
          if (doneNs[early] < 0) run(early);
        }
        nowNs = Math.max(nowNs, hereNs);
      }
      nowNs += kernelNs;
      const next = nextOfVat[i];
      if (next < 0) continue;
      // A vat's next crank begins when the one before is applied.
      isReady[next] = 1;
      early = Math.min(early, next);
      if (placement[vats[i]] !== 0) send(next);
    }
  }
  return nowNs;
};

/**
 * Estimate the time of cranks under a placement. Cranks of one tag and stage may overlap, one at a time in each vat;
 * results are applied in order; the kernel's thread runs its own vats while it waits.
 *
 * @param {Load} load
 * @param {Placement} placement
 * @param {Costs} costs
 * @param {(vat: number) => boolean} [isInTurnHere]  whether a vat begins only in its turn on the kernel's thread, as one
 *   that holds a device. Default: none does
 * @returns {number} nanoseconds
 */
export const estimateNs = (load, placement, costs, isInTurnHere = () => false) =>
  estimatePrepared(prepare(load, isInTurnHere), placement, costs);

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

/**
 * Bound on the vats considered for another thread: those that take the most time. The first of them move one by one, the
 * others in so many groups, since each step is an estimate of the whole load.
 */
const mostConsidered = 128;
const singles = 16;
const groups = 8;

/** The least gain for which a vat moves, as a part of the whole time. */
const leastPart = 0.005;

/**
 * The steps in which vats move: each alone, or in groups if there are many.
 *
 * @param {readonly number[]} order  vats
 * @returns {(readonly number[])[]}
 */
const stepsOf = order => {
  const steps = order.slice(0, singles).map(vat => [vat]);
  const size = Math.ceil((order.length - singles) / groups);
  for (let from = singles; from < order.length; from += size)
    steps.push(order.slice(from, from + size));
  return steps;
};

/**
 * Find a better placement by moving one vat after the other, those with the most time first, if the move gains.
 *
 * @param {Load} load
 * @param {Placement} present
 * @param {object} bounds
 * @param {Costs} bounds.costs
 * @param {number} bounds.threads  beside the kernel's
 * @param {(vat: number) => boolean} bounds.mayMove
 * @param {(vat: number) => boolean} bounds.isInTurnHere  as of `estimateNs`
 * @returns {{ placement: Placement, presentNs: number, bestNs: number }}
 */
export const improvePlacement = (load, present, bounds) => {
  const { costs, threads, mayMove, isInTurnHere } = bounds;
  const placement = [...present];
  const totals = present.map(() => 0);
  for (let i = 0; i < load.vats.length; i += 1) totals[load.vats[i]] += load.busyNs[i];
  const order = totals
    .map((_, vat) => vat)
    .filter(vat => totals[vat] > 0 && mayMove(vat))
    .sort((left, right) => totals[right] - totals[left] || left - right)
    .slice(0, mostConsidered);
  const prepared = prepare(load, isInTurnHere);
  const presentNs = estimatePrepared(prepared, placement, costs);
  let bestNs = presentNs;

  /** The other threads to consider for vats of one thread: the one with the least work, and the kernel's. @param {readonly number[]} step */
  const otherThreads = step => {
    const busyNs = new Array(threads + 1).fill(0);
    totals.forEach((ns, other) => {
      if (!step.includes(other)) busyNs[placement[other]] += ns;
    });
    let least = 1;
    for (let thread = 2; thread <= threads; thread += 1)
      if (busyNs[thread] < busyNs[least]) least = thread;
    return [least, 0];
  };

  const steps = stepsOf(order);
  for (let round = 0; round < 2; round += 1) {
    for (const step of steps) {
      for (const thread of otherThreads(step)) {
        const before = step.map(vat => placement[vat]);
        if (before.every(each => each === thread)) continue;
        for (const vat of step) placement[vat] = thread;
        const ns = estimatePrepared(prepared, placement, costs);
        if (ns < bestNs * (1 - leastPart)) bestNs = ns;
        else step.forEach((vat, i) => void (placement[vat] = before[i]));
      }
    }
  }
  return { placement, presentNs, bestNs };
};
