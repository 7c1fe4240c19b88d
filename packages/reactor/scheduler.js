// Tags, events and the order of reactions at a tag. It has only the clock that it is given and never waits: a host
// drives it, tag by tag. `program.js` does so for a program of the library.
//
//   while (scheduler.prepareTag()) {      is there a next tag? it is in nextTimeNs, nextMicrostep
//     scheduler.beginTag();               its events become present, what they trigger is ready
//     scheduler.runReady();               reactions in the order of levels; runReady(stage) stops before a later stage
//     scheduler.endTag();                 nothing is present any more; delayed values and changes of mode are scheduled
//   }

import { lastStage } from '#schedule';
import { Fail, UserError, formatTag } from '#model';
import { Event, insistTime } from './event.js';
import { freezeValue } from './freeze-value.js';
import { settleLevels } from './late-levels.js';
import { enterModes, shutDown } from './life.js';
import { endReaction, endSubtree } from './mutation.js';
import { PendingEvents } from './pending-events.js';
import { insistNoPromise } from './reaction.js';
import { forgetEvents, removeNodes } from './removal.js';
import { Region } from './region.js';

/** @import { Clock } from './system-clock.js' */
/** @import { Observer } from './observer.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { BuiltIn } from './built-in.js' */
/** @import { Mode } from './mode.js' */
/** @import { ReactorNode } from './node.js' */
/** @import { Slot } from './slot.js' */
/** @import { Timer } from './timer.js' */

/** Runs the reactions of a program, tag by tag and within a tag by levels. A program makes its own. */
// eslint-disable-next-line house/max-class-lines -- with or without an observer it is one class, since a vat can see its class
export class Scheduler extends PendingEvents {
  /** @type {Set<ReactorNode>} reactors in which a mode is entered when the tag ends */
  #entering = new Set();

  /** Observes the program; hidden, since a vat must not notice it, and so there is one class. @type {Observer | null} */
  #observer;

  #nowNs;

  /**
   * @param {Clock} clock
   * @param {Observer} [observer]  called for each tag and reaction
   */
  constructor(clock, observer = undefined) {
    super(clock);
    this.#observer = observer ?? null;
    this.#nowNs = observer?.nowNs ?? (() => clock.nowNs());
    this.maxMicrosteps = Infinity;
    /** Whether watchdogs read the clock; otherwise physical time is logical time for them. */
    this.readsClock = true;
    /** The program's own region. Its transient children have others. */
    this.region = new Region(this);
    /** Shutdown triggers with reactions, in the order in which they were made. @type {Set<BuiltIn>} */
    this.endings = new Set();
    /** @type {Set<ReactorNode>} reactors deleted at this tag, removed when it ends */
    this.leaving = new Set();
    /** @type {Set<ReactorNode>} reactors deleted by a reaction, which end at the next microstep */
    this.doomed = new Set();
    /** Absolute time of the start in nanoseconds. */
    this.startTime = 0n;
    /** The error of `requestErrorStop`, or of the reaction that threw. @type {any} */
    this.failure = null;
    /** Errors that reactions reported. @type {string[]} */
    this.errors = [];
    /**
     * Prepares an object that is written to a port: freezes it; in a vat, hardens it.
     *
     * @type {(value: object) => void}
     */
    this.prepareValue = freezeValue;
    /** The error of `requestStop`; empty if it is allowed. */
    this.stopRefusal = '';
    /** Whether levels are assigned at each change, since somebody looks at them. */
    this.levelsAtOnce = observer !== undefined;
    /** Called when a mutation has changed levels. @type {(region: Region) => void} */
    this.onLevels = () => {};
    /** Whether any reaction has or had a deadline; otherwise none is inherited. */
    this.hasDeadlines = false;
    /** Transient children for reuse, by class and results. @type {Map<any, Map<string, any>>} */
    this.pools = new Map();
    /**
     * Whether logical actions may be scheduled between tags too: set by a host that treats such calls as made at the
     * present tag.
     */
    this.takesCalls = false;
    this.reactions = 0;
    this.tags = 0;
    this.portWrites = 0;
    this.deadlineMisses = 0;
  }

