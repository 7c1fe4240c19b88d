// A vat's side of its c-list: which object or promise stands for which vref.

import { decimal, RefMap } from '#model';
import { findHandle, LaterCall } from '../eventual-send/index.js';
import { findMark } from '../marshal/index.js';
import { Awaited, Collectable } from './held.js';
import { IdNumbers } from './id-numbers.js';
import { isVirtualVref } from '../virtual/vrefs.js';
import { Recognizers } from './recognizers.js';

/** @import { Handle } from '../eventual-send/handles.js' */
/** @import { PromiseKit } from './held.js' */
/** @import { Mark } from '../marshal/references.js' */

/**
 * The powers to find out which objects a vat does not reach any more. The host gives them, since a vat has no `WeakRef`
 * and cannot start a collection.
 *
 * @typedef {object} Collector
 * @property {new (value: object) => { deref: () => any }} WeakRef
 * @property {(table: Collected) => void} watch  called with the vat's table of references
 * @property {() => void} collect  runs a full collection of the engine, between `beginCollection` and `endCollection`
 *   of the vat's table and of the tables of the vats that are asked directly after it
 */

/**
 * A table of references during the engine's collection.
 *
 * @typedef {Pick<References, 'beginCollection' | 'endCollection'>} Collected
 */

/**
 * Vrefs of a vat's dead references, in the order of their numbers.
 *
 * @typedef {object} Dead
 * @property {string[]} dropped  imports that the vat does not reach any more
 * @property {string[]} retired  imports that it does not recognise any more
 * @property {string[]} retiredExports  exports that nobody reaches and that are gone
 * @property {string[]} representatives  base references of virtual objects that are not in memory any more
 */

export const rootVref = 'o+0';

/** @param {string} vref */
export const isImport = vref => vref.startsWith('o-');

/** @param {string[]} vrefs */
const byNumber = vrefs =>
  vrefs.sort((left, right) => Number(left.slice(2)) - Number(right.slice(2)));

// eslint-disable-next-line house/max-class-lines -- one table of what the vat reaches and exports; marks of the collector hold for all of it
export class References {
  /** Vrefs of objects that have no handle or mark of this vat to store them on. @type {WeakMap<object, string>} */
  #vrefs = new WeakMap();

  /** Imported objects, and exports that nobody reaches, are `Collectable`. @type {RefMap<any>} */
  #values = new RefMap('vref');

  /** Imports that were dropped and are still recognised. @type {Set<string>} */
  #dropped = new Set();

  #recognizers = new Recognizers();

  /** Number of exports that nobody reaches. */
  #weakExports = 0;

  /** Whether a collection has run for the vat and nothing has come to it since: then it may be asked. */
  #hasCollected = false;

  #WeakRef;

  #collector;

  /** @param {Collector} [collector]  without one, everything is held for good */
  constructor(collector) {
    this.#collector = collector;
    this.#WeakRef = collector?.WeakRef;
    collector?.watch(this);
  }

  /** Whether the vat is asked for its dead references, so that presences come and go. */
  get isCollected() {
    return this.#collector !== undefined;
  }

  /**
   * Makes a weak reference, if the vat is collected.
   *
   * @param {object} value
   * @returns {{ deref: () => any } | undefined}
   */
  makeRef(value) {
    return this.#WeakRef && new this.#WeakRef(value);
  }

  /** Numbers for the ids that the vat allocates. */
  numbers = new IdNumbers();

  allocateExport() {
    return `o+${decimal(this.numbers.takeExport())}`;
  }

  allocatePromise() {
    return this.numbers.allocatePromise();
  }

  /** @param {any} value  object or promise */
  findVref(value) {
    const note = findHandle(value) ?? findMark(value);
    if (note?.owner === this) return note.vref;
    return this.#vrefs.get(value);
  }

  /** @param {string} vref */
  findValue(vref) {
    return this.#valueOf(this.#values.get(vref));
  }

