// One other comms vat: what it and we call the things that both know, and how far the two streams of strings are.
//
// A promise leaves the tables when its outcome has been told. Who is told forgets it at once; who tells may still be
// sent messages for it that were on their way, and keeps it under its inbound name until the other has acknowledged the
// string that told the outcome.

import { Fail } from '#model';
import { flipRef, formatRef, isPromiseRef, isReadersRef } from './wire.js';
import { CommsObject, CommsPromise } from './things.js';

/** @import { Thing } from './things.js' */

export class Remote {
  /** Strings sent, and how many of them the other side has taken. */
  sent = 0;

  acknowledged = 0;

  /** Strings taken. */
  received = 0;

  #nextObject = 20;

  #nextPromise = 40;

  /** @type {Map<string, Thing>} by the names in strings that come in */
  #inbound = new Map();

  /** @type {Map<Thing, string>} the names in strings that go out */
  #outbound = new Map();

  /** @type {Map<string, number>} inbound names, and the string whose acknowledgement ends them; in that order */
  #ending = new Map();

  /**
   * @param {string} name
   * @param {string} transmitter  vref of what takes the strings
   */
  constructor(name, transmitter) {
    this.name = name;
    this.transmitter = transmitter;
  }

  /**
   * The object or promise of a name in a string that acknowledges `ack` of ours; undefined if there is none.
   *
   * @param {string} ref
   * @param {number} ack
   */
  find(ref, ack = this.acknowledged) {
    const end = this.#ending.get(ref);
    return end !== undefined && end <= ack ? undefined : this.#inbound.get(ref);
  }

  /** @param {Thing} thing */
  findRef(thing) {
    return this.#outbound.get(thing);
  }

  /** @param {Thing} thing */
  requireRef(thing) {
    return (
      this.#outbound.get(thing) ?? Fail`remote ${this.name} has no name for a thing of its own`
    );
  }

  /** @param {string} ref  an inbound name, or one that the other side gives now */
  provideThing(ref) {
    const known = this.#inbound.get(ref);
    if (known !== undefined) return known;
    if (isReadersRef(ref)) throw Fail`${ref} was to be looked for first`;
    const thing = isPromiseRef(ref) ? new CommsPromise(this) : new CommsObject(this);
    this.#add(ref, thing);
    return thing;
  }

  /**
   * The name of a thing in strings that go out. The other side hears of an open promise when it settles.
   *
   * @param {Thing} thing
   */
  provideRef(thing) {
    const known = this.#outbound.get(thing);
    if (known !== undefined) return known;
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
   * Give an object a number that both sides have agreed on.
   *
   * @param {number} number
   * @param {CommsObject} object  without a name
   */
  addEgress(number, object) {
    this.#add(formatRef('object', number, true), object);
    this.#nextObject = Math.max(this.#nextObject, number + 1);
  }

  /**
   * @param {string} ref
   * @param {Thing} thing
   */
  #add(ref, thing) {
    this.#inbound.set(ref, thing);
    this.#outbound.set(thing, flipRef(ref));
  }

  /**
   * The last string told the other side how a promise came out.
   *
   * @param {CommsPromise} promise
   */
  endOutbound(promise) {
    this.#ending.set(flipRef(this.requireRef(promise)), this.sent);
    this.#outbound.delete(promise);
  }

  /**
   * The other side has told how a promise came out.
   *
   * @param {CommsPromise} promise
   */
  forget(promise) {
    this.#inbound.delete(flipRef(this.requireRef(promise)));
    this.#outbound.delete(promise);
  }

  /**
   * The other side has taken so many strings.
   *
   * @param {number} ack
   */
  acknowledge(ack) {
    this.acknowledged = ack;
    for (const [ref, end] of this.#ending) {
      if (end > ack) return;
      this.#ending.delete(ref);
      this.#inbound.delete(ref);
    }
  }

  /** How many names there are, for tests and measurements. */
  get nameCount() {
    return { inbound: this.#inbound.size, outbound: this.#outbound.size };
  }
}
