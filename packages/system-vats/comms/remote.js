// The state of one remote comms vat: the names of shared objects and promises, and the progress of both streams of
// strings.
//
// A promise leaves the tables when its outcome has been sent. The receiver forgets it at once. The sender may still get
// messages to it that were under way, so it keeps the inbound name until the other side has acknowledged the string
// with the outcome.

import { Fail } from '#model';
import { flipRef, formatRef, isPromiseRef, isReadersRef } from './wire.js';
import { Shared } from './collector.js';
import { CommsObject, CommsPromise } from './things.js';

/** @import { Collected, Collector } from './collector.js' */
/** @import { Thing } from './things.js' */
/** @import { CollectAction } from './wire.js' */

export class Remote {
  /** The number of strings sent, and how many of them the other side has taken. */
  sent = 0;

  acknowledged = 0;

  /** The number of strings taken. */
  received = 0;

  #nextObject = 20;

  #nextPromise = 40;

  /** @type {Map<string, Thing>} by the names in incoming strings */
  #inbound = new Map();

  /** @type {Map<Thing, string>} the names in outgoing strings */
  #outbound = new Map();

  /** @type {Map<string, number>} inbound name → number of the string whose acknowledgement ends it, in this order */
  #ending = new Map();

  /** The number of the last string that gave the remote an object of another side. @type {Map<CommsObject, number>} */
  #lastSent = new Map();

  #collector;

  /**
   * @param {number} number  of the remote, from 1
   * @param {string} name
   * @param {CommsObject} transmitter  the object that takes outgoing strings
   * @param {Collector} collector
   */
  constructor(number, name, transmitter, collector) {
    this.number = number;
    this.name = name;
    this.transmitter = transmitter;
    this.#collector = collector;
    this.shared = new Shared(collector, this);
  }

  /**
   * The object or promise of a name in an incoming string; undefined if there is none.
   *
   * @param {string} ref
   */
  find(ref) {
    return this.#inbound.get(ref);
  }

  /** @param {Thing} thing */
  isNamed(thing) {
    return this.#outbound.has(thing);
  }

  /** @param {Thing} thing */
  requireRef(thing) {
    return (
      this.#outbound.get(thing) ?? Fail`remote ${this.name} has no name for a thing of its own`
    );
  }

  /** @param {string} ref  an inbound name, or a new one of the other side */
  provideThing(ref) {
    let thing = this.#inbound.get(ref);
    if (thing === undefined) {
      if (isReadersRef(ref)) throw Fail`${ref} was to be looked for first`;
      thing = isPromiseRef(ref) ? new CommsPromise(this) : this.#collector.makeObject(this);
      this.#add(ref, thing);
    }
    if (thing instanceof CommsObject && thing.owner === this) this.shared.reach(thing);
    return thing;
  }

  /**
   * The name of a thing in outgoing strings, allocated if it has none. The remote becomes a subscriber of an unresolved
   * promise.
   *
   * @param {Thing} thing
   */
  provideRef(thing) {
    const ref = this.#outbound.get(thing) ?? this.#giveRef(thing);
    if (thing instanceof CommsObject && thing.owner !== this) {
      this.shared.reach(thing);
      this.#lastSent.set(thing, this.sent + 1);
    }
    return ref;
  }

  /** @param {Thing} thing */
  #giveRef(thing) {
    const isPromise = thing instanceof CommsPromise;
    const ref = isPromise
      ? formatRef('promise', this.#nextPromise, false)
      : formatRef('object', this.#nextObject, false);
    if (isPromise) this.#nextPromise += 1;
    else this.#nextObject += 1;
    this.#add(flipRef(ref), thing);
    if (isPromise && thing.outcome === null) thing.subscribers.add(this);
    return ref;
  }

  /**
   * Give an object a number that both sides agreed on.
   *
   * @param {number} number
   * @param {CommsObject} object  without a name
   */
  addEgress(number, object) {
    this.#add(formatRef('object', number, true), object);
    this.shared.reach(object);
    this.#lastSent.set(object, 1);
    this.#nextObject = Math.max(this.#nextObject, number + 1);
  }

  /**
   * @param {string} ref
   * @param {Thing} thing
   */
  #add(ref, thing) {
    this.#inbound.set(ref, thing);
    this.#outbound.set(thing, flipRef(ref));
    if (thing instanceof CommsPromise) thing.names += 1;
    else this.shared.name(thing);
  }

  /**
   * Whether the other side has taken the last string that gave it an object. What it says of one that is on its way to it
   * again says nothing of that.
   *
   * @param {CommsObject} object  of another side
   */
  #hasTaken(object) {
    return this.acknowledged >= (this.#lastSent.get(object) ?? Fail`an object was never sent`);
  }

  /** @param {CommsObject} object */
  #retire(object) {
    const ref = this.requireRef(object);
    this.#inbound.delete(flipRef(ref));
    this.#outbound.delete(object);
    this.#lastSent.delete(object);
    this.shared.unname(object);
  }

  /**
   * The other side has given up an object, its own or one that it was given.
   *
   * @param {CollectAction} action
   * @param {string} ref  that was checked
   */
  collected(action, ref) {
    const object = this.#inbound.get(ref);
    if (!(object instanceof CommsObject)) return;
    if (action !== 'retireImport' && !this.#hasTaken(object)) return;
    if (action === 'dropExport') this.shared.drop(object);
    else this.#retire(object);
  }

  /**
   * Give up objects.
   *
   * @param {Collected} collected
   * @returns {[action: CollectAction, object: string][]} in the names of the other side
   */
  collect({ dropExport, retireExport, retireImport }) {
    /** @type {[action: CollectAction, object: string][]} */
    const actions = [];
    for (const object of dropExport) {
      actions.push(['dropExport', this.requireRef(object)]);
      this.shared.drop(object);
    }
    for (const object of retireExport) {
      actions.push(['retireExport', this.requireRef(object)]);
      this.#retire(object);
    }
    for (const object of retireImport) {
      actions.push(['retireImport', this.requireRef(object)]);
      this.#retire(object);
    }
    return actions;
  }

  /**
   * The last string sent had the outcome of this promise; its inbound name ends with the acknowledgement.
   *
   * @param {CommsPromise} promise
   */
  endOutbound(promise) {
    this.#ending.set(flipRef(this.requireRef(promise)), this.sent);
    this.#outbound.delete(promise);
  }

  /**
   * The other side has sent the outcome of a promise: drop its names.
   *
   * @param {CommsPromise} promise
   */
  forget(promise) {
    this.#inbound.delete(flipRef(this.requireRef(promise)));
    this.#outbound.delete(promise);
    this.#collector.unname(promise);
  }

  /**
   * The other side has taken `ack` strings: drop the names that end with them.
   *
   * @param {number} ack
   */
  acknowledge(ack) {
    this.acknowledged = ack;
    for (const [ref, end] of this.#ending) {
      if (end > ack) return;
      this.#ending.delete(ref);
      const promise = this.#inbound.get(ref);
      this.#inbound.delete(ref);
      if (promise instanceof CommsPromise) this.#collector.unname(promise);
    }
  }

  /** The number of names, for tests and measurements. */
  get nameCount() {
    return { inbound: this.#inbound.size, outbound: this.#outbound.size };
  }
}
