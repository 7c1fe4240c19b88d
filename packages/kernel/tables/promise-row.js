// A promise's row, its saved copy for undoing a crank, and its text in the store.

import { forms, keepShape } from '#model';
import { Row } from './journal.js';
import { parseCount, parseFields, parseList } from './row-fields.js';

/** @import { CapData } from '#model' */
/** @import { CList, Pair } from './clist.js' */
/** @import { Cause } from './queue-item.js' */

const { capData, count, flag, oneOf, orAbsent, orNone, text, texts, whole } = forms;

/**
 * A message without its target: in the queue, or parked on an unresolved promise.
 *
 * @typedef {{ methargs: CapData, result: string | null }} Message
 */

/** A message parked on an unresolved promise, with its cause. @typedef {Message & Cause} ParkedMessage */

/** @typedef {'presence' | 'data' | 'rejected'} SettledState */

/** @typedef {'unresolved' | SettledState} PromiseState */

/** @type {readonly never[]} shared by all rows */
export const none = Object.freeze([]);

/** Subscribers in the promise's own row, at most. */
export const fewSubscribers = 8;

/** Digits of a place in a key, so that keys sort by place. */
const placeDigits = 10;

/** A caller may keep a row as long as something refers to the promise: so long it is the one in the table. */
export class PromiseRow extends Row {
  /** @type {PromiseState} */
  state = 'unresolved';

  refCount = 0;

  /** How many of these are of parked messages and do not count (promise-counts.js). */
  parkedRefs = 0;

  /** Whether it is left out of the counters, since no other reference is left. */
  isUncounted = false;

  /** A vat id, or '' while the message whose result it is lies in the queue. */
  decider = '';

  /** All subscribers. @type {readonly string[]} */
  subscribers = none;

  /** A list that only this row has and that grows in place, or `none`. @type {readonly ParkedMessage[]} */
  parked = none;

  /** @type {CapData | null} */
  data = null;

  // Its entries in c-lists: nearly always one or two, which need no map.
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

/** A saved copy of a promise's row. */
class SavedPromise {
  /** @param {PromiseRow} row */
  constructor(row) {
    this.row = row;
    this.state = row.state;
    this.refCount = row.refCount;
    this.parkedRefs = row.parkedRefs;
    this.isUncounted = row.isUncounted;
    this.decider = row.decider;
    this.subscribers = row.subscribers;
    this.parked = row.parked;
    this.data = row.data;
  }

  undo() {
    const { row } = this;
    row.state = this.state;
    row.refCount = this.refCount;
    row.parkedRefs = this.parkedRefs;
    row.isUncounted = this.isUncounted;
    row.decider = this.decider;
    row.subscribers = this.subscribers;
    row.parked = this.parked;
    row.data = this.data;
  }
}

keepShape(new PromiseRow('').save());

/** Undoes that an element was added to a list that grows in place. */
export class AddedNote {
  /** @param {unknown[]} list */
  constructor(list) {
    this.list = list;
  }

  undo() {
    this.list.pop();
  }
}

const parkedForms = /** @type {const} */ ([
  ['body', text],
  ['slots', texts],
  ['result', orNone(text)],
  ['cause', count],
  ['place of the cause', whole],
]);

/** @type {import('./journal.js').Codec<ParkedMessage>} */
export const parkedCodec = Object.freeze({
  prefix: 'parked.',
  format: ({ methargs: { body, slots }, result, causeNumber, causePlace }) =>
    JSON.stringify([body, slots, result, causeNumber, causePlace]),
  parse: written => {
    const [body, slots, result, causeNumber, causePlace] = parseList(written, parkedForms);
    return { methargs: { body, slots }, result, causeNumber, causePlace };
  },
});

/** @type {import('./journal.js').Codec<number>} */
export const subscriberCodec = Object.freeze({
  prefix: 'subscriber.',
  format: String,
  parse: parseCount,
});

/** @type {import('./journal.js').Codec<true>} */
export const suspectCodec = Object.freeze({
  prefix: 'suspect.',
  format: () => '',
  parse: () => true,
});

/**
 * The key of a parked message.
 *
 * @param {string} kref
 * @param {number} place  0 for the first message
 */
export const keyOfParked = (kref, place) => `${kref}.${String(place).padStart(placeDigits, '0')}`;

/**
 * The key of a subscriber that is not in the promise's row.
 *
 * @param {string} kref
 * @param {string} vatId
 */
export const keyOfSubscriber = (kref, vatId) => `${kref}.${vatId}`;

/** @param {string} key  of a parked message or a subscriber */
export const krefOf = key => key.slice(0, key.indexOf('.'));

/**
 * A promise as JSON. Formatted by hand for speed, since a result that the host holds is written in every block.
 *
 * @param {PromiseRow} row
 */
const formatPromise = ({ state, refCount, isUncounted, decider, subscribers, data }) => {
  const dataText =
    data === null ? 'null' : `{"body":${formatBody(data.body)},"slots":${formatList(data.slots)}}`;
  // `parkedRefs` follows from the parked messages.
  const uncounted = isUncounted ? '"isUncounted":true,' : '';
  return `{"state":"${state}","refCount":${refCount},${uncounted}"decider":"${decider}","subscribers":${formatFirst(subscribers)},"data":${dataText}}`;
};

const promiseForms = Object.freeze({
  state: oneOf(['unresolved', 'presence', 'data', 'rejected']),
  refCount: count,
  isUncounted: orAbsent(flag),
  decider: text,
  subscribers: texts,
  data: orNone(capData),
});

/** @type {import('./journal.js').Codec<PromiseRow>} */
export const promiseCodec = Object.freeze({
  prefix: 'p.',
  format: formatPromise,
  parse: (written, kref) => {
    const row = Object.assign(new PromiseRow(kref), parseFields(written, promiseForms));
    if ((row.state === 'unresolved') !== (row.data === null))
      throw Error('it must have data once it is settled, and none before');
    return row;
  },
});

/** @param {readonly string[]} subscribers */
const formatFirst = subscribers =>
  formatList(
    subscribers.length <= fewSubscribers ? subscribers : subscribers.slice(0, fewSubscribers),
  );

/** Most results have the same body, so the last one is cached. */
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

/**
 * The marked rows without repetition. A row that was marked more than once stays at its last mark, since a row that was
 * loaded meanwhile has only that one.
 *
 * @param {readonly PromiseRow[]} marked
 * @returns {PromiseRow[]} each of them once
 */
export const lastOfEach = marked => {
  if (marked.length === 1) return [marked[0]];
  /** @type {Set<PromiseRow>} */
  const found = new Set();
  for (let i = marked.length - 1; i >= 0; i -= 1) found.add(marked[i]);
  return Array.from(found).reverse();
};
