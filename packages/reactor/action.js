// Actions: events that a reactor schedules for itself. A logical action comes at the tag of the reaction that scheduled
// it, plus a delay; a physical one at the time of the clock, whoever schedules it and whenever.

import { UserError, formatTag, quote } from '#model';
import { insistContainer, insistUnassembled } from './container.js';
import { insistOptions } from './options.js';
import { isActive } from './outlet.js';
import { checkEventReader, notRunning, slotToRead } from './port.js';
import { duration } from './time.js';

/** @import { Duration } from './time.js' */
/** @import { Slot } from './slot.js' */
/** @import { Mode } from './mode.js' */
/** @import { Event } from './event.js' */
/** @import { Reaction } from './reaction.js' */

/** The two kinds of actions, under the names of reactor-ts. */
export const Origin = Object.freeze({ logical: 'logical', physical: 'physical' });

/**
 * The policy for an event that comes too soon after the one before: `defer` it (the default), `drop` it, `replace` the
 * value of the former event if that is still pending, or `update` the former event: its value and time become the new
 * ones, as far as the spacing allows.
 *
 * @typedef {'defer' | 'drop' | 'replace' | 'update'} Policy
 */

/** The last microstep that can be given; it leaves room for those that follow from it. */
const lastMicrostep = 2 ** 31 - 1;

const tagFields = Object.freeze({ timeNs: 'value', microstep: 'value' });

const policies = Object.freeze(['defer', 'drop', 'replace', 'update']);

/**
 * An action of a reactor: an event that reactions, or for a physical action the host, schedule at a later tag. Made by
 * `this.action()` and `this.physicalAction()`.
 *
 * @template [T=unknown]
 */
// eslint-disable-next-line house/max-class-lines -- policies of events that come too close read and replace the same last event
export class Action {
  /**
   * @param {any} container
   * @param {'logical' | 'physical'} [origin]
   * @param {Duration} [minDelay]
   * @param {Duration} [minSpacing]  between two events; without it, events at one tag go to consecutive microsteps
   * @param {Policy} [policy]  `defer` by default; only with a spacing
   */
  constructor(
    container,
    origin = 'logical',
    minDelay = 0,
    minSpacing = undefined,
    policy = undefined,
  ) {
    const { node, mode } = insistContainer(container, 'an action');
    insistUnassembled(node, 'an action');
    this.node = node;
    this.mode = mode;
    if (!Object.hasOwn(Origin, origin)) {
      throw new UserError(
        `${node.path}: an action is "logical" or "physical", got ${quote(origin)}`,
      );
    }
    if (policy !== undefined && !policies.includes(policy)) {
      throw new UserError(
        `${node.path}: an action's policy is one of ${policies.join(', ')}; got ${quote(policy)}`,
      );
    }
    if (policy !== undefined && minSpacing === undefined) {
      throw new UserError(
        `${node.path}: an action has the policy ${quote(policy)} and no minimum spacing, so that no event comes too soon; ` +
          'give "minSpacing" too, 0 for events of one time',
      );
    }
    this.isPhysical = origin === 'physical';
    this.minDelayNs = duration(minDelay, () => `${node.path}: the minimum delay of an action`);
    /** -1 without a spacing */
    this.minSpacingNs =
      minSpacing === undefined
        ? -1
        : duration(minSpacing, () => `${node.path}: the minimum spacing of an action`);
    this.policy = policy ?? 'defer';
    /** Whether an event after the end of the program is kept, since it may be moved to an earlier time. */
    this.keepsEvents = this.minSpacingNs >= 0;
    /** @type {Mode | null} the innermost mode that it lies in, when it runs */
    this.enclosing = null;
    /** @type {Slot} */
    this.slot = /** @type {any} */ (null);
    /** @type {Reaction | null} */
    this.writer = null;
    /** @type {Reaction | null} the last reaction that read it; outside reactions reading is always allowed */
    this.reader = null;
    // The tag of the last event, for the spacing.
    this.lastTimeNs = -Infinity;
    this.lastMicrostep = 0;
    /** The time of the event before the last: an `update` must keep its distance to it. */
    this.beforeTimeNs = -Infinity;
    /** @type {Event | null} */
    this.lastEvent = null;
    node.triggers.push(this);
  }

