// The promise table. A promise is unresolved (with a decider, subscribers and parked messages) or settled
// (with data). It lives as long as something refers to it:
//
//   refCount = c-lists that hold it + queue items that name it + parked messages that name it
//            + slots of settled promises' data + results that the host holds
//
// A promise whose count falls to 0 is marked, and deleted at the end of the crank if it is still at 0.

import { decimal, Fail, isPromiseKref, keepShape } from '#model';
import { figure } from '../figures.js';
import { Row, Table } from '../journal.js';

/** @import { CapData } from '#model' */
/** @import { Counters } from '../counters.js' */
/** @import { Figures } from '../figures.js' */
/** @import { CList, Pair } from './clist.js' */
/** @import { Journal } from '../journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

/**
 * A message without its target: in the queue, or parked on an unresolved promise.
 *
 * @typedef {{ methargs: CapData, result: string | null }} Message
 */

/** @typedef {'presence' | 'data' | 'rejected'} SettledState */

/** @typedef {'unresolved' | SettledState} PromiseState */

/** @type {readonly never[]} shared by all rows: arrays in rows are never changed in place */
const none = Object.freeze([]);

/** Whoever names a promise may keep its row: as long as something refers to the promise, it is the one in the table. */
export class PromiseRow extends Row {
  /** @type {PromiseState} */
  state = 'unresolved';

  refCount = 0;

  /** A vat id, or '' while the queue holds the right to decide. */
  decider = '';

  /** @type {readonly string[]} */
  subscribers = none;

  /** @type {readonly Message[]} */
  parked = none;

  /** @type {CapData | null} */
  data = null;

  // Its entries in c-lists: nearly always one or two, and then no map is needed.
  /** @type {Pair | null} */
  #first = null;

  /** @type {Pair | null} */
  #second = null;

  /** @type {Map<CList, Pair> | null} */
  #others = null;

  /** @param {string} kref */
  constructor(kref) {
    super();
    this.kref = kref;
  }

