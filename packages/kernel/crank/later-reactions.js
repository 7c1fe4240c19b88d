// Decides which reactions of later tags may begin before the items in front of them: those that nothing can reach any
// more. Changes nothing.
//
// THE CONDITION. Let W be a vat whose next reaction is queued at a tag. It may begin if:
// - up to that tag only reactions are queued, since everything else may go anywhere;
// - the reactions of W's program have done nothing to other vats but write ports (`ReactorEntry.isClosed`), or ask for
//   the end of the program if the root reactor declares that. So its vats reach each other by connections and by such
//   requests;
// - for every vat of the program with a queued or running reaction, the tag of that reaction and the shortest delay from
//   there to W give a later tag than W's;
// - no vat of another program, if that one does more than write ports, has a reaction before W's tag.
//
// Some things cannot be foreseen: the end of a vat, an input of the host, a value with references, that a vat is asked for
// its dead references, and the first time that a vat's reaction does more than write ports. They are counted in
// `ReactorKeeper.unforeseen`. If one of them reaches W before its reaction's turn, W is taken back to its transcript
// (`Transport.rewind`), which costs time and nothing else.
// If anything reaches W although none of them has happened, this file is wrong, and `LookAhead` throws.

import { findDelays } from '#schedule';
import { isBeyond } from './flight.js';

/** @import { Tag } from '#model' */
/** @import { DelayedEdge, Delays } from '#schedule' */
/** @import { ReactorEntry } from '../reactors/reactor-rows.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Flight } from './flight.js' */

/** Nothing begins ahead of earlier tags if more vats have reactors, since all of them are compared with each other. */
const mostVats = 64;

/** Most heads that are left out after searches without result. */
const longestPause = 8;

/** @typedef {{ entries: readonly ReactorEntry[], delays: Delays }} Program */

/** @param {Tag} left @param {Tag} right */
const isBefore = (left, right) =>
  left.timeNs < right.timeNs || (left.timeNs === right.timeNs && left.microstep < right.microstep);

/**
 * The delays between the vats of a program. Within a vat everything may pass without delay.
 *
 * @param {readonly ReactorEntry[]} entries
 */
const delaysOf = entries => {
  const places = new Map(entries.map(({ vatId }, i) => [vatId, i]));
  /** @type {DelayedEdge[]} */
  const edges = [];
  entries.forEach(({ row: { shape, targets } }, from) => {
    if (shape.mayRequestStop)
      entries.forEach((_, to) => edges.push({ from, to, delayNs: 0, microsteps: 1 }));
    for (const { vatId, delayNs, isPhysical } of targets.flat()) {
      const to = places.get(vatId);
      if (to === undefined) continue;
      // The clock may show any time, so a physical connection delays by a microstep at least.
      const isDelayed = delayNs > 0 && !isPhysical;
      edges.push({
        ...{ from, to, delayNs: isDelayed ? delayNs : 0 },
        microsteps: !isDelayed && (isPhysical || delayNs === 0) ? 1 : 0,
      });
    }
  });
  return findDelays(entries.length, edges);
};

/** Whether a vat reaches others by ports only. @param {ReactorEntry} entry */
const isClosed = entry => !entry.isThere || (entry.isClosed && !entry.row.canCallDevice);

/** @type {readonly ReactorEntry[]} */
const none = Object.freeze([]);

export class LaterReactions {
  #state;

  /** @type {readonly Program[]} none if there are too many vats */
  #programs = [];

  /** The version of the connections from which `#programs` was made. */
  #version = -1;

  /** Heads to leave out, because the last searches found nothing. */
  #pause = 0;

  #left = 0;

  /** @type {Flight | undefined} the last head that was searched for, or left out */
  #searched;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
  }

  /**
   * The vats whose next reactions may begin now, by tags.
   *
   * @param {Flight} head
   * @param {Tag} until  items of a later tag wait
   * @param {(vatId: string) => boolean} isFree  whether a vat can begin now, and be taken back
   * @returns {readonly ReactorEntry[]}
   */
  find(head, until, isFree) {
    // The writes of a head that called a device may be undone.
    if (head.item.kind !== 'react' || head.isPrepared || head === this.#searched) return none;
    this.#searched = head;
    if (this.#left > 0) {
      this.#left -= 1;
      return none;
    }
    const found = this.#search(head, until, isFree);
    this.#pause = found.length > 0 ? 0 : Math.min(this.#pause * 2 + 1, longestPause);
    this.#left = this.#pause;
    return found;
  }

  /**
   * @param {Flight} head
   * @param {Tag} until
   * @param {(vatId: string) => boolean} isFree
   */
  #search({ item, vatId: headId }, until, isFree) {
    const programs = this.#providePrograms();
    const acts = (/** @type {ReactorEntry} */ entry) =>
      entry.isThere && (!entry.item.taken || entry.vatId === headId);
    /** @type {Program[]} */
    const closed = [];
    let bound = this.#state.queue.firstBesidesReactions();
    for (const program of programs) {
      if (program.entries.every(isClosed)) {
        closed.push(program);
        continue;
      }
      for (const entry of program.entries) {
        if (!acts(entry)) continue;
        const { timeNs, microstep } = entry.item;
        const next = { timeNs, microstep: microstep + 1 };
        if (bound === undefined || isBefore(next, bound)) bound = next;
      }
    }
    /** @type {ReactorEntry[]} */
    const found = [];
    for (const { entries, delays } of closed) {
      entries.forEach((entry, to) => {
        const own = entry.item;
        if (entry.vatId === headId || own.taken || !entry.isThere || !isBefore(item, own)) return;
        if (isBeyond(own, until) || (bound !== undefined && !isBefore(own, bound))) return;
        if (!isFree(entry.vatId)) return;
        const isReached = entries.some(
          (other, from) => from !== to && acts(other) && !delays.isLater(from, other.item, to, own),
        );
        if (!isReached) found.push(entry);
      });
    }
    if (found.length > 1)
      found.sort(({ item: left }, { item: right }) => (isBefore(left, right) ? -1 : 1));
    return found;
  }

  #providePrograms() {
    const { reactors } = this.#state;
    if (this.#version === reactors.version) return this.#programs;
    this.#version = reactors.version;
    const entries = reactors.all();
    this.#programs = [];
    if (entries.length > mostVats) return this.#programs;
    /** @type {Map<number, ReactorEntry[]>} */
    const byProgram = new Map();
    for (const entry of entries) {
      const known = byProgram.get(entry.row.program);
      if (known === undefined) byProgram.set(entry.row.program, [entry]);
      else known.push(entry);
    }
    this.#programs = Array.from(byProgram.values(), each => ({
      entries: each,
      delays: delaysOf(each),
    }));
    return this.#programs;
  }
}