  /** @param {any} held  an entry of the table */
  #valueOf(held) {
    if (held instanceof Collectable) return held.value;
    if (held instanceof Awaited) return this.#promiseAwaited(held);
    return held instanceof LaterCall ? this.#promiseOf(held) : held;
  }

  /** @param {Awaited} awaited  whose promise is needed */
  #promiseAwaited(awaited) {
    if (awaited.promise === undefined) {
      awaited.promise = awaited.kit.settled;
      awaited.handle = findHandle(awaited.promise);
      this.#name(awaited.promise, awaited.vref, awaited.handle);
    }
    return awaited.promise;
  }

  /** @param {LaterCall} call  whose promise is needed */
  #promiseOf({ promise, vref }) {
    const note = findHandle(promise);
    if (note !== undefined && note.owner === undefined) {
      note.owner = this;
      note.vref = vref;
    }
    return promise;
  }

  /**
   * Registers a call in place of the promise of its outcome.
   *
   * @param {LaterCall} call
   */
  registerCall(call) {
    this.#values.set(call.vref, call);
  }

  /**
   * Whether a promise will be settled by the kernel, or with the outcome of a call.
   *
   * @param {string} vref
   */
  isSettledLater(vref) {
    const held = this.#values.get(vref);
    return held instanceof Awaited || held instanceof LaterCall;
  }

  /** @param {LaterCall} call  to be removed from the table */
  forgetCall({ vref, madePromise }) {
    this.#values.delete(vref);
    if (madePromise !== undefined) this.#unname(madePromise, vref, findHandle(madePromise));
  }

  /**
   * @param {string} vref
   * @param {PromiseKit} kit
   * @param {Promise<unknown> | undefined} promise  the promise that the vat knows; if undefined, the kit's, made when
   *   needed
   */
  registerAwaited(vref, kit, promise) {
    const handle = findHandle(promise);
    this.#values.set(vref, new Awaited(vref, kit, promise, handle));
    if (promise !== undefined) this.#name(promise, vref, handle);
  }

  /**
   * @param {string} vref
   * @returns {Awaited | undefined}
   */
  findAwaited(vref) {
    const held = this.#values.get(vref);
    return held instanceof Awaited ? held : undefined;
  }

  /** @param {Awaited} awaited  that is settled */
  forgetAwaited({ vref, promise, handle }) {
    this.#values.delete(vref);
    if (promise !== undefined) this.#unname(promise, vref, handle);
  }

  /**
   * @param {Awaited} awaited  that the vat itself decides from now on
   * @returns {Promise<unknown>} the promise that the vat knows
   */
  decide(awaited) {
    const promise = this.#promiseAwaited(awaited);
    this.#values.set(awaited.vref, promise);
    return promise;
  }

  /** @param {string} vref */
  requireValue(vref) {
    const value = this.findValue(vref);
    if (value === undefined) throw Error(`no value for ${vref}`);
    return value;
  }

  /**
   * @param {string} vref
   * @param {any} value
   */
  register(vref, value) {
    if (this.#WeakRef !== undefined && isImport(vref)) {
      this.#values.set(vref, new Collectable(vref, value, new this.#WeakRef(value), true));
      if (this.#dropped.size > 0) this.#dropped.delete(vref);
    } else {
      this.#values.set(vref, value);
    }
    this.#name(value, vref, findHandle(value) ?? findMark(value));
  }

  /**
   * @param {any} value
   * @param {string} vref
   * @param {Handle | Mark | undefined} note  the value's handle or mark
   */
  #name(value, vref, note) {
    if (note === undefined || (note.owner !== undefined && note.owner !== this)) {
      this.#vrefs.set(value, vref);
    } else {
      note.owner = this;
      note.vref = vref;
    }
  }

  /** @param {string} vref */
  forget(vref) {
    const held = this.#values.get(vref);
    const value = held instanceof LaterCall ? held.madePromise : this.#valueOf(held);
    this.#values.delete(vref);
    if (value !== undefined) this.#unname(value, vref, findHandle(value) ?? findMark(value));
  }

  /**
   * @param {any} value
   * @param {string} vref  the value may have another vref by now
   * @param {Handle | Mark | undefined} note  the value's handle or mark
   */
  #unname(value, vref, note) {
    if (note?.owner === this) {
      if (note.vref === vref) note.owner = undefined;
    } else if (this.#vrefs.get(value) === vref) {
      this.#vrefs.delete(value);
    }
  }

  get size() {
    return this.#values.size;
  }

  /**
   * Marks an export as reached by nobody else: it stays as long as the vat itself uses it.
   *
   * @param {string} vref
   */
  weaken(vref) {
    const value = this.#values.get(vref);
    if (this.#WeakRef === undefined || value === undefined || value instanceof Collectable) return;
    this.#values.set(vref, new Collectable(vref, value, new this.#WeakRef(value), true));
    this.#weakExports += 1;
    this.#hasCollected = false;
  }

  /**
   * Registers an object that virtual data names and the kernel does not know yet.
   *
   * @param {string} vref
   * @param {object} value
   */
  registerKept(vref, value) {
    this.register(vref, value);
    if (this.#WeakRef === undefined) return;
    this.#values.set(vref, new Collectable(vref, value, new this.#WeakRef(value), false));
    this.#weakExports += 1;
  }

  /**
   * Registers a virtual object that is in memory now.
   *
   * @param {string} baseRef
   * @param {object} value  the object, or the record of its facets, which are all registered
   */
  registerRepresentative(baseRef, value) {
    this.newRepresentatives += 1;
    this.#values.set(
      baseRef,
      this.#WeakRef === undefined
        ? value
        : new Collectable(baseRef, value, new this.#WeakRef(value), true),
    );
  }

  /** The number of virtual objects that came into memory since the vat was last asked. */
  newRepresentatives = 0;

  /**
   * @param {string} vref  of an object of virtual data, with its facet
   * @param {object} value
   */
  nameRepresentative(vref, value) {
    this.#name(value, vref, findMark(value));
  }

  /** Whether the table has an object or promise in memory under a vref. @param {string} vref */
  has(vref) {
    return this.#values.get(vref) !== undefined;
  }

  /**
   * Notes that the vat names a value. An export that nobody reached is reached again.
   *
   * @param {string} vref
   * @param {object} value
   */
  mention(vref, value) {
    if (this.#weakExports === 0 || isImport(vref) || isVirtualVref(vref)) return;
    if (!(this.#values.get(vref) instanceof Collectable)) return;
    this.#values.set(vref, value);
    this.#weakExports -= 1;
  }

  /**
   * Adds a weak collection that has an import or a virtual object as a key.
   *
   * @param {string} vref
   * @param {{ deref: () => any }} entries  weak reference to the collection's Map by vref
   */
  addRecognizer(vref, entries) {
    this.#recognizers.add(vref, entries);
  }

  /** Whether a weak collection in memory has a vref as a key. @param {string} vref */
  isRecognized(vref) {
    return this.#recognizers.has(vref);
  }

  /**
   * Deletes the entries of weak collections for an object that is gone everywhere.
   *
   * @param {string} vref
   * @returns {boolean} whether any may have had an entry
   */
  forgetRecognized(vref) {
    if (!this.#recognizers.has(vref)) return false;
    this.#recognizers.forget(vref);
    return true;
  }

  /** Begins a collection: the table releases the values whose life the vat alone decides. */
  beginCollection() {
    const values = this.#values.values();
    for (let i = 0; i < values.length; i += 1)
      if (values[i] instanceof Collectable) values[i].value = undefined;
  }

  /** Ends a collection: the table holds the remaining values again. */
  endCollection() {
    const values = this.#values.values();
    for (let i = 0; i < values.length; i += 1)
      if (values[i] instanceof Collectable) values[i].value = values[i].ref.deref();
    this.#hasCollected = true;
  }

  /**
   * Collects, and finds what is gone.
   *
   * @returns {Dead}
   */
  findDead() {
    /** @type {Dead} */
    const dead = { dropped: [], retired: [], retiredExports: [], representatives: [] };
    if (this.#collector === undefined) return dead;
    if (!this.#hasCollected) this.#collector.collect();
    const values = this.#values.values();
    for (let i = 0; i < values.length; i += 1) {
      const entry = values[i];
      if (!(entry instanceof Collectable) || entry.value !== undefined) continue;
      if (isImport(entry.vref)) dead.dropped.push(entry.vref);
      else if (isVirtualVref(entry.vref)) dead.representatives.push(entry.vref);
      else dead.retiredExports.push(entry.vref);
    }
    const unrecognized = this.#recognizers.sweep();
    if (this.hasVirtualData) {
      dead.retired = unrecognized.sort();
      byNumber(dead.dropped);
      byNumber(dead.retiredExports);
      dead.representatives.sort();
      return dead;
    }
    for (const vref of dead.dropped) if (!this.#recognizers.has(vref)) dead.retired.push(vref);
    for (const vref of this.#dropped) if (!this.#recognizers.has(vref)) dead.retired.push(vref);
    byNumber(dead.dropped);
    byNumber(dead.retired);
    byNumber(dead.retiredExports);
    return dead;
  }

  /**
   * Removes objects that were found dead, now or in the run that is replayed.
   *
   * @param {Dead} dead
   */
  forgetDead({ dropped, retired, retiredExports }) {
    for (const vref of dropped) {
      this.forget(vref);
      this.#dropped.add(vref);
    }
    for (const vref of retired) this.#dropped.delete(vref);
    for (const vref of retiredExports) this.retireExport(vref);
    this.#hasCollected = false;
  }

  /** Whether virtual data decides on death as well; then `retired` are vrefs that no weak collection in memory has. */
  hasVirtualData = false;

  /**
   * Removes objects that are gone from memory, in a vat with virtual data.
   *
   * @param {Dead} dead
   * @returns {string[]} the exports among them that the kernel knows
   */
  forgetGone({ dropped, retired, retiredExports, representatives }) {
    for (const vref of dropped) this.forget(vref);
    for (const vref of retired) this.#recognizers.delete(vref);
    for (const vref of representatives) this.#values.delete(vref);
    const told = retiredExports.filter(vref => this.#values.get(vref)?.isTold);
    for (const vref of retiredExports) this.retireExport(vref);
    this.#hasCollected = false;
    this.newRepresentatives = 0;
    return told;
  }

  /** @param {string} vref  of an export that the kernel does not know any more, but virtual data may name */
  untell(vref) {
    const held = this.#values.get(vref);
    if (held instanceof Collectable) held.isTold = false;
  }

  /** The vat drops an import that its code may still hold. @param {string} vref */
  disavow(vref) {
    this.forget(vref);
    if (!this.hasVirtualData) this.#dropped.add(vref);
    this.#hasCollected = false;
  }

  /** @param {string} vref  of an export that no other vat recognises any more */
  retireExport(vref) {
    if (this.#values.get(vref) instanceof Collectable) this.#weakExports -= 1;
    this.forget(vref);
    this.#hasCollected = false;
  }

  /** @param {string} vref  of an import that is gone everywhere; weak collections lose its entries */
  retireImport(vref) {
    this.#recognizers.forget(vref);
    this.#dropped.delete(vref);
    this.forget(vref);
    this.#hasCollected = false;
  }
}
