/** @import { ScheduledTrigger } from './trigger.js' */
/** @import { Tag } from './time.js' */
/** @import { PrioritySetElement } from './priority-set.js' */

/** A value for a trigger at a tag. @template T */
export class TaggedEvent {
  /** @type {PrioritySetElement<Tag> | undefined} */
  next = undefined;

  /**
   * @param {ScheduledTrigger<T>} trigger
   * @param {Tag} tag
   * @param {T} value
   */
  constructor(trigger, tag, value) {
    this.trigger = trigger;
    this.tag = tag;
    this.value = value;
  }

  /**
   * Whether this event comes at an earlier tag.
   *
   * @param {PrioritySetElement<Tag> | undefined} other
   * @returns {boolean}
   */
  hasPriorityOver(other) {
    return other !== undefined && this.tag.isSmallerThan(other.getPriority());
  }

  /**
   * If the other is an event of the same trigger at the same tag, give it this value and return
   * true.
   *
   * @param {unknown} other
   * @returns {boolean}
   */
  updateIfDuplicateOf(other) {
    if (!(other instanceof TaggedEvent) || other.trigger !== this.trigger) return false;
    if (!this.tag.isSimultaneousWith(other.tag)) return false;
    other.value = this.value;
    return true;
  }

  /** Events are ordered by their tags. @returns {Tag} */
  getPriority() {
    return this.tag;
  }
}