  /**
   * Schedules an event at the physical clock's time plus `delayNs`, but not before the next microstep.
   *
   * @param {Slot} slot
   * @param {number} delayNs
   * @param {unknown} value
   * @returns {Event | null} null if the program ends before
   */
  schedulePhysical(slot, delayNs, value) {
    const timeNs = this.clock.nowNs() + delayNs;
    if (timeNs > this.timeNs) return this.scheduleAt(slot, timeNs, 0, value);
    return this.schedule(slot, 0, value);
  }

  /**
   * Schedules the next event of a timer, which reuses its own event.
   *
   * @param {Timer} timer
   * @param {number} delayNs
   */
  scheduleTimer(timer, delayNs) {
    const event = this.schedule(timer.slot, delayNs, undefined);
    if (event !== null) event.timer = timer;
  }

  /**
   * Schedules an event of an inactive mode: it waits as if the mode had been left after the event was scheduled.
   *
   * @param {Slot} slot
   * @param {Mode} mode  the innermost mode around it
   * @param {number} delayNs
   * @param {unknown} value
   * @returns {Event}
   * @throws {UserError} it would be beyond the end of time
   */
  scheduleSuspended(slot, mode, delayNs, value) {
    const timeNs = this.timeNs + delayNs;
    insistTime(slot, timeNs);
    const event = new Event();
    event.slot = slot;
    event.value = value;
    event.timeNs = timeNs;
    event.microstep = 0;
    event.isSuspended = true;
    mode.suspended.push({ event, delayNs });
    return event;
  }

  /** @param {ReactorNode} node  enters another mode when the tag ends */
  enterMode(node) {
    this.#entering.add(node);
  }

  /**
   * Stops at the next microstep, at which everything still runs. Later calls change nothing.
   *
   * @throws {UserError} the program may not stop by itself
   */
  requestStop() {
    if (this.stopRefusal !== '') throw new UserError(this.stopRefusal);
    const microstep = this.microstep + 1;
    if (this.hasStopped || this.stopTimeNs < this.timeNs) return;
    if (this.stopTimeNs === this.timeNs && this.stopMicrostep <= microstep) return;
    this.endAt(this.timeNs, microstep);
    if (!this.isInTag) this.onWake();
  }

  /**
   * Sets the last tag of the program.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  endAt(timeNs, microstep) {
    this.stopTimeNs = timeNs;
    this.stopMicrostep = microstep;
  }

  /** Whether the present tag is the program's last one. @returns {boolean} */
  isLastTag() {
    return this.timeNs === this.stopTimeNs && this.microstep === this.stopMicrostep;
  }

  /** The tag of the next event, for a host. @returns {{ timeNs: number, microstep: number } | undefined} undefined if there is none */
  nextTag() {
    if (!this.prepareTag()) return undefined;
    return { timeNs: this.nextTimeNs, microstep: this.nextMicrostep };
  }

