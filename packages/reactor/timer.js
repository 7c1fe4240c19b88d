// Timers: events at an offset from the start, and at every period after it.

import { insistContainer, insistUnassembled } from './container.js';
import { slotToRead } from './port.js';
import { duration } from './time.js';

/** @import { Duration } from './time.js' */
/** @import { Slot } from './slot.js' */
/** @import { Reaction } from './reaction.js' */

/** A timer of a reactor, made by `this.timer(offset, period)`: a trigger that is present at its tags. */
export class Timer {
  /**
   * @param {any} container
   * @param {Duration} [offset]  0 is the first tag of the program (or of the mode, or of the reactor)
   * @param {Duration} [period]  0 for one event
   */
  constructor(container, offset = 0, period = 0) {
    const { node, mode } = insistContainer(container, 'a timer');
    insistUnassembled(node, 'a timer');
    this.node = node;
    this.mode = mode;
    this.offsetNs = duration(offset, () => `${node.path}: the offset of a timer`);
    this.periodNs = duration(period, () => `${node.path}: the period of a timer`);
    /** @type {Reaction | null} the last reaction that read it; outside reactions reading is always allowed */
    this.reader = null;
    /** @type {Slot} */
    this.slot = /** @type {any} */ (null);
    node.triggers.push(this);
  }

  /** The name of the timer in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(this, `timer${this.node.triggers.indexOf(this)}`);
  }

  /**
   * Whether the timer has an event at this tag.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare the timer, or before its program runs
   */
  isPresent() {
    return slotToRead(this).present;
  }

  /**
   * The present tag if the timer is present, as in reactor-ts; otherwise undefined.
   *
   * @returns {{ timeNs: number, microstep: number } | undefined}
   * @throws {UserError} in a reaction that did not declare the timer, or before its program runs
   */
  get() {
    if (!this.isPresent()) return undefined;
    const { timeNs, microstep } = this.slot.region.scheduler;
    return { timeNs, microstep };
  }
}
