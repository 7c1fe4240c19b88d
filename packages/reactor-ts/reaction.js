// Reactions and the two classes derived from them: mutations, which may change the contents of
// their reactor, and procedures, which serve calls.

import { Startup } from './action.js';
import { Log } from './log.js';
import { nsOf } from './time.js';
import { Timer } from './timer.js';

/** @import { Level } from '#schedule' */
/** @import { Reactor } from './reactor.js' */
/** @import { TimeValue } from './time.js' */

const lateByDefault = () => Log.globalLogger.warn('Deadline violation occurred!');

/** A reaction: its triggers, its arguments and its body. @template T */
export class Reaction {
  #reactor;

  #sandbox;

  #react;

  #late;

  #deadlineNs = Infinity;

  #priority = 0;

  // The fields that the scheduler reads and writes.

  /** @type {Level<any>} */
  level = /** @type {any} */ (null);

  queued = false;

  /** @type {any} */
  next = null;

  // Its neighbours in the order of all reactions (running-order.js).

  /** @type {Reaction<any> | null} */
  earlier = null;

  /** @type {Reaction<any> | null} */
  later = null;

  /** Whether it runs: it was added, and its reactor was not deleted. */
  active = false;

  /**
   * @param {Reactor} reactor
   * @param {any} sandbox  `this` of its body
   * @param {any[]} trigs
   * @param {any[]} args
   * @param {(...args: any[]) => void} react
   * @param {TimeValue} [deadline]  if physical time is ahead of the tag by more, `late` runs instead
   * @param {(...args: any[]) => void} [late]
   */
  constructor(reactor, sandbox, trigs, args, react, deadline, late = lateByDefault) {
    this.#reactor = reactor;
    this.#sandbox = sandbox;
    /** @readonly */
    this.trigs = trigs;
    /** @readonly */
    this.args = args;
    this.#react = react;
    this.#late = late;
    if (deadline !== undefined) this.setDeadline(deadline);
  }

  get _reactor() {
    return this.#reactor;
  }

  /** Whether the reaction runs at the first tag: by startup, or by a timer without an offset. @returns {boolean} */
  isTriggeredImmediately() {
    return this.trigs.some(
      trigger =>
        trigger instanceof Startup || (trigger instanceof Timer && trigger.offset.isZero()),
    );
  }

  /** Its place in the order of a tag; lower places run first. @returns {number} */
  getPriority() {
    return this.#priority;
  }

  /** Set its place in the order of a tag. @param {number} priority */
  setPriority(priority) {
    this.#priority = priority;
  }

  /**
   * Whether this reaction runs before another one of the same tag.
   *
   * @param {any} other
   * @returns {boolean}
   */
  hasPriorityOver(other) {
    return (
      other !== undefined &&
      other !== null &&
      this.getPriority() < /** @type {any} */ (other).getPriority()
    );
  }

  /**
   * Whether the other is this reaction.
   *
   * @param {unknown} other
   * @returns {boolean}
   */
  updateIfDuplicateOf(other) {
    return this === other;
  }

  /** Run its body, or its handler if it is late; do nothing if it is not active. @throws {unknown} the error of the body */
  doReact() {
    if (!this.active) return;
    if (this.#deadlineNs !== Infinity && this.#sandbox.util._isPast(this.#deadlineNs)) {
      this.#late.apply(this.#sandbox, this.args);
    } else {
      this.#react.apply(this.#sandbox, this.args);
    }
  }

  /**
   * Replace its deadline.
   *
   * @param {TimeValue} deadline
   * @returns {this}
   */
  setDeadline(deadline) {
    this.#deadlineNs = nsOf(deadline);
    return this;
  }

  /**
   * Log the error that a reaction threw, and return it as the error of the program.
   *
   * @param {unknown} error
   * @returns {unknown}
   */
  explain(error) {
    Log.error(this, () => `Exception occurred in reaction: ${this}: ${error}`);
    return error;
  }

  /** @returns {string} */
  toString() {
    return `${this.#reactor._getFullyQualifiedName()}[R${this.#reactor._getReactionIndex(this)}]`;
  }
}

/** A reaction that serves the calls to a `CalleePort`. @template T @extends {Reaction<T>} */
export class Procedure extends Reaction {}

/** A reaction that may change connections and reactors. @template T @extends {Reaction<T>} */
export class Mutation extends Reaction {
  /** The reactor that the mutation belongs to. @returns {Reactor} */
  get parent() {
    return this._reactor;
  }

  toString() {
    return `${this.parent._getFullyQualifiedName()}[M${this.parent._getReactionIndex(this)}]`;
  }
}