  /**
   * Begins the tag that `prepareTag` found: its events become present.
   *
   * @throws {UserError} there were too many microsteps at this time
   */
  beginTag() {
    this.enterTag();
    this.tags += 1;
    if (this.microstep > this.maxMicrosteps) {
      throw new UserError(
        `more than ${this.maxMicrosteps} microsteps at ${this.timeNs} ns; an action or "after" without a delay may go round`,
      );
    }
    this.arriveAll();
    if (this.doomed.size > 0) this.#end();
    if (this.isLastTag()) this.#shutDown();
    if (this.#observer !== null) this.#observer.tagBegan(this.timeNs, this.microstep);
  }

  /**
   * Begins a tag that a host chose for its next inputs, which are written to ports with `region.write`.
   *
   * @param {number} timeNs
   * @param {number} microstep  not after the tag of the next event, and after the present one (or that, if the host has
   *   moved to it)
   */
  beginTagAt(timeNs, microstep) {
    if (this.prepareTag()) {
      const late = this.nextTimeNs - timeNs || this.nextMicrostep - microstep;
      late >= 0 || Fail`tag ${formatTag({ timeNs, microstep })} is after that of the next event`;
    }
    this.chooseTag(timeNs, microstep);
    this.beginTag();
  }

  /**
   * Runs ready reactions, and those that they make ready, in the order of levels.
   *
   * @param {number} [stage]  the last stage that is run
   * @throws {UserError} a reaction threw
   */
  runReady(stage = lastStage) {
    const base = this.region;
    let region = base;
    try {
      for (;;) {
        if (region.spawned !== null) {
          region = region.spawned.enter();
          continue;
        }
        if (region.unsettled !== null && region.ready.hasSeveral()) settleLevels(region);
        const reaction = region.ready.take(stage);
        if (reaction !== null) {
          region.running = reaction;
          this.reactions += 1;
          this.react(reaction);
          if (region.birth !== null) endReaction(region);
          region.running = null;
        } else if (region === base) {
          return;
        } else {
          region = /** @type {import('./transient.js').Transient} */ (region.transient).leave();
        }
      }
    } catch (error) {
      const { running } = region;
      region.running = null;
      this.hasStopped = true;
      this.failure = running === null ? error : running.explain(error);
      throw this.failure;
    }
  }

  /**
   * Runs the body of a reaction, or its handler if it is late.
   *
   * @param {Reaction} reaction
   * @throws {unknown} what it throws; a UserError if it returned a promise
   */
  react(reaction) {
    if (this.#observer === null) this.#run(reaction);
    else this.#runObserved(reaction, this.#observer);
  }

  /** @param {Reaction} reaction @param {Observer} observer  called with its start, its end and whether it was late */
  #runObserved(reaction, observer) {
    const { deadlineMisses } = this;
    const startNs = this.#nowNs();
    try {
      this.#run(reaction);
    } finally {
      observer.reacted(reaction, startNs, this.#nowNs(), this.deadlineMisses > deadlineMisses);
    }
  }

  /** @param {Reaction} reaction */
  #run(reaction) {
    const { reactor } = reaction;
    const result =
      !reaction.hasDeadline || !this.#isLate(reaction)
        ? reaction.body.call(reactor)
        : reaction.late.call(reactor);
    if (result !== undefined) insistNoPromise(reaction, result);
  }

  /** The earliest stage with a ready reaction, or Infinity. @returns {number} */
  nextStage() {
    return this.region.ready.nextStage();
  }

  /** Ends the tag: makes everything absent. */
  endTag() {
    // Before values are scheduled for connections that were made at this tag, perhaps to the same destinations.
    if (this.severed.size > 0) forgetEvents(this, []);
    this.region.clear();
    // A deleted reactor enters no mode.
    if (this.leaving.size > 0) this.#leave();
    if (this.#entering.size > 0) this.#enterModes();
    this.isInTag = false;
    if (this.isLastTag()) {
      this.hasStopped = true;
      this.clearEvents();
    }
  }

  /**
   * Whether physical time is ahead of the tag by more than a deadline; always true for a deadline of 0.
   *
   * @param {number} deadlineNs
   * @returns {boolean}
   */
  isPast(deadlineNs) {
    if (deadlineNs === 0) return true;
    const { clock } = this;
    return clock.isLate === undefined
      ? clock.nowNs() - this.timeNs > deadlineNs
      : clock.isLate(this.timeNs, deadlineNs);
  }

  /**
   * Whether physical time has passed a future logical time.
   *
   * @param {number} timeNs
   * @returns {boolean}
   */
  hasPassed(timeNs) {
    if (!this.readsClock) return false;
    const { clock } = this;
    return clock.isLate === undefined
      ? clock.nowNs() > timeNs
      : clock.isLate(this.timeNs, timeNs - this.timeNs);
  }

  #shutDown() {
    for (const builtIn of this.endings) shutDown(builtIn);
  }

  /** @param {Reaction} reaction */
  #isLate({ deadlineNs }) {
    if (!this.isPast(deadlineNs)) return false;
    this.deadlineMisses += 1;
    return true;
  }

  #enterModes() {
    const entering = [...this.#entering];
    this.#entering = new Set();
    enterModes(entering, this);
  }

  #end() {
    const { doomed } = this;
    this.doomed = new Set();
    for (const node of doomed) {
      if (node.isRemoved) continue;
      endSubtree(node);
      this.leaving.add(node);
    }
  }

  #leave() {
    const { leaving } = this;
    this.leaving = new Set();
    removeNodes(leaving);
  }
}
