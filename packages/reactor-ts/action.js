// Actions: events that a reactor schedules for itself. A logical action comes a delay after the
// current tag, a physical action at the time of the clock.

import { TimeValue, nsOf, Origin } from './time.js';
import { ScheduledTrigger } from './trigger.js';

/** @import { Reactor } from './reactor.js' */
/** @import { Tag } from './time.js' */
/** @import { Sched } from './types.js' */

/** The handle by which reactions schedule an action. @template T */
export class SchedulableAction {
  /** Always undefined here; the action itself has the value. @returns {T | undefined} */
  get() {
    return undefined;
  }

  /**
   * Schedule an event: of a logical action after the present tag, of a physical one after the clock's time.
   *
   * @param {TimeValue | 0} _extraDelay  added to the action's own delay
   * @param {T} _value
   * @param {Tag} [_intendedTag]  for federated programs only
   */
  schedule(_extraDelay, _value, _intendedTag) {}
}

/**
 * @template T
 * @extends {SchedulableAction<T>}
 */
class ActionScheduler extends SchedulableAction {
  #action;

  /** @param {Action<T>} action */
  constructor(action) {
    super();
    this.#action = action;
  }

  get() {
    return this.#action.get();
  }

  /**
   * @param {TimeValue | 0} extraDelay
   * @param {T} value
   */
  schedule(extraDelay, value) {
    this.#action._schedule(extraDelay === 0 ? 0 : nsOf(extraDelay), value);
  }
}

/**
 * An event that reactions schedule, or other code if its origin is physical.
 *
 * @template T
 * @extends {ScheduledTrigger<T>}
 */
export class Action extends ScheduledTrigger {
  /** The times of events of a physical action that have not come. @type {Set<number>} */
  #pending = new Set();

  #minDelayNs;

  /**
   * @param {Reactor} container
   * @param {Origin} origin
   * @param {TimeValue} [minDelay]  of each event; zero by default
   * @param {TimeValue} [_minInterArrival]  ignored, as in reactor-ts
   */
  constructor(container, origin, minDelay = TimeValue.zero(), _minInterArrival = undefined) {
    super(container);
    /** @readonly */
    this.origin = origin;
    /** @readonly */
    this.minDelay = minDelay;
    /** @readonly */
    this.minInterArrival = TimeValue.nsec(1);
    this.#minDelayNs = nsOf(minDelay);
    /** @protected @type {Sched<T>} */
    this.scheduler = new ActionScheduler(this);
  }

  /** @returns {import('./component.js').Kind} */
  get _kind() {
    return 'action';
  }

  /** The value of the action's event at this tag. @returns {T | undefined} undefined if it is absent */
  get() {
    return this.isPresent() ? this.value : undefined;
  }

  /**
   * @param {symbol | undefined} key
   * @returns {Sched<T>}
   * @throws {Error} if the key is not this action's
   */
  asSchedulable(key) {
    if (this._key !== key) throw new Error('Invalid reference to container.');
    return this.scheduler;
  }

  /**
   * @param {number} extraNs  Infinity for an event that never comes
   * @param {T} value
   */
  _schedule(extraNs, value) {
    const delayNs = this.#minDelayNs + extraNs;
    if (this.origin !== Origin.physical) {
      this.runtime.scheduleIn(this.slot, delayNs, value);
      return;
    }
    let timeNs = this.runtime.clock.nowNs() + delayNs;
    // Keep two events within a microsecond apart.
    while (this.#pending.has(timeNs)) timeNs += 1;
    const microstep = delayNs === 0 ? 1 : 0;
    if (this.runtime.schedulePhysical(this.slot, timeNs, microstep, value))
      this.#pending.add(timeNs);
  }

  /**
   * As of every trigger; the time of a physical event is free again.
   *
   * @param {T} value
   */
  arrive(value) {
    super.arrive(value);
    if (this.#pending.size > 0) this.#pending.delete(this.runtime.scheduler.timeNs);
  }

  toString() {
    return this._getFullyQualifiedName();
  }
}

/** The action that is present at the first tag. @extends {Action<unknown>} */
export class Startup extends Action {
  /** @param {Reactor} container */
  constructor(container) {
    super(container, Origin.logical);
  }
}

/** The action that is present at the last tag. @extends {Action<unknown>} */
export class Shutdown extends Action {
  /** @param {Reactor} container */
  constructor(container) {
    super(container, Origin.logical);
  }
}

/** An action that nothing schedules. @extends {Action<unknown>} */
export class Dummy extends Action {
  /** @param {Reactor} container */
  constructor(container) {
    super(container, Origin.logical);
  }
}
