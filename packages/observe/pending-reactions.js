// Holds reactions that schedulers reported until the kernel reports their cranks. Both come in the order of the cranks.

/** @import { ReactionView } from './perfetto/index.js' */
/** @import { ReactionObserver } from '#host/reaction-watch.js' */

/**
 * A reaction whose crank has not been reported yet.
 *
 * @typedef {object} PendingReaction
 * @property {number} timeNs
 * @property {number} microstep
 * @property {ReactionView} reaction
 * @property {number} startNs
 * @property {number} endNs
 * @property {boolean} isLate
 */

/** @typedef {{ timeNs: number, microstep: number, stage: number }} Place */

export class PendingReactions {
  /**
   * By vat, its reactions and how many of them were taken.
   *
   * @type {Map<string, { reactions: PendingReaction[], taken: number }>}
   */
  #all = new Map();

  /** @param {string} vatId @returns {number | undefined} when the vat's first one began; undefined if there is none */
  startNs(vatId) {
    const all = this.#all.get(vatId);
    return all?.reactions[all.taken].startNs;
  }

  /** @param {string} vatId @returns {PendingReaction[]} */
  takeAll(vatId) {
    const all = this.#all.get(vatId);
    this.#all.delete(vatId);
    return all?.reactions.slice(all.taken) ?? [];
  }

  /**
   * @param {string} vatId
   * @param {Place} place  of a crank
   * @returns {PendingReaction[]} the vat's first reactions that belong to that crank
   */
  takeCrank(vatId, place) {
    const all = this.#all.get(vatId);
    if (all === undefined) return [];
    const { reactions, taken } = all;
    while (all.taken < reactions.length && isOf(reactions[all.taken], place)) all.taken += 1;
    if (all.taken === reactions.length) this.#all.delete(vatId);
    return reactions.slice(taken, all.taken);
  }

  /** @param {string} vatId @param {() => number} nowNs @returns {ReactionObserver} */
  observe(vatId, nowNs) {
    let timeNs = 0;
    let microstep = 0;
    return {
      nowNs,
      tagBegan: (nextNs, nextMicrostep) => {
        timeNs = nextNs;
        microstep = nextMicrostep;
      },
      reacted: (reaction, startNs, endNs, isLate) => {
        let all = this.#all.get(vatId);
        if (all === undefined) {
          all = { reactions: [], taken: 0 };
          this.#all.set(vatId, all);
        }
        all.reactions.push({ timeNs, microstep, reaction, startNs, endNs, isLate });
      },
      ended: () => {},
    };
  }
}

/** @param {PendingReaction} pending @param {Place} place */
const isOf = (pending, { timeNs, microstep, stage }) =>
  pending.timeNs === timeNs && pending.microstep === microstep && pending.reaction.stage <= stage;
