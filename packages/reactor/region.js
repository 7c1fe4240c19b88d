// A part of a program with one numbering of levels: the program itself, or one transient child (transient.js). It has
// the running reaction and the slots written at this tag.

import { Level, ReadyQueue } from '#schedule';

/** @import { Scheduler } from './scheduler.js' */
/** @import { Slot } from './slot.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { ReactorNode } from './node.js' */
/** @import { Transient } from './transient.js' */

/**
 * Reactors made by a reaction: `unborn` are not assembled yet, `newborn` are.
 *
 * @typedef {{ unborn: ReactorNode[], newborn: ReactorNode[] }} Birth
 */

export class Region {
  /** @param {Scheduler} scheduler */
  constructor(scheduler) {
    this.scheduler = scheduler;
    /** @type {ReadyQueue<Reaction>} */
    this.ready = new ReadyQueue();
    /** @type {Reaction | null} the reaction that runs: only it may write, and only what it declared */
    this.running = null;
    /** @type {Slot | null} present slots, the last written first */
    this.written = null;
    /** The number of pending events of its actions, timers and delays. */
    this.pending = 0;
    /** @type {Transient | null} children spawned by the last reaction, in order */
    this.spawned = null;
    /** @type {Transient | null} */
    this.spawnedLast = null;
    /** @type {Transient | null} the place of its child; null for a program */
    this.transient = null;
    /** @type {Birth | null} reactors that the running reaction has made */
    this.birth = null;
    /** @type {ReactorNode | null} one on the cycle that the last change made: levels may be wrong until the next */
    this.tangled = null;
    /** Reactions that may have wrong levels, and so may all that depends on them (late-levels.js). @type {Set<Reaction> | null} */
    this.unsettled = null;
    /** By stage, deadline and index. @type {Map<number, Map<number, Map<number, Level<Reaction>>>>} */
    this.levels = new Map();
  }

  /**
   * Makes a slot present until the end of the tag, and its readers ready.
   *
   * @param {Slot} slot
   * @param {unknown} value
   */
  write(slot, value) {
    slot.value = value;
    if (slot.outlets !== null) this.#passOn(slot, value);
    if (slot.present) return;
    slot.present = true;
    const before = this.written;
    slot.nextWritten = before;
    if (before !== null) before.previousWritten = slot;
    this.written = slot;
    const { readers } = slot;
    for (let i = 0; i < readers.length; i += 1) {
      const reaction = readers[i];
      if (!reaction.queued && reaction.active) this.ready.push(reaction);
    }
    for (let link = slot.links; link !== null; link = link.next) link.port.markPresent(link);
  }

  /** Makes a slot absent before the tag ends; whoever calls it sees to its readers. @param {Slot} slot  present */
  forget(slot) {
    const { nextWritten: next, previousWritten: previous } = slot;
    if (this.written === slot) this.written = next;
    else {
      /** @type {Slot} */ (previous).nextWritten = next;
      if (next !== null) next.previousWritten = previous;
    }
    for (let { links: link } = slot; link !== null; link = link.next) link.port.markAbsent(link);
    slot.present = false;
    slot.value = undefined;
    slot.nextWritten = null;
  }

  /** Makes all slots absent. Schedules the last values of delayed connections. */
  clear() {
    let slot = this.written;
    this.written = null;
    while (slot !== null) {
      const { outlets } = slot;
      if (outlets !== null) for (const outlet of outlets) outlet.schedule(slot.value);
      for (let { links } = slot; links !== null; links = links.next) links.port.clearPresent();
      slot.present = false;
      slot.value = undefined;
      const next = slot.nextWritten;
      slot.nextWritten = null;
      slot = next;
    }
  }

  /** Whether an event is pending, or will be when the tag ends. */
  isWaiting() {
    if (this.pending > 0) return true;
    for (let slot = this.written; slot !== null; slot = slot.nextWritten) {
      if (slot.outlets?.some(({ isImmediate }) => !isImmediate)) return true;
    }
    return false;
  }

  /**
   * @param {number} stage
   * @param {number} deadlineNs
   * @param {number} index
   */
  level(stage, deadlineNs, index) {
    let ofStage = this.levels.get(stage);
    if (ofStage === undefined) this.levels.set(stage, (ofStage = new Map()));
    let ofDeadline = ofStage.get(deadlineNs);
    if (ofDeadline === undefined) ofStage.set(deadlineNs, (ofDeadline = new Map()));
    let level = ofDeadline.get(index);
    if (level === undefined) ofDeadline.set(index, (level = new Level(stage, deadlineNs, index)));
    return level;
  }

  /**
   * Passes a value on through connections of active modes.
   *
   * @param {Slot} slot
   * @param {unknown} value
   */
  #passOn(slot, value) {
    for (const outlet of /** @type {import('./outlet.js').Outlet[]} */ (slot.outlets)) {
      outlet.passOn(value);
    }
  }
}
