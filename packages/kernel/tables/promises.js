// The promise table. A promise is unresolved (with a decider, subscribers and parked messages) or settled
// (with data). It lives as long as something refers to it:
//
//   refCount = c-lists that hold it + queue items that name it + parked messages that name it
//            + slots of settled promises' data + results that the host holds
//
// A promise whose count falls to 0 is marked, and deleted at the end of the crank if it is still at 0. Under `2020-09`
// references of parked messages do not count (promise-counts.js).
//
// A promise's row is written whole when it changes. So what may be long is not in it: each parked message, each subscriber
// but the first few, and each suspect (a settled promise that may be in a ring) has a row of its own.

import { decimal, Fail, isPromiseKref } from '#model';
import { figure } from './figures.js';
import { Table } from './journal.js';
import { isDue, PromiseCounts } from './promise-counts.js';
import {
  AddedNote,
  fewSubscribers,
  keyOfParked,
  keyOfSubscriber,
  krefOf,
  lastOfEach,
  none,
  parkedCodec,
  promiseCodec,
  PromiseRow,
  subscriberCodec,
  suspectCodec,
} from './promise-row.js';
import { findRings, ringStepsPerCrank } from './promise-rings.js';
import { readRow } from './row-fields.js';

/** @import { CapData } from '#model' */
/** @import { Counters } from './counters.js' */
/** @import { Figures } from './figures.js' */
/** @import { Journal } from './journal.js' */
/** @import { Message, ParkedMessage, SettledState } from './promise-row.js' */
/** @import { Cause } from './queue-item.js' */
/** @import { Profile } from '../profiles/profile.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

const dueKey = 'kernel.dueForDeletion';

// eslint-disable-next-line house/max-class-lines -- one table: references, subscribers, parked messages and rings are counted against each other
export class PromiseKeeper {
  #figures;

  #counts;

  /** @type {PromiseRow[]} that may have become due (promise-counts.js) since the last clean-up */
  #marked = [];

  #markedWritten = '';

  #deletesRings;

  #countsParked;

  #journal;

  /** Promises that the host watches. They are no part of the state. @type {Set<string>} */
  watched = new Set();

  /** @type {string[]} watched promises that settled since the host's last call */
  #watchedSettled = [];

  /**
   * @param {Journal} journal
   * @param {Figures} figures
   * @param {Counters} counters
   * @param {Pick<Profile, 'deletesRings' | 'countsParked'>} profile
   */
  constructor(journal, figures, counters, { deletesRings, countsParked }) {
    this.#deletesRings = deletesRings;
    this.#countsParked = countsParked;
    this.#journal = journal;
    this.#figures = figures;
    this.#counts = new PromiseCounts(counters, figures);
    /** @type {Table<PromiseRow>} */
    this.table = new Table(journal, promiseCodec, 'kref');
    /** @type {Table<ParkedMessage>} */
    this.parked = new Table(journal, parkedCodec);
    /** Subscribers that are not in a promise's row, with their places in its list. @type {Table<number>} */
    this.subscribers = new Table(journal, subscriberCodec);
    /** Settled promises that may be in a ring that nothing else refers to any more. @type {Table<true>} */
    this.suspects = new Table(journal, suspectCodec, 'kref');
  }

  /**
   * A new unresolved promise with no references.
   *
   * @param {string} decider  vat id, or '' for none
   */
  add(decider) {
    const row = new PromiseRow(`kp${decimal(this.#figures.allocate(figure.nextPromise))}`);
    row.decider = decider;
    this.table.set(row.kref, row);
    this.#counts.add();
    return row;
  }

  /** @param {string} kref */
  find(kref) {
    return this.table.get(kref);
  }

  /** @param {string} kref */
  require(kref) {
    return this.table.get(kref) ?? Fail`promise ${kref} is not in the promise table`;
  }

  /** `require` as a bound function. @type {(kref: string) => Readonly<PromiseRow>} */
  view = kref => this.require(kref);

  /** @param {string} kref  of any kind; only promises are counted */
  addRef(kref) {
    if (isPromiseKref(kref)) this.retain(this.require(kref));
  }

  /** @param {PromiseRow} row */
  retain(row) {
    this.table.touch(row);
    row.refCount += 1;
    if (row.isUncounted) this.#countAgain(row);
  }

  /** @param {string} kref  of any kind; only promises are counted */
  releaseRef(kref) {
    if (isPromiseKref(kref)) this.release(this.require(kref));
  }

  /** @param {PromiseRow} row */
  release(row) {
    row.refCount > 0 || Fail`promise ${row.kref} has no reference left to release`;
    this.table.touch(row);
    row.refCount -= 1;
    if (row.refCount === row.parkedRefs) this.#mark(row);
    else if (this.#deletesRings && row.data !== null && row.data.slots.length > 0)
      this.#suspect(row, row.data);
  }

  /** @param {PromiseRow} row */
  #mark(row) {
    // Most cranks mark one, and a list that grows from empty reserves 17 elements.
    if (this.#marked.length === 0) this.#marked = [row];
    else this.#marked.push(row);
  }

  /**
   * @param {PromiseRow} row
   * @param {CapData} data  its own
   */
  #suspect(row, { slots }) {
    if (slots.some(isPromiseKref)) this.suspects.set(row.kref, true);
  }

  /** @param {readonly string[]} krefs  @throws {Error} a promise among them is not in the table */
  insistThere(krefs) {
    for (const kref of krefs) if (isPromiseKref(kref)) this.require(kref);
  }

  /** @param {readonly string[]} krefs */
  addRefs(krefs) {
    for (let i = 0; i < krefs.length; i += 1) this.addRef(krefs[i]);
  }

  /** @param {readonly string[]} krefs */
  releaseRefs(krefs) {
    for (let i = 0; i < krefs.length; i += 1) this.releaseRef(krefs[i]);
  }

  /**
   * @param {PromiseRow} row
   * @param {string} decider
   */
  setDecider(row, decider) {
    this.table.touch(row);
    row.decider = decider;
  }

  /**
   * @param {PromiseRow} row  unresolved
   * @param {string} vatId
   */
  subscribe(row, vatId) {
    const { subscribers } = row;
    if (subscribers.length >= fewSubscribers) {
      this.#subscribeMany(row, vatId);
      return;
    }
    if (subscribers.includes(vatId)) return;
    this.table.touch(row);
    // Nearly always the first; `concat` and spreading look for what may have been overridden, and are slow
    // (docs/v8-in-a-locked-down-realm.md).
    row.subscribers = subscribers.length === 0 ? [vatId] : [...subscribers, vatId];
  }

  /**
   * @param {PromiseRow} row  whose own row is full
   * @param {string} vatId
   */
  #subscribeMany(row, vatId) {
    const key = keyOfSubscriber(row.kref, vatId);
    const { subscribers } = row;
    const place = subscribers.length;
    if (this.subscribers.has(key)) return;
    for (let i = 0; i < fewSubscribers; i += 1) if (subscribers[i] === vatId) return;
    this.subscribers.set(key, place);
    if (place === fewSubscribers) {
      // From here on the list belongs to this row only and grows in place.
      this.table.touch(row);
      row.subscribers = [...subscribers, vatId];
    } else {
      this.#addTo(/** @type {string[]} */ (subscribers), vatId);
    }
  }

  /**
   * @template T
   * @param {T[]} list
   * @param {T} added
   */
  #addTo(list, added) {
    list.push(added);
    if (!this.#journal.isCertain) this.#journal.note(new AddedNote(list));
  }

  /**
   * Park a message until the promise settles. It keeps the references that it names.
   *
   * @param {string} kref  unresolved
   * @param {Message} sent
   * @param {Cause} cause  the cause of the message
   */
  park(kref, { methargs, result }, { causeNumber, causePlace }) {
    const row = this.require(kref);
    const { parked } = row;
    const message = { methargs, result, causeNumber, causePlace };
    this.parked.set(keyOfParked(kref, parked.length), message);
    this.#counts.park();
    if (parked.length === 0) {
      this.table.touch(row);
      row.parked = [message];
    } else {
      this.#addTo(/** @type {ParkedMessage[]} */ (parked), message);
    }
    this.#forNamed(message, named => {
      this.retain(named);
      if (!this.#countsParked) this.#changeParkedRefs(named, 1);
    });
  }

  /** @param {Message} message @param {(row: PromiseRow) => void} act  for each promise that it names */
  #forNamed({ methargs, result }, act) {
    if (result !== null) act(this.require(result));
    for (const kref of methargs.slots) if (isPromiseKref(kref)) act(this.require(kref));
  }

  /** @param {Message} message */
  #releaseMessageRefs(message) {
    this.#forNamed(message, named => {
      this.release(named);
      if (!this.#countsParked) this.#changeParkedRefs(named, -1);
    });
  }

  /** @param {PromiseRow} row @param {number} change  of the references that do not count */
  #changeParkedRefs(row, change) {
    this.table.touch(row);
    row.parkedRefs += change;
    if (row.refCount === row.parkedRefs) this.#mark(row);
    else if (row.isUncounted) this.#countAgain(row);
  }

  /** @param {PromiseRow} row  that is due, and that only parked messages reach */
  #stopCounting(row) {
    this.table.touch(row);
    this.#counts.remove(row);
    row.isUncounted = true;
  }

  /** @param {PromiseRow} row  that has a reference again */
  #countAgain(row) {
    row.isUncounted = false;
    this.#counts.restore(row);
  }

  /**
   * Settle a promise. Adds the references of its data and releases those of its parked messages, which the caller queues
   * again.
   *
   * @param {PromiseRow} row  unresolved
   * @param {SettledState} state
   * @param {CapData} data  in krefs
   * @returns {readonly ParkedMessage[]} the messages that were parked
   */
  settle(row, state, data) {
    row.state === 'unresolved' || Fail`promise ${row.kref} is settled already`;
    this.table.touch(row);
    this.addRefs(data.slots);
    // It may complete a ring, and may have left the c-list of its vat already.
    if (this.#deletesRings && data.slots.length > 0) this.#suspect(row, data);
    const { parked } = row;
    row.state = state;
    row.data = data;
    row.decider = '';
    if (row.subscribers.length > fewSubscribers) this.#deleteSubscribers(row);
    if (parked.length > 0) this.#deleteParked(row);
    row.subscribers = none;
    row.parked = none;
    this.#counts.settle(state);
    if (this.watched.size > 0 && this.watched.has(row.kref)) this.#watchedSettled.push(row.kref);
    return parked;
  }

  /**
   * Takes the watched promises that have settled. If the crank that settled one was dropped, it is still watched.
   *
   * @returns {string[]}
   */
  takeSettled() {
    const taken = [];
    for (const kref of this.#watchedSettled) {
      if (this.find(kref)?.state !== 'unresolved' && this.watched.delete(kref)) taken.push(kref);
    }
    this.#watchedSettled = [];
    return taken;
  }

  /**
   * Takes the messages parked on a promise that is still unresolved. As with `settle`, the caller queues them again.
   *
   * @param {PromiseRow} row
   * @returns {readonly ParkedMessage[]} the messages that were parked
   */
  takeParked(row) {
    const { parked } = row;
    this.table.touch(row);
    this.#deleteParked(row);
    row.parked = none;
    return parked;
  }

  /** @param {PromiseRow} row */
  #deleteParked({ kref, parked }) {
    for (let i = 0; i < parked.length; i += 1) {
      this.parked.delete(keyOfParked(kref, i));
      this.#counts.unpark();
    }
  }

  /** @param {PromiseRow} row */
  #deleteSubscribers({ kref, subscribers }) {
    for (let i = fewSubscribers; i < subscribers.length; i += 1)
      this.subscribers.delete(keyOfSubscriber(kref, subscribers[i]));
  }

  /** @param {Message} message  one that `settle` or `takeParked` returned, now that it is queued again */
  unpark(message) {
    this.#releaseMessageRefs(message);
  }

  /**
   * Deletes, at the end of a crank, what nothing refers to any more, and what only that referred to. A deletion can
   * leave a ring behind, and a ring that is taken apart leaves promises to delete.
   */
  deleteUnreferenced() {
    const { numbers } = this.#figures;
    const wait = numbers[figure.ringWait];
    if (wait > 0) this.#figures.write(figure.ringWait, wait - 1);
    for (;;) {
      if (this.#marked.length > 0) this.#deleteMarked();
      else if (this.suspects.size > 0 && numbers[figure.ringWait] === 0) this.#takeRingsApart();
      else return;
    }
  }

  #deleteMarked() {
    const marked = this.#marked;
    for (let i = 0; i < marked.length; i += 1) {
      const row = marked[i];
      if (!isDue(row) || !this.#isThere(row)) continue;
      if (row.refCount === 0) this.#delete(row);
      else this.#stopCounting(row);
    }
    // A new list: setting `length` is slow, and the former entries are garbage in either case.
    this.#marked = [];
  }

  /**
   * Takes apart settled promises that only refer to each other: their data releases its references, and the promises'
   * counts fall to 0. A search walks through everything that the suspects reach, and a vat can make this much and
   * lasting: so after a search that walked far and found little, suspects wait for as many cranks as pay for it.
   */
  #takeRingsApart() {
    const krefs = [...this.suspects.keys()];
    for (const kref of krefs) this.suspects.delete(kref);
    const { rings, steps } = findRings(krefs, kref => this.table.get(kref));
    for (const row of rings) {
      this.table.touch(row);
      const { slots } = row.data ?? Fail`promise ${row.kref} is not settled`;
      row.data = { body: '', slots: [] };
      this.releaseRefs(slots);
    }
    const unpaid = Math.floor(steps / ringStepsPerCrank) - rings.length;
    if (unpaid > 0) this.#figures.write(figure.ringWait, unpaid);
  }

  /**
   * Whether a row is in the table. It may have been marked twice, or by a crank that was dropped.
   *
   * @param {PromiseRow} row
   */
  #isThere(row) {
    return row.cell?.value === row;
  }

  /** @param {PromiseRow} row */
  #delete(row) {
    if (!row.isUncounted) this.#counts.remove(row);
    this.table.deleteRow(row);
    if (row.data) this.releaseRefs(row.data.slots);
    if (row.subscribers.length > fewSubscribers) this.#deleteSubscribers(row);
    if (row.parked.length === 0) return;
    this.#deleteParked(row);
    for (const message of row.parked) this.#releaseMessageRefs(message);
  }

  /** Clears the marks of a dropped crank. Promises that the host released before it stay marked. */
  clearMarks() {
    this.#marked = this.#marked.filter(row => isDue(row) && this.#isThere(row));
  }

  /**
   * Promises that are deleted at the end of the next crank if nothing refers to them by then.
   *
   * @returns {readonly string[]}
   */
  get due() {
    if (this.#marked.length === 0) return none;
    const marked = this.#marked.filter(row => isDue(row) && this.#isThere(row));
    return lastOfEach(marked).map(({ kref }) => kref);
  }

  /** Whether the end of this crank may delete any. */
  get mayDelete() {
    if (this.#marked.length > 0) return true;
    return this.suspects.size > 0 && this.#figures.numbers[figure.ringWait] <= 1;
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.table.collect(puts);
    this.parked.collect(puts);
    this.subscribers.collect(puts);
    this.suspects.collect(puts);
    const { due } = this;
    const text = due.length === 0 ? '' : due.join(' ');
    if (text === this.#markedWritten) return;
    puts.set(dueKey, text === '' ? undefined : text);
    this.#markedWritten = text;
  }

  /** @param {KernelStore} store */
  load(store) {
    this.table.load(store);
    for (const [kref, { data }] of this.table.entries())
      if (data !== null) readRow(`p.${kref}`, () => this.insistThere(data.slots));
    this.#loadLists(store);
    this.suspects.load(store);
    const text = store.get(dueKey) ?? '';
    this.#markedWritten = text;
    for (const kref of text === '' ? [] : text.split(' ')) this.#marked.push(this.require(kref));
  }

  /** @param {KernelStore} store */
  #loadLists(store) {
    this.parked.load(store);
    for (const [key, message] of this.parked.entries()) {
      const row = readRow(`parked.${key}`, () => {
        this.#forNamed(message, () => {});
        return this.require(krefOf(key));
      });
      // In the order of their places, as the store has them.
      if (row.parked.length === 0) row.parked = [message];
      else /** @type {ParkedMessage[]} */ (row.parked).push(message);
      if (!this.#countsParked) this.#forNamed(message, named => void (named.parkedRefs += 1));
    }
    this.#counts.countLoaded(this.parked.size);
    this.subscribers.load(store);
    const ordered = [...this.subscribers.entries()].sort(([, left], [, right]) => left - right);
    for (const [key] of ordered) {
      const row = this.require(krefOf(key));
      // A list that was read is the row's own.
      /** @type {string[]} */ (row.subscribers).push(key.slice(krefOf(key).length + 1));
    }
  }
}
