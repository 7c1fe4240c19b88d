// When vats move to another thread, and when they return: decided from recorded times alone. Vats move once, all together, when
// two looks in a row promise a clear gain; they return once, when two looks find the new placement slower.

import { estimateNs, improvePlacement } from './placement.js';

/** @import { Costs, Load } from './placement.js' */

/** The least estimated gain of a placement, in two looks in a row: the estimate leaves some costs out. */
const leastGain = 1.2;

/** So many looks that agree decide. */
const enoughLooks = 2;

/**
 * While the engine still compiles, cranks take less from look to look. A look counts only if its cranks take at least this part
 * of what they took in the look before.
 */
const steadyPart = 0.9;

/** Vats that have stayed return only if that gains so much by the estimate. */
const leastReturnGain = 1.1;

/**
 * A record of some blocks.
 *
 * @typedef {object} Look
 * @property {Load} load
 * @property {readonly string[]} vatIds  by the numbers of the load
 * @property {readonly number[]} present  threads of those vats
 * @property {number} crankMs  wall time of a crank, its share of commits included
 * @property {number} sinceMs  from the end of the look before to the end of this one
 * @property {number} returnMs  what bringing vats back would take now, at most
 * @property {Costs} costs
 * @property {number} threads  beside the kernel's
 * @property {(vatId: string) => boolean} mayMove
 */

/**
 * - `stay`: nothing changes
 * - `move`: all vats of `threads` go to the threads named there
 * - `keep`: the placement that was tried is quicker, and stays
 * - `return`: all vats of `threads` go back to the threads named there
 *
 * @typedef {{ kind: 'stay' | 'keep' } | { kind: 'move' | 'return', threads: Map<string, number> }} Decision
 */

/** @type {Decision} */
const stay = Object.freeze({ kind: 'stay' });

export class PlacementPolicy {
  /** @type {'watching' | 'trying' | 'kept' | 'over'} */
  stage = 'watching';

  /** Wall time of a crank in the look before. */
  #lastCrankMs = Infinity;

  /** Looks in a row that promise the gain. */
  #promising = 0;

  /** The least wall time of a crank in those looks. */
  #beforeMs = Infinity;

  /** Where vats were before they moved. @type {Map<string, number>} */
  #before = new Map();

  #quicker = 0;

  #slower = 0;

  /** Milliseconds lost by the placement since it was found slower than the one before. */
  #lostMs = 0;

  /** A look is over. @param {Look} look @returns {Decision} */
  consider(look) {
    if (this.stage === 'watching') return this.#watch(look);
    if (this.stage === 'trying') return this.#judge(look);
    if (this.stage === 'kept') return this.#guard(look);
    return stay;
  }

  /** Whether the next look decides, so that it should come soon. */
  get isUndecided() {
    return this.stage === 'trying' || this.#promising > 0;
  }

  /** @param {Look} look @returns {Decision} */
  #watch({ load, vatIds, present, crankMs, costs, threads, mayMove }) {
    const isSteady = crankMs >= this.#lastCrankMs * steadyPart;
    this.#lastCrankMs = crankMs;
    const best = improvePlacement(load, present, {
      ...{ costs, threads, mayMove: number => mayMove(vatIds[number]) },
    });
    if (!isSteady || best.presentNs < best.bestNs * leastGain) {
      this.#promising = 0;
      this.#beforeMs = Infinity;
      return stay;
    }
    this.#promising += 1;
    this.#beforeMs = Math.min(this.#beforeMs, crankMs);
    if (this.#promising < enoughLooks) return stay;
    /** @type {Map<string, number>} */
    const wanted = new Map();
    vatIds.forEach((vatId, number) => {
      if (best.placement[number] === present[number]) return;
      wanted.set(vatId, best.placement[number]);
      this.#before.set(vatId, present[number]);
    });
    this.stage = 'trying';
    return { kind: 'move', threads: wanted };
  }

  /** @param {Look} look @returns {Decision} */
  #judge({ crankMs }) {
    if (crankMs > this.#beforeMs) this.#slower += 1;
    else this.#quicker += 1;
    if (this.#slower === enoughLooks) return this.#return();
    if (this.#quicker < enoughLooks) return stay;
    this.stage = 'kept';
    this.#slower = 0;
    return { kind: 'keep' };
  }

  /**
   * The program may have become another one. Bringing vats back takes as long as all they did, so the placement must have cost
   * as much.
   *
   * @param {Look} look
   * @returns {Decision}
   */
  #guard({ load, vatIds, present, costs, sinceMs, returnMs }) {
    const before = present.map((thread, number) => this.#before.get(vatIds[number]) ?? thread);
    const presentNs = estimateNs(load, present, costs);
    const beforeNs = estimateNs(load, before, costs);
    if (presentNs < beforeNs * leastReturnGain) {
      this.#slower = 0;
      this.#lostMs = 0;
      return stay;
    }
    this.#slower += 1;
    this.#lostMs += sinceMs * (1 - beforeNs / presentNs);
    return this.#slower >= enoughLooks && this.#lostMs > returnMs ? this.#return() : stay;
  }

  /** @returns {Decision} */
  #return() {
    this.stage = 'over';
    return { kind: 'return', threads: this.#before };
  }
}
