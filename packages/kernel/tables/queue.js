// The run queue: the event queue of packages/schedule. It holds back the items that a crank adds until the crank is
// kept, and stores the items that are still queued at the end of a block.

import { classes, EventQueue } from '#schedule';
import { Fail } from '#model';
import { figure } from './figures.js';
import { ItemIndex } from './item-index.js';
import { byKernel, formatItem, keyOf, prefix, readItem } from './queue-item.js';
import { readRow } from './row-fields.js';

/** @import { ControlKind, Item } from './queue-item.js' */
/** @import { Counters } from './counters.js' */
/** @import { Figures } from './figures.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */
/** @import { Pair } from './clist.js' */
/** @import { PromiseKeeper } from './promises.js' */
/** @import { Message, ParkedMessage, PromiseRow } from './promise-row.js' */

/** @type {any} */
const none = Object.freeze([]);

// eslint-disable-next-line house/max-class-lines -- one table: staged, queued and taken items are private, and a crank is kept or dropped with all of them
export class RunQueue {
  /** @type {EventQueue<Item>} */
  #queue = new EventQueue();

  #figures;

  #promises;

  #counters;

  #at;

  /** @type {Item[]} added by this crank; `none`, or a list that may grow */
  #staged = none;

  #routesWhenSent;

  /** The number of staged items that have been routed, in profiles that route when sent. */
  #routed = 0;

  /** @type {Item[]} added in this block; those still queued at its end go to the store */
  #added = [];

  /** @type {Item[]} stored items that were taken in this block */
  #taken = [];

  /** @type {Item | undefined} */
  #current;

  /** Whether a step of object collection is queued. */
  hasCollection = false;

  /** The cause of items queued now (`Cause`). */
  causeNumber = 0;

  causePlace = byKernel;

  /** Wake-ups and starts that are queued or staged. Only this file changes it. */
  index = new ItemIndex();

  /** @type {Item[]} wake-ups that this crank has cancelled */
  #cancelled = [];

  /**
   * @param {Figures} figures
   * @param {PromiseKeeper} promises
   * @param {Counters} counters
   * @param {boolean} routesWhenSent  sends and notifies count as queued once they are routed (`accept`)
   */
  constructor(figures, promises, counters, routesWhenSent) {
    this.#figures = figures;
    this.#promises = promises;
    this.#counters = counters;
    this.#routesWhenSent = routesWhenSent;
    this.#at = counters.find('runQueueLength');
  }

  /** Items queued and kept. */
  get size() {
    return this.#queue.size;
  }

  /**
   * @param {string} target  kref
   * @param {Message} message
   * @param {PromiseRow | null} [promise]  of its result
   * @param {Pair | null} [home]  the target's entry in the c-list of its own vat, if it is known
   */
  addSend(target, message, promise = this.#findResult(message), home = null) {
    const promises = this.#promises;
    promises.addRef(target);
    if (promise !== null) promises.retain(promise);
    promises.addRefs(message.methargs.slots);
    this.#add('send', '', target, message, promise, classes.message, home);
    if (!this.#routesWhenSent) this.#counters.inc(this.#at);
  }

  /**
   * Queues a message that was parked.
   *
   * @param {string} kref  of the promise to which it was sent
   * @param {ParkedMessage} parked
   */
  addParked(kref, { methargs, result, causeNumber, causePlace }) {
    const now = { causeNumber: this.causeNumber, causePlace: this.causePlace };
    this.causeNumber = causeNumber;
    this.causePlace = causePlace;
    this.addSend(kref, { methargs, result });
    this.causeNumber = now.causeNumber;
    this.causePlace = now.causePlace;
  }

  /**
   * Sets the cause of items queued from now on.
   *
   * @param {number} number  of a crank, or of an input
   * @param {number} place  of the syscall, `byKernel` or `byInput`
   */
  setCause(number, place) {
    this.causeNumber = number;
    this.causePlace = place;
  }

  /** @param {Message | null} message */
  #findResult(message) {
    return message === null || message.result === null
      ? null
      : this.#promises.require(message.result);
  }

