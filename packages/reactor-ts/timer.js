import { TimeValue, nsOf } from './time.js';
import { ScheduledTrigger } from './trigger.js';

/** @import { Reactor } from './reactor.js' */
/** @import { Tag } from './time.js' */

/**
 * Events at an offset from the start, and at every period after it. At an offset of zero its reactions run at the first
 * tag, at which the timer is not present, as in reactor-ts.
 *
 * @extends {ScheduledTrigger<Tag | null>}
 */
export class Timer extends ScheduledTrigger {
  /**
   * @param {Reactor} container
   * @param {TimeValue | 0} offset
   * @param {TimeValue | 0} period  0 for one event
   */
  constructor(container, offset, period) {
    super(container);
    this.offset = offset instanceof TimeValue ? offset : TimeValue.zero();
    this.period = period instanceof TimeValue ? period : TimeValue.zero();
    /** The period by which the scheduler repeats it. */
    this.periodNs = nsOf(this.period);
    this.runtime.initialize(this);
  }

  /** Not repeat any more: its reactor was deleted. */
  stop() {
    this.periodNs = 0;
  }

  toString() {
    return `Timer from ${this._getContainer()._getFullyQualifiedName()} with period: ${this.period} offset: ${this.offset}`;
  }

  /** The present tag if the timer is present. @returns {Tag | undefined} */
  get() {
    return this.isPresent() ? this.tag : undefined;
  }
}
