// Watchdogs: a reaction starts one; unless it is stopped or started again in time, it expires and its handler runs. As
// in Lingua Franca, the time is counted from the tag of the reaction that starts it, and physical time decides whether
// it was stopped in time. So a watchdog that is stopped at a tag that comes too late has expired.
//
// The tag of the expiry is the time at which it was due. The start schedules an event there; stopping retracts it.

import { UserError } from '#model';
import { insistContainer, insistUnassembled } from './container.js';
import { isActive } from './outlet.js';
import { notRunning, slotToRead } from './port.js';
import { duration } from './time.js';

/** @import { Duration } from './time.js' */
/** @import { Slot } from './slot.js' */
/** @import { Mode } from './mode.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Event } from './event.js' */

/**
 * A watchdog of a reactor, made by `this.watchdog(timeout, handler)`: its handler runs when it was started and not
 * started again or stopped for the timeout.
 */
export class Watchdog {
  /**
   * @param {any} container
   * @param {Duration} timeout  from the tag of the start
   */
  constructor(container, timeout) {
    const { node, mode } = insistContainer(container, 'a watchdog');
    insistUnassembled(node, 'a watchdog');
    this.node = node;
    this.mode = mode;
    this.timeoutNs = duration(timeout, () => `${node.path}: the timeout of a watchdog`);
    /** @type {Mode | null} the innermost mode around it, when it runs */
    this.enclosing = null;
    /** @type {Slot} */
    this.slot = /** @type {any} */ (null);
    /** @type {Reaction | null} the last reaction that started or stopped it */
    this.writer = null;
    /** @type {Reaction | null} the last reaction that read it; outside reactions reading is always allowed */
    this.reader = null;
    /** Whether an expiry after the end of the program is kept: the watchdog runs until then. */
    this.keepsEvents = true;
    /** The time of its expiry since the last start. */
    this.expiresNs = 0;
    /** @type {Event | null} */
    this.event = null;
    node.triggers.push(this);
  }

  /** The name of the watchdog in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(this, `watchdog${this.node.triggers.indexOf(this)}`);
  }

  /**
   * Starts the watchdog: it expires its timeout plus `extra` after the present tag. A former expiry is retracted, unless
   * it has happened already. In an inactive mode it does not start.
   *
   * @param {Duration} [extra]
   * @throws {UserError} outside a reaction, or in one that did not declare it as an effect
   */
  start(extra = 0) {
    this.stop();
    const extraNs = duration(extra, () => `the time that ${this.path} is given`);
    if (this.enclosing !== null && !isActive(this.enclosing)) return;
    const { slot } = this;
    const { scheduler } = slot.region;
    const delayNs = this.timeoutNs + extraNs;
    this.expiresNs = scheduler.timeNs + delayNs;
    this.event = scheduler.schedule(slot, delayNs, undefined);
  }

  /**
   * Stops the watchdog, unless it has expired already.
   *
   * @throws {UserError} outside a reaction, or in one that did not declare it as an effect
   */
  stop() {
    const { slot } = this;
    if (slot === null) throw notRunning(this);
    const { running, scheduler } = slot.region;
    if (running === null || running !== this.writer) this.#checkWriter(running);
    const { event } = this;
    if (event === null || event.slot !== slot) return;
    if (!scheduler.hasPassed(this.expiresNs)) scheduler.retract(event);
    // Otherwise it has expired, and its handler runs at the tag at which it was due.
    this.event = null;
  }

  /**
   * Whether it was started and will expire unless it is stopped.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare the watchdog, or before its program runs
   */
  isRunning() {
    const slot = slotToRead(this);
    return this.event !== null && this.event.slot === slot;
  }

  /**
   * Whether it has expired at this tag: it is present in its handler.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare the watchdog, or before its program runs
   */
  isPresent() {
    return slotToRead(this).present;
  }

  /** @param {Reaction | null} running */
  #checkWriter(running) {
    if (running === null) {
      throw new UserError(
        `${this.path} was started or stopped outside a reaction; a reaction that has it as an effect may`,
      );
    }
    if (!running.writes.has(this)) {
      throw new UserError(
        `${running.path} starts or stops ${this.path}, which it did not declare; add it to the effects of the reaction`,
      );
    }
    this.writer = running;
  }
}