  /**
   * @param {string} vatId
   * @param {PromiseRow} promise  settled
   */
  addNotify(vatId, promise) {
    this.#promises.retain(promise);
    this.#add('notify', vatId, promise.kref, null, promise, classes.message);
    if (!this.#routesWhenSent) this.#counters.inc(this.#at);
  }

  /**
   * The next item that the crank has added and that is not routed yet, first in, first out, including items that routing itself adds at
   * the end. The caller answers sends and notifies by `accept` or `refuse`.
   *
   * @returns {Item | undefined}
   */
  nextUnrouted() {
    if (this.#routed === this.#staged.length) return undefined;
    this.#routed += 1;
    return this.#staged[this.#routed - 1];
  }

  /** Items of the crank that are not routed yet. */
  get unrouted() {
    return this.#staged.length - this.#routed;
  }

  /** Queues a send or a notify that has been routed. */
  accept() {
    this.#counters.inc(this.#at);
  }

  /**
   * Queues a send to a promise that was fulfilled to an object, for that object's vat.
   *
   * @param {Item} item  from `nextUnrouted`
   * @param {string} vatId
   * @param {string} target  an object
   */
  acceptFor(item, vatId, target) {
    item.vatId = vatId;
    if (item.target !== target) {
      this.#promises.releaseRef(item.target);
      item.target = target;
    }
    this.#counters.inc(this.#at);
  }

  /**
   * Removes a send that was routed to no vat.
   *
   * @param {Item} item  from `nextUnrouted`
   */
  refuse(item) {
    item.taken = true;
    this.#releaseSend(item);
  }

  /**
   * @param {ControlKind} kind
   * @param {string} vatId
   * @param {readonly string[]} [krefs]
   */
  addControl(kind, vatId, krefs = []) {
    this.#add(kind, vatId, krefs.join(' '), null, null, classes.control);
  }

  /**
   * Queues a step of object collection for the present tag, before the messages that are left of it.
   *
   * @param {ControlKind} kind
   * @param {string} vatId
   * @param {readonly string[]} [krefs]
   */
  addAtOnce(kind, vatId, krefs = []) {
    const item = this.#add(kind, vatId, krefs.join(' '), null, null, classes.control);
    item.microstep -= 1;
  }

  /** Queues a collection, of which there is one at a time. @param {boolean} isLater  at the next microstep */
  addCollection(isLater) {
    this.hasCollection = true;
    if (isLater) this.addControl('collect', '');
    else this.addAtOnce('collect', '');
  }

  /**
   * Queues a control item in turn, behind the messages that were queued before it.
   *
   * @param {'start' | 'upgrade' | 'bringOutYourDead'} kind
   * @param {string} vatId
   * @param {string} [target]
   * @param {Message | null} [message]
   */
  addInTurn(kind, vatId, target = '', message = null) {
    if (message !== null) this.#promises.addRefs(message.methargs.slots);
    this.index.add(this.#add(kind, vatId, target, message, null, classes.message));
    this.#counters.inc(this.#at);
  }

  /**
   * Queues a wake-up of a device: at microstep 0 of the time, or at the next microstep if the time has come already.
   * Asking twice gives one wake-up.
   *
   * @param {string} deviceId
   * @param {number} timeNs
   */
  addWake(deviceId, timeNs) {
    if (this.#findWake(deviceId, timeNs) !== undefined) return;
    const { numbers } = this.#figures;
    const item = this.#add('wake', '', deviceId, null, null, classes.message);
    if (timeNs > numbers[figure.nowTimeNs]) {
      item.timeNs = timeNs;
      item.microstep = 0;
    }
    this.index.add(item);
    this.#counters.inc(this.#at);
  }

  /** Removes control items for the host, between cranks. @param {readonly Item[]} items */
  cancel(items) {
    for (const item of items) this.#cancelled.push(item);
  }

  /**
   * @param {string} deviceId
   * @param {number} timeNs  of the wake-up, which may not exist
   */
  cancelWake(deviceId, timeNs) {
    const item = this.#findWake(deviceId, timeNs);
    if (item === undefined) return;
    this.#cancelled.push(item);
    this.index.delete(item);
    this.#counters.dec(this.#at);
  }

  /**
   * @param {string} deviceId
   * @param {number} timeNs
   */
  #findWake(deviceId, timeNs) {
    return this.index.findWake(deviceId, Math.max(timeNs, this.#figures.numbers[figure.nowTimeNs]));
  }

  /**
   * Stages a new item for the next microstep of the present instant.
   *
   * @param {Item['kind']} kind
   * @param {string} vatId
   * @param {string} target
   * @param {Message | null} message
   * @param {PromiseRow | null} promise
   * @param {number} itemClass
   * @param {Pair | null} [home]
   */
  #add(kind, vatId, target, message, promise, itemClass, home = null) {
    const { numbers } = this.#figures;
    /** @type {Item} */
    const item = {
      timeNs: numbers[figure.nowTimeNs],
      microstep: numbers[figure.nowMicrostep] + 1,
      class: itemClass,
      stage: 0,
      vatNumber: 0,
      seq: this.#figures.allocate(figure.nextItem),
      kind,
      vatId,
      target,
      message,
      promise,
      home,
      causeNumber: this.causeNumber,
      causePlace: this.causePlace,
      stored: false,
      taken: false,
    };
    // Most cranks add one item, and a list that grows from empty reserves 17 elements.
    if (this.#staged.length === 0) this.#staged = [item];
    else this.#staged.push(item);
    return item;
  }

  /**
   * Moves a vat's next reaction to a tag and stage, or out of the queue. Called between cranks.
   *
   * @param {Item} item  the vat's own (`makeReaction`)
   * @param {{ timeNs: number, microstep: number, stage: number } | undefined} next
   */
  moveReaction(item, next) {
    if (!item.taken) {
      if (
        next !== undefined &&
        item.timeNs === next.timeNs &&
        item.microstep === next.microstep &&
        item.stage === next.stage
      )
        return;
      this.#queue.remove(item);
      item.taken = true;
    }
    if (next === undefined) return;
    item.timeNs = next.timeNs;
    item.microstep = next.microstep;
    item.stage = next.stage;
    item.taken = false;
    this.#queue.push(item);
  }

  /** The next item, without taking it. */
  peek() {
    return this.#queue.peek();
  }

  /**
   * The items behind the first, of the same tag.
   *
   * @param {number} limit
   */
  ahead(limit) {
    return this.#queue.atFirstTag(limit);
  }

  /** The earliest tag with an item that is not a reaction. */
  firstBesidesReactions() {
    return this.#queue.firstBesidesReactions();
  }

  /**
   * Take the first item for a crank: it no longer holds references, and its tag becomes the present one.
   *
   * @returns {Item | undefined}
   */
  take() {
    const item = this.pick();
    if (item !== undefined && item.kind !== 'react') this.consume(item);
    return item;
  }

  /** Takes the next item without consuming it: the caller calls `consume`. @returns {Item | undefined} */
  pick() {
    const item = this.#queue.take();
    if (item === undefined) return undefined;
    this.#current = item;
    this.#figures.beginCrank(item.timeNs, item.microstep);
    // Not set again when its crank is dropped: the item may be queued for the vat's next reaction by then.
    if (item.kind === 'react') item.taken = true;
    return item;
  }

  /** Changes the tables for a taken item; called again after a dropped crank whose item is consumed.
   *
   * @param {Item} item
   */
  consume(item) {
    if (item.class === classes.message) this.#counters.dec(this.#at);
    if (item.kind === 'send') {
      this.#releaseSend(item);
    } else if (item.kind === 'notify') {
      this.#promises.release(item.promise ?? Fail`a notify has no promise`);
    } else if (item.kind === 'wake' || item.kind === 'start') {
      this.index.delete(item);
    } else if (item.kind === 'collect') {
      this.hasCollection = false;
    } else if (item.kind === 'upgrade') {
      this.#promises.releaseRefs(item.message?.methargs.slots ?? []);
    }
  }

  /** @param {Item} item  a send that no longer holds references */
  #releaseSend(item) {
    const { methargs } = item.message ?? Fail`a send has no message`;
    this.#promises.releaseRef(item.target);
    if (item.promise !== null) this.#promises.release(item.promise);
    this.#promises.releaseRefs(methargs.slots);
  }

  /** Keeps the crank: queues the items that it added, and forgets the item that it took. */
  keep() {
    const staged = this.#staged;
    for (let i = 0; i < staged.length; i += 1) {
      if (staged[i].taken) continue;
      this.#queue.push(staged[i]);
      this.#added.push(staged[i]);
    }
    if (staged.length > 0) this.#clearStaged();
    if (this.#cancelled.length > 0) this.#removeCancelled();
    const item = this.#current;
    if (item === undefined) return;
    this.#forget(item);
    this.#current = undefined;
  }

  #clearStaged() {
    this.#staged = none;
    this.#routed = 0;
  }

  /** @param {Item} item  that the store need not keep any more */
  #forget(item) {
    item.taken = true;
    if (item.stored) this.#taken.push(item);
  }

  #removeCancelled() {
    for (const item of this.#cancelled) {
      this.#queue.remove(item);
      this.#forget(item);
    }
    this.#cancelled = [];
  }

  /**
   * Drops the crank and the items that it added. Its own item is still in hand: `keep` consumes it, `putBack` does not.
   */
  drop() {
    // A wake-up may have been cancelled, asked for and cancelled again: the first one was there before the crank.
    for (const item of this.#cancelled.reverse()) this.index.add(item);
    this.#cancelled = [];
    for (const item of this.#staged) this.index.takeBack(item);
    this.#clearStaged();
    if (this.#current !== undefined) this.index.add(this.#current);
  }

  /** Puts the item in hand back at the head of the queue. */
  putBack() {
    if (this.#current) this.#queue.putBack(this.#current);
    this.#current = undefined;
  }

  inOrder() {
    return this.#queue.inOrder();
  }

  /** The queue as a commit would write it. @returns {Generator<[key: string, text: string]>} */
  *written() {
    for (const item of this.inOrder())
      if (item.kind !== 'react') yield [keyOf(item.seq), formatItem(item)];
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    const taken = this.#taken;
    for (let i = 0; i < taken.length; i += 1) puts.set(keyOf(taken[i].seq), undefined);
    this.#taken = [];
    const added = this.#added;
    for (let i = 0; i < added.length; i += 1) {
      const item = added[i];
      if (item.taken) continue;
      item.stored = true;
      puts.set(keyOf(item.seq), formatItem(item));
    }
    this.#added = [];
  }

  /**
   * @param {KernelStore} store
   * @param {(deviceId: string) => unknown} requireDevice  throws if there is none
   */
  load(store, requireDevice) {
    for (const [key, text] of store.entries(prefix)) {
      const item = readRow(key, () => readItem(key, text, this.#promises));
      if (item.kind === 'wake') readRow(key, () => requireDevice(item.target));
      this.#queue.push(item);
      this.index.add(item);
      if (item.kind === 'collect') this.hasCollection = true;
    }
  }
}