  /** The name of the action in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(this, `action${this.node.triggers.indexOf(this)}`);
  }

  /**
   * The value at this tag; undefined if the action is absent.
   *
   * @returns {T | undefined}
   * @throws {UserError} in a reaction that did not declare the action
   */
  get() {
    const { slot } = this;
    if (slot === null) throw notRunning(this);
    const { running } = slot.region;
    if (running !== this.reader) checkEventReader(this, running);
    return slot.value;
  }

  /**
   * Whether the action has an event at this tag; its value may be `undefined`, which `get` cannot tell.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare the action, or before its program runs
   */
  isPresent() {
    return slotToRead(this).present;
  }

  /**
   * Schedules an event at the present tag plus the minimum delay and `delay`; if both are 0, at the next microstep. A
   * physical action uses the clock's time as the present one, and may be scheduled from anywhere.
   *
   * @param {Duration} [delay]
   * @param {T} [value]
   * @throws {UserError} for a delay that is no duration, or in a reaction that did not declare the action as an effect
   */
  schedule(delay = 0, value) {
    const { slot } = this;
    if (slot === null) throw new UserError(`${this.path} is scheduled before its program runs`);
    const { region } = slot;
    const { running, scheduler } = region;
    if (running === null ? !this.isPhysical : running !== this.writer) this.#checkWriter(running);
    const delayNs = (delay === 0 ? 0 : this.#insistDelay(delay)) + this.minDelayNs;
    if (this.minSpacingNs >= 0) this.#schedule(delayNs, value);
    else if (this.enclosing !== null && !isActive(this.enclosing))
      scheduler.scheduleSuspended(slot, this.enclosing, delayNs, value);
    else if (this.isPhysical) scheduler.schedulePhysical(slot, delayNs, value);
    else scheduler.schedule(slot, delayNs, value);
  }

  /**
   * Schedules an event at a tag in the form of `getCurrentTag`. The minimum delay does not count; a spacing is kept as
   * by `schedule`. If the action already has an event at the tag, this one comes a microstep later, and so on. An event
   * after the end of the program does not come.
   *
   * @param {{ timeNs: Duration, microstep?: number }} tag  after the present one
   * @param {T} [value]
   * @throws {UserError} for a value that is no tag, or a tag not after the present one; for a physical action, which
   *   takes its tag from the clock; or in a reaction that did not declare the action as an effect
   */
  scheduleAt(tag, value) {
    const { slot } = this;
    if (slot === null) throw new UserError(`${this.path} is scheduled before its program runs`);
    const { running, scheduler } = slot.region;
    if (this.isPhysical) {
      throw new UserError(
        `${this.path} is a physical action, which takes its tag from the clock; a logical one is scheduled at a tag`,
      );
    }
    if (running === null || running !== this.writer) this.#checkWriter(running);
    const { timeNs, microstep } = this.#insistTag(tag);
    if (this.minSpacingNs >= 0) this.#scheduleSpaced(scheduler.timeNs, timeNs, microstep, value);
    else if (this.enclosing !== null && !isActive(this.enclosing))
      scheduler.scheduleSuspended(slot, this.enclosing, timeNs - scheduler.timeNs, value);
    else scheduler.scheduleAtMicrostep(slot, timeNs, microstep, value);
  }

  /** @param {{ timeNs: Duration, microstep?: number }} tag */
  #insistTag(tag) {
    if (typeof tag !== 'object' || tag === null) {
      throw new UserError(
        `${this.path} was scheduled at ${quote(tag)}; give a tag like { timeNs: 5, microstep: 1 }`,
      );
    }
    const { microstep = 0 } = insistOptions(
      tag,
      tagFields,
      () => `the tag at which ${this.path} is scheduled`,
    );
    const timeNs = duration(tag.timeNs, () => `the time at which ${this.path} is scheduled`);
    if (!Number.isSafeInteger(microstep) || microstep < 0 || microstep > lastMicrostep) {
      throw new UserError(
        `${this.path} was scheduled at microstep ${quote(microstep)}; a microstep is a whole number, at most ${lastMicrostep}`,
      );
    }
    const { timeNs: nowNs, microstep: present } = this.slot.region.scheduler;
    if (timeNs < nowNs || (timeNs === nowNs && microstep <= present)) {
      throw new UserError(
        `${this.path} was scheduled at ${formatTag({ timeNs, microstep })}, and it is ${formatTag({ timeNs: nowNs, microstep: present })}; ` +
          'an action may not be scheduled into the past, or at the present tag',
      );
    }
    return { timeNs, microstep };
  }

