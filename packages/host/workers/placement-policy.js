// Decides from recorded times when vats move to another thread, and when they return. Vats move all together, when two
// samples in a row promise a clear gain; they return when samples find the new placement no quicker. After an attempt the
// next one waits, so that all that fail are a small part of the run.

import { boundGain, estimateNs, improvePlacement } from './placement.js';

/** @import { Costs, Load } from './placement.js' */

/**
 * The least estimated gain of a placement, in two samples in a row. It is above 1, since the estimate omits some costs.
 */
const leastGain = 1.2;

/**
 * A gain below this one is uncertain: the estimate omits what threads do to each other's caches and collections. Vats
 * move for it only in a run that has lasted so long that a failed attempt is a small part of it. In a shorter run, they
 * move for `steadyGain` if their cranks have stopped getting quicker: a later move repeats more cranks.
 */
const clearGain = 1.6;
const steadyGain = 1.3;
export const longRunMs = 3_000;

/**
 * Bound on the kernel's time for a crank in a run that has not lasted so long. While the engine compiles the kernel, its
 * cranks take several times as long, and too many vats would be placed elsewhere.
 */
const mostKernelNs = 10_000;

/** The least measured gain for which a new placement is kept, and the loss for which one sample is enough to return. */
const leastKeptGain = 1.05;
const clearLoss = 1.3;

/**
 * Time after a move in which the other thread may still compile, so only a loss as large as this counts against the
 * placement.
 */
const compileMs = 1_000;
const compilingLoss = 2;

/** Number of agreeing samples for a decision. */
const enoughLooks = 2;

/**
 * While the engine still compiles, cranks get quicker from sample to sample. They are steady if they take at least this
 * part of the time in the sample before. Below the other part, nothing can be foreseen.
 */
const steadyPart = 0.9;
const leastPart = 0.5;

/** A sample of so long is as good as two. */
const longLookNs = 1_000_000_000;

/** Cranks that take so long on average have loops that are compiled in their first crank; what the estimate omits is little. */
const longCrankMs = 5;

/** The least estimated gain for which vats return from a placement that was kept. */
const leastReturnGain = 1.1;

/** After an attempt vats stay for this multiple of its cost, which doubles with each that failed since one was kept. */
const pausePart = 20;

/**
 * A sample: the record of some blocks.
 *
 * @typedef {object} Look
 * @property {Load} load
 * @property {readonly string[]} vatIds  by their numbers in the load
 * @property {readonly number[]} present  threads of those vats
 * @property {number} crankMs  wall time of a crank, including its share of commits
 * @property {number} ranMs  time since the run began
 * @property {number} sinceMoveMs  from the last move, or the run's beginning
 * @property {number} sinceMs  from the end of the sample before to the end of this one
 * @property {number} returnMs  upper bound on the time of a return now
 * @property {Costs} costs
 * @property {number} threads  number of threads beside the kernel's for which there are idle cores
 * @property {(vatId: string) => boolean} mayMove
 * @property {(vatId: string) => boolean} isInTurnHere  whether a vat begins only in its turn on the kernel's thread
 */

/**
 * - `stay`: no change
 * - `move`: all vats of `threads` move to the threads there
 * - `keep`: the tried placement is quicker, and is kept
 * - `return`: all vats of `threads` return to the threads there
 *
 * @typedef {{ kind: 'stay' | 'keep' } | { kind: 'move' | 'return', threads: Map<string, number> }} Decision
 */

/** @type {Decision} */
const stay = Object.freeze({ kind: 'stay' });

/** The mean time of a crank of each vat. @param {Look} look */
const meansOf = ({ load: { vats, busyNs }, vatIds }) => {
  const sums = vatIds.map(() => ({ ns: 0, count: 0 }));
  for (let i = 0; i < vats.length; i += 1) {
    sums[vats[i]].ns += busyNs[i];
    sums[vats[i]].count += 1;
  }
  return new Map(sums.map(({ ns, count }, vat) => [vatIds[vat], ns / count]));
};

/**
 * The sample as it will be when the engine has compiled more: cranks will get quicker twice more as they did since the
 * sample before.
 *
 * @param {Look} look
 * @param {number} part  time of a crank, as a part of that in the sample before
 * @returns {Look | undefined} undefined if it cannot be foreseen
 */
const foresee = (look, part) => {
  if (part >= steadyPart) return look;
  if (part < leastPart) return undefined;
  const { load, costs } = look;
  const busyNs = load.busyNs.map(ns => ns * part ** 2);
  return {
    ...look,
    load: { ...load, busyNs },
    costs: { ...costs, kernelNs: costs.kernelNs * part ** 2 },
  };
};