  /** @param {CList} clist */
  findPair(clist) {
    if (this.#first !== null && this.#first.clist === clist) return this.#first;
    if (this.#second !== null && this.#second.clist === clist) return this.#second;
    return this.#others === null ? undefined : this.#others.get(clist);
  }

  /** @param {Pair} pair  that is in its c-list now */
  addPair(pair) {
    if (this.#first === null) this.#first = pair;
    else if (this.#second === null) this.#second = pair;
    else (this.#others ??= new Map()).set(pair.clist, pair);
  }

  /** @param {Pair} pair  that was in its c-list */
  deletePair(pair) {
    if (this.#first === pair) this.#first = null;
    else if (this.#second === pair) this.#second = null;
    else this.#others?.delete(pair.clist);
  }

  save() {
    return new SavedPromise(this);
  }
}

/** A promise as it was. */
class SavedPromise {
  /** @param {PromiseRow} row */
  constructor(row) {
    this.row = row;
    this.state = row.state;
    this.refCount = row.refCount;
    this.decider = row.decider;
    this.subscribers = row.subscribers;
    this.parked = row.parked;
    this.data = row.data;
  }

  undo() {
    const { row } = this;
    row.state = this.state;
    row.refCount = this.refCount;
    row.decider = this.decider;
    row.subscribers = this.subscribers;
    row.parked = this.parked;
    row.data = this.data;
  }
}

keepShape(new PromiseRow('').save());

/**
 * A promise as JSON. Written by hand, since a result that the host holds is written at the end of every block.
 *
 * @param {PromiseRow} row
 */
const formatPromise = ({ state, refCount, decider, subscribers, parked, data }) => {
  const dataText =
    data === null ? 'null' : `{"body":${formatBody(data.body)},"slots":${formatList(data.slots)}}`;
  return `{"state":"${state}","refCount":${refCount},"decider":"${decider}","subscribers":${formatList(subscribers)},"parked":${formatList(parked)},"data":${dataText}}`;
};

/** What results answer is mostly the same. */
let lastBody = '';
let lastFormatted = '""';

/** @param {string} body */
const formatBody = body => {
  if (body !== lastBody) {
    lastFormatted = JSON.stringify(body);
    lastBody = body;
  }
  return lastFormatted;
};

/** @param {readonly unknown[]} list */
const formatList = list => (list.length === 0 ? '[]' : JSON.stringify(list));

/** @type {Record<SettledState, string>} */
const counterOfState = {
  presence: 'kpFulfilledToPresence',
  data: 'kpFulfilledToData',
  rejected: 'kpRejected',
};

const dueKey = 'kernel.dueForDeletion';

export class PromiseKeeper {
  #figures;

  #counters;

  #at;

  /** @type {PromiseRow[]} whose count has fallen to 0 since the last clean-up */
  #marked = [];

  #markedWritten = '';

  #deletesRings;

  /** @type {string[]} settled promises that may be in a ring that nothing else refers to any more */
  #suspects = [];

  /**
   * @param {Journal} journal
   * @param {Figures} figures
   * @param {Counters} counters
   * @param {boolean} deletesRings
   */
  constructor(journal, figures, counters, deletesRings) {
    this.#deletesRings = deletesRings;
    this.#figures = figures;
    this.#counters = counters;
    this.#at = {
      promises: counters.find('kernelPromises'),
      unresolved: counters.find('kpUnresolved'),
      presence: counters.find(counterOfState.presence),
      data: counters.find(counterOfState.data),
      rejected: counters.find(counterOfState.rejected),
    };
    /** @type {Table<PromiseRow>} */
    this.table = new Table(
      journal,
      {
        prefix: 'p.',
        format: formatPromise,
        parse: (text, kref) => Object.assign(new PromiseRow(kref), JSON.parse(text)),
      },
      'kref',
    );
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
    this.#counters.inc(this.#at.promises);
    this.#counters.inc(this.#at.unresolved);
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

  /** `require` as a function of its own. @type {(kref: string) => Readonly<PromiseRow>} */
  view = kref => this.require(kref);

  /** @param {string} kref  of any kind; only promises are counted */
  addRef(kref) {
    if (isPromiseKref(kref)) this.retain(this.require(kref));
  }

  /** @param {PromiseRow} row */
  retain(row) {
    this.table.touch(row);
    row.refCount += 1;
  }

  /** @param {string} kref  of any kind; only promises are counted */
  dropRef(kref) {
    if (isPromiseKref(kref)) this.release(this.require(kref));
  }

  /** @param {PromiseRow} row */
  release(row) {
    row.refCount > 0 || Fail`promise ${row.kref} has no reference left to drop`;
    this.table.touch(row);
    row.refCount -= 1;
    if (row.refCount === 0) this.#mark(row);
    else if (this.#deletesRings && row.data !== null && row.data.slots.length > 0)
      this.#suspect(row, row.data);
  }

  /** @param {PromiseRow} row */
  #mark(row) {
    // Most cranks mark one, and a list that grows from nothing takes room for 17.
    if (this.#marked.length === 0) this.#marked = [row];
    else this.#marked.push(row);
  }

  /**
   * @param {PromiseRow} row
   * @param {CapData} data  its own
   */
  #suspect(row, { slots }) {
    if (slots.some(isPromiseKref)) this.#suspects.push(row.kref);
  }

  /** @param {readonly string[]} krefs */
  addRefs(krefs) {
    for (let i = 0; i < krefs.length; i += 1) this.addRef(krefs[i]);
  }

  /** @param {readonly string[]} krefs */
  dropRefs(krefs) {
    for (let i = 0; i < krefs.length; i += 1) this.dropRef(krefs[i]);
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
    if (row.subscribers.includes(vatId)) return;
    this.table.touch(row);
    // Nearly always the first; `concat` and spreading look for what may have been overridden, and take 50 to 90 ns.
    row.subscribers = row.subscribers.length === 0 ? [vatId] : [...row.subscribers, vatId];
  }

  /**
   * Park a message until the promise settles. What it names stays referred to.
   *
   * @param {string} kref  unresolved
   * @param {Message} message
   */
  park(kref, message) {
    const row = this.require(kref);
    this.table.touch(row);
    row.parked = row.parked.concat(message);
    this.#addMessageRefs(message);
  }

  /** @param {Message} message */
  #addMessageRefs({ methargs, result }) {
    if (result !== null) this.addRef(result);
    this.addRefs(methargs.slots);
  }

  /** @param {Message} message */
  #dropMessageRefs({ methargs, result }) {
    if (result !== null) this.dropRef(result);
    this.dropRefs(methargs.slots);
  }

  /**
   * Settle a promise. The references of its data are taken; those of its parked messages are dropped, for the
   * caller queues them again.
   *
   * @param {PromiseRow} row  unresolved
   * @param {SettledState} state
   * @param {CapData} data  in krefs
   * @returns {readonly Message[]} those that were parked
   */
  settle(row, state, data) {
    row.state === 'unresolved' || Fail`promise ${row.kref} is settled already`;
    this.table.touch(row);
    this.addRefs(data.slots);
    const { parked } = row;
    row.state = state;
    row.data = data;
    row.decider = '';
    row.subscribers = none;
    row.parked = none;
    this.#counters.dec(this.#at.unresolved);
    this.#counters.inc(this.#at[state]);
    return parked;
  }

  /** @param {Message} message  one that `settle` returned, now that it is queued again */
  unpark(message) {
    this.#dropMessageRefs(message);
  }

  /** Delete what nothing refers to any more, and what only that referred to. */
  deleteUnreferenced() {
    // A deletion can leave a ring behind, and a ring that is taken apart has something to delete.
    while (this.#suspects.length > 0 || this.#marked.length > 0) {
      if (this.#suspects.length > 0) this.#markRings();
      const marked = this.#marked;
      for (let i = 0; i < marked.length; i += 1) {
        const row = marked[i];
        if (row.refCount === 0 && this.#isThere(row)) this.#delete(row);
      }
      // A new list: setting `length` takes 20 ns, and what was there is garbage in either case.
      this.#marked = [];
    }
  }

  /**
   * Settled promises can refer to each other in a ring, through their data. If all references to them come from
   * among themselves, they are taken apart: their data lets go of its promises, whose counts then fall to 0.
   */
  #markRings() {
    /** @type {Map<string, { row: PromiseRow, outside: number }>} what can be reached from the suspects */
    const group = new Map();
    const visit = (/** @type {string} */ kref) => {
      const row = this.table.get(kref);
      if (group.has(kref) || !row?.data) return;
      group.set(kref, { row, outside: row.refCount });
    };
    this.#suspects.forEach(visit);
    this.#suspects = [];
    for (const { row } of group.values()) row.data?.slots.filter(isPromiseKref).forEach(visit);
    for (const { row } of group.values()) {
      for (const slot of row.data?.slots ?? []) {
        const member = group.get(slot);
        if (member) member.outside -= 1;
      }
    }
    // Whatever is referred to from outside lives, and all that it refers to.
    const live = [...group].filter(([, { outside }]) => outside > 0).map(([kref]) => kref);
    for (const kref of live) {
      const slots = group.get(kref)?.row.data?.slots ?? [];
      group.delete(kref);
      live.push(...slots.filter(slot => group.has(slot)));
    }
    for (const [kref, { row }] of group) {
      this.table.touch(row);
      const { slots } = row.data ?? Fail`promise ${kref} is not settled`;
      row.data = { body: '', slots: [] };
      this.dropRefs(slots);
    }
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
    this.#counters.dec(this.#at.promises);
    if (row.state === 'unresolved') this.#counters.dec(this.#at.unresolved);
    else this.#counters.dec(this.#at[row.state]);
    this.table.deleteRow(row);
    if (row.data) this.dropRefs(row.data.slots);
    for (const message of row.parked) this.#dropMessageRefs(message);
  }

  /** A dropped crank's marks are dropped with it; only what the host released before stays marked. */
  dropMarks() {
    this.#marked = this.#marked.filter(row => row.refCount === 0 && this.#isThere(row));
    this.#suspects = this.#suspects.filter(kref => this.table.has(kref));
  }

  /**
   * Promises that will be looked at, and perhaps deleted, at the end of the next crank.
   *
   * @returns {readonly string[]}
   */
  get due() {
    if (this.#marked.length === 0 && this.#suspects.length === 0) return none;
    const marked = this.#marked.filter(row => row.refCount === 0 && this.#isThere(row));
    return [...marked.map(({ kref }) => kref), ...this.#suspects];
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.table.collect(puts);
    const { due } = this;
    const text = due.length === 0 ? '' : due.join(' ');
    if (text === this.#markedWritten) return;
    puts.set(dueKey, text === '' ? undefined : text);
    this.#markedWritten = text;
  }

  /** @param {KernelStore} store */
  load(store) {
    this.table.load(store);
    const text = store.get(dueKey) ?? '';
    this.#markedWritten = text;
    for (const kref of text === '' ? [] : text.split(' ')) {
      const row = this.require(kref);
      if (row.refCount === 0) this.#marked.push(row);
      else this.#suspects.push(kref);
    }
  }
}