  /** @param {Duration} delay */
  #insistDelay(delay) {
    // The name is built only for an error, since that takes longer than all the rest.
    if (typeof delay === 'number' && delay >= 0 && Number.isSafeInteger(delay)) return delay;
    if (typeof delay === 'number' && delay < 0) {
      throw new UserError(
        `${this.path} was scheduled ${delay} ns from now; an action may not be scheduled into the past`,
      );
    }
    return duration(delay, () => `the delay of ${this.path}`);
  }

  /**
   * Schedules an event of an action with a spacing.
   *
   * @param {number} delayNs
   * @param {T | undefined} value
   */
  #schedule(delayNs, value) {
    const { scheduler } = this.slot.region;
    const from = this.isPhysical
      ? Math.max(scheduler.clock.nowNs(), scheduler.timeNs)
      : scheduler.timeNs;
    const timeNs = from + delayNs;
    const microstep = timeNs === scheduler.timeNs ? scheduler.microstep + 1 : 0;
    this.#scheduleSpaced(from, timeNs, microstep, value);
  }

  /**
   * @param {number} from  the present time, or the clock's
   * @param {number} wantedNs
   * @param {number} wantedMicrostep
   * @param {T | undefined} value
   */
  #scheduleSpaced(from, wantedNs, wantedMicrostep, value) {
    const { scheduler } = this.slot.region;
    let timeNs = wantedNs;
    let microstep = wantedMicrostep;
    const { lastEvent, lastTimeNs, lastMicrostep } = this;
    const isSameOrBefore =
      timeNs < lastTimeNs || (timeNs === lastTimeNs && microstep <= lastMicrostep);
    if (timeNs < lastTimeNs + this.minSpacingNs || isSameOrBefore) {
      if (this.policy === 'drop') return;
      // An event that has arrived, or was discarded with its mode, may have been reused.
      const isPending = lastEvent !== null && lastEvent.slot === this.slot;
      if (isPending && this.policy === 'replace') {
        lastEvent.value = value;
        return;
      }
      if (isPending && this.policy === 'update') {
        scheduler.retract(lastEvent);
        const earliest = this.beforeTimeNs + this.minSpacingNs;
        if (timeNs < earliest) {
          timeNs = earliest;
          microstep = 0;
        }
        if (timeNs === this.beforeTimeNs) microstep = Math.max(microstep, scheduler.microstep + 1);
        this.lastTimeNs = this.beforeTimeNs;
      } else {
        timeNs = lastTimeNs + this.minSpacingNs;
        microstep = timeNs === lastTimeNs ? lastMicrostep + 1 : 0;
      }
    }
    this.beforeTimeNs = this.lastTimeNs;
    this.lastTimeNs = timeNs;
    this.lastMicrostep = microstep;
    this.lastEvent =
      this.enclosing !== null && !isActive(this.enclosing)
        ? scheduler.scheduleSuspended(this.slot, this.enclosing, timeNs - from, value)
        : microstep === 0
          ? scheduler.scheduleAt(this.slot, timeNs, 0, value)
          : scheduler.scheduleAtMicrostep(this.slot, timeNs, microstep, value);
  }

  /** @param {Reaction | null} running */
  #checkWriter(running) {
    if (running === null) {
      if (this.slot.region.scheduler.takesCalls) return;
      throw new UserError(
        `${this.path} is a logical action and was scheduled outside a reaction; a physical action may be`,
      );
    }
    if (!running.writes.has(this)) {
      throw new UserError(
        `${running.path} schedules ${this.path}, which it did not declare; add it to the effects of the reaction`,
      );
    }
    this.writer = running;
  }
}