/**
 * The sample as it will be when the engine has compiled the kernel.
 *
 * @param {Look} look
 * @param {number} leastNs  time of the kernel for a crank in any sample
 * @returns {Look}
 */
const whenCompiled = (look, leastNs) => {
  const { ranMs, costs } = look;
  const mostNs = Math.min(leastNs, ranMs < longRunMs ? mostKernelNs : Infinity);
  return { ...look, costs: { ...costs, kernelNs: Math.min(costs.kernelNs, mostNs) } };
};

export class PlacementPolicy {
  /** @type {'watching' | 'trying' | 'kept'} */
  stage = 'watching';

  /** Wall time of a crank in the sample before. */
  #lastCrankMs = Infinity;

  /** The least time of the kernel for a crank in any sample. */
  #leastKernelNs = Infinity;

  /** Number of samples in a row that promise the gain. */
  #promising = 0;

  /** The least wall time of a crank in those samples. */
  #beforeMs = Infinity;

  /** The mean time of a crank of each vat in that sample. @type {ReadonlyMap<string, number>} */
  #beforeNs = new Map();

  /** The vats of the last move, and their threads before it. @type {Map<string, number>} */
  #moved = new Map();

  /** All vats that have moved to stay, and their threads before. @type {Map<string, number>} */
  #before = new Map();

  /** Time since the run began until which nothing moves. */
  #pausedMs = 0;

  /** Attempts that failed since one was kept. */
  #failed = 0;

  #quicker = 0;

  #slower = 0;

  /** Milliseconds lost since the placement was found slower than the one before. */
  #lostMs = 0;

  /** Decide after a sample. @param {Look} look @returns {Decision} */
  consider(look) {
    if (this.stage === 'trying') return this.#judge(look);
    if (this.stage === 'kept') {
      const decision = this.#guard(look);
      if (decision !== stay) return decision;
    }
    return this.#watch(look);
  }

  /** Whether the last sample promised a gain for which the run has not lasted long enough. */
  isTooEarly = false;

  /**
   * Whether the next sample may decide, so it should come soon: a vat that moves later has a longer transcript to repeat.
   */
  get isUndecided() {
    return this.stage === 'trying' || this.mayMoveSoon;
  }

  /** Whether a move is likely. */
  get mayMoveSoon() {
    return this.#promising > 0;
  }

  /** @param {Look} look @returns {Decision} */
  #watch(look) {
    const { vatIds, present, crankMs, ranMs } = look;
    const part = this.#notePart(look);
    this.#leastKernelNs = Math.min(this.#leastKernelNs, look.costs.kernelNs);
    this.isTooEarly = false;
    const soon = foresee(look, part);
    if (ranMs < this.#pausedMs) return stay;
    const best = soon !== undefined && this.#mayGain(soon) ? this.#findBest(soon) : undefined;
    if (best !== undefined && crankMs < longCrankMs && ranMs < longRunMs) {
      const isSteady = part >= steadyPart && part * steadyPart <= 1;
      this.isTooEarly = best.presentNs < best.bestNs * (isSteady ? steadyGain : clearGain);
    }
    if (soon === undefined || best === undefined || this.isTooEarly) {
      this.#promising = 0;
      this.#beforeMs = Infinity;
      return stay;
    }
    const isLong = look.load.busyNs.reduce((sum, ns) => sum + ns, 0) >= longLookNs;
    this.#promising += isLong ? enoughLooks : 1;
    if (crankMs < this.#beforeMs) {
      this.#beforeMs = crankMs;
      this.#beforeNs = meansOf(look);
    }
    if (this.#promising < enoughLooks) return stay;
    const { placement } = this.#findBest(whenCompiled(soon, this.#leastKernelNs)) ?? best;
    /** @type {Map<string, number>} */
    const wanted = new Map();
    this.#moved = new Map();
    vatIds.forEach((vatId, number) => {
      if (placement[number] === present[number]) return;
      wanted.set(vatId, placement[number]);
      this.#moved.set(vatId, present[number]);
    });
    this.stage = 'trying';
    this.#promising = 0;
    this.#quicker = 0;
    this.#slower = 0;
    this.#lastCrankMs = Infinity;
    return { kind: 'move', threads: wanted };
  }

  /** The time of a crank, as a part of that in the sample before; 0 in the first sample. @param {Look} look */
  #notePart({ crankMs }) {
    const part = crankMs >= longCrankMs ? 1 : crankMs / this.#lastCrankMs;
    this.#lastCrankMs = crankMs;
    return part;
  }

