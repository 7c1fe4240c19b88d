// The triggers of reactions. The scheduler makes an action, a timer, startup and shutdown present;
// the writer of a port makes it present.

import { Component } from './component.js';

/** @import { Reactor } from './reactor.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Runtime } from './runtime.js' */
/** @import { TriggerManager } from './types.js' */
/** @import { TaggedEvent } from './event.js' */

/** Makes reactions run at the tags at which it is present: an action, a timer, startup, shutdown or a port. */
export class Trigger extends Component {
  /** @protected @type {Reaction<any>[]} */
  reactions = [];

  /**
   * @param {symbol | undefined} key
   * @returns {TriggerManager}
   * @throws {Error} if the key is not that of this trigger
   */
  getManager(key) {
    if (this._key !== key) throw new Error('Unable to grant access to manager.');
    return this.manager;
  }

  /** @protected @type {TriggerManager} */
  get manager() {
    return {
      getContainer: () => this.getContainer(),
      addReaction: reaction => {
        if (!this.reactions.includes(reaction)) this.reactions.push(reaction);
      },
      delReaction: reaction => {
        this.reactions = this.reactions.filter(each => each !== reaction);
      },
    };
  }

  /** Whether the trigger is present at this tag; false in the base class. @returns {boolean} */
  isPresent() {
    return false;
  }

  /** The reactor that the trigger belongs to. @returns {Reactor} */
  getContainer() {
    return this._getContainer();
  }
}

/**
 * The place of a trigger in the scheduler's queue. Several events of one trigger at one tag all
 * arrive, and the last value counts; therefore the place never counts as present already.
 */
class EventPlace {
  /** @param {Runtime} runtime @param {ScheduledTrigger<any>} trigger */
  constructor(runtime, trigger) {
    this.region = runtime.region;
    this.present = false;
    this.trigger = trigger;
    /** The scheduler reads `path` and `keepsEvents` of a place's owner: here, of the place itself. */
    this.owner = this;
    this.keepsEvents = false;
    /** The scheduler looks here for a set of pending events. Nothing takes events out of turn here, so there is none. */
    this.events = null;
  }

  get path() {
    return this.trigger._getFullyQualifiedName();
  }
}

/** A trigger with a queue of events: an action or a timer. @template T */
export class ScheduledTrigger extends Trigger {
  /** @protected @type {T | undefined} */
  value = undefined;

  /** The last tag at which it was present, by the scheduler's count of tags. @protected */
  stamp = -1;

  /** @protected @type {Runtime} */
  runtime = /** @type {any} */ (undefined);

  /** @param {Reactor} container */
  constructor(container) {
    super(container);
    this._linkToRuntimeObject();
  }

  /** @protected */
  get tag() {
    return this.stamp < 0 ? undefined : this.runtime.util.getCurrentTag();
  }

  /**
   * Make it present until the end of the tag, and its reactions ready.
   *
   * @param {T} value
   */
  arrive(value) {
    const { runtime, reactions } = this;
    this.value = value;
    this.stamp = runtime.scheduler.tags;
    for (let i = 0; i < reactions.length; i += 1) runtime.stage(reactions[i]);
  }

  /**
   * @param {TaggedEvent<T>} event
   * @throws {Error} for one of another trigger or another tag
   */
  update(event) {
    if (!event.tag.isSimultaneousWith(this.runtime.util.getCurrentTag())) {
      throw new Error('Time of event does not match current logical time.');
    }
    if (event.trigger !== this) {
      throw new Error('Attempt to update action using incompatible event.');
    }
    this.arrive(event.value);
  }

  /** Whether the trigger has an event at this tag. @returns {boolean} */
  isPresent() {
    return this.stamp === this.runtime.scheduler.tags;
  }

  /** @param {Runtime} runtime */
  _receiveRuntimeObject(runtime) {
    if (this.runtime !== undefined) throw new Error('Can only establish link to runtime once.');
    this.runtime = runtime;
    /** @type {any} */
    this.slot = new EventPlace(runtime, this);
    for (const key of ['runtime', 'slot']) Object.defineProperty(this, key, { enumerable: false });
  }
}