  /** Whether a placement with the least gain is possible. @param {Look} look */
  #mayGain({ load, vatIds, costs: { kernelNs }, threads, mayMove }) {
    const mayMoveVat = (/** @type {number} */ vat) => mayMove(vatIds[vat]);
    return threads > 0 && boundGain(load, { threads, kernelNs, mayMove: mayMoveVat }) >= leastGain;
  }

  /** A placement with the least gain; undefined if none was found. @param {Look} look */
  #findBest({ load, vatIds, present, costs, threads, mayMove, isInTurnHere }) {
    const best = improvePlacement(load, present, {
      ...{ costs, threads, mayMove: vat => mayMove(vatIds[vat]) },
      isInTurnHere: vat => isInTurnHere(vatIds[vat]),
    });
    return best.presentNs < best.bestNs * leastGain ? undefined : best;
  }

  /**
   * The time of vats that stay, as a part of what they took in the samples before. It is less than 1 while the engine
   * still compiles: without the move the run would have become quicker, too.
   *
   * @param {Look} look
   */
  #drift({ load: { vats, busyNs }, vatIds }) {
    let nowNs = 0;
    let beforeNs = 0;
    for (let i = 0; i < vats.length; i += 1) {
      const vatId = vatIds[vats[i]];
      const ns = this.#moved.has(vatId) ? undefined : this.#beforeNs.get(vatId);
      if (ns === undefined) continue;
      nowNs += busyNs[i];
      beforeNs += ns;
    }
    return beforeNs === 0 ? 1 : Math.min(1, nowNs / beforeNs);
  }

  /**
   * The engine of the other thread compiles the moved vats anew. While cranks still get quicker for that, a sample says
   * nothing against the placement.
   *
   * @param {Look} look
   * @returns {Decision}
   */
  #judge(look) {
    const { crankMs } = look;
    const isSteady = this.#notePart(look) >= steadyPart;
    const beforeMs = this.#beforeMs * this.#drift(look);
    const isQuicker = crankMs * leastKeptGain <= beforeMs;
    if (!isQuicker && !isSteady) return stay;
    const mayCompile = look.sinceMoveMs < compileMs;
    const isClear = crankMs > beforeMs * (mayCompile ? compilingLoss : clearLoss);
    if (isQuicker) this.#quicker += 1;
    else if (!mayCompile) this.#slower += 1;
    if (isClear || this.#slower === enoughLooks) {
      this.#failed += 1;
      // A return repeats what the vats have done since the move.
      return this.#return(look, this.#moved, 2 * look.sinceMoveMs);
    }
    if (this.#quicker < enoughLooks) return stay;
    for (const [vatId, thread] of this.#moved) this.#before.set(vatId, thread);
    this.stage = 'kept';
    this.#failed = 0;
    this.#pause(look, look.sinceMoveMs);
    return { kind: 'keep' };
  }

  /**
   * Decide whether vats return because the program's behaviour has changed. A return repeats all cranks of the vats, so
   * the placement must have cost as much time.
   *
   * @param {Look} look
   * @returns {Decision}
   */
  #guard(look) {
    const { load, vatIds, present, costs, sinceMs, returnMs, isInTurnHere } = look;
    const before = present.map((thread, number) => this.#before.get(vatIds[number]) ?? thread);
    const isTied = (/** @type {number} */ vat) => isInTurnHere(vatIds[vat]);
    const presentNs = estimateNs(load, present, costs, isTied);
    const beforeNs = estimateNs(load, before, costs, isTied);
    if (presentNs < beforeNs * leastReturnGain) {
      this.#slower = 0;
      this.#lostMs = 0;
      return stay;
    }
    this.#slower += 1;
    this.#lostMs += sinceMs * (1 - beforeNs / presentNs);
    if (this.#slower < enoughLooks || this.#lostMs <= returnMs) return stay;
    const threads = this.#before;
    this.#before = new Map();
    return this.#return(look, threads, returnMs);
  }

  /** @param {Look} look @param {Map<string, number>} threads @param {number} costMs @returns {Decision} */
  #return(look, threads, costMs) {
    this.stage = this.#before.size > 0 ? 'kept' : 'watching';
    this.#pause(look, costMs);
    return { kind: 'return', threads };
  }

  /** @param {Look} look @param {number} costMs  of the attempt */
  #pause({ ranMs }, costMs) {
    this.#pausedMs = ranMs + costMs * pausePart * 2 ** this.#failed;
    this.#promising = 0;
    this.#beforeMs = Infinity;
    this.#slower = 0;
    this.#lostMs = 0;
  }
}
