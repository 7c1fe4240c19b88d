// A c-list: the bijection between krefs and the vrefs of one vat (or device), which is all that the vat can
// reach. Entries are added when a reference first crosses the border, in either direction.

import { Fail, isDeviceKref, isPromiseKref } from '#model';
import { Row, Table } from '../journal.js';

/** @import { Counters } from '../counters.js' */
/** @import { Journal } from '../journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */
/** @import { PromiseKeeper } from './promises.js' */

/** The next numbers of the references that the kernel allocates in a vat; the first are SwingSet's. */
class Numbering extends Row {
  nextObject = 50;

  nextPromise = 60;

  nextDevice = 70;

  save() {
    const { nextObject, nextPromise, nextDevice } = this;
    return { nextObject, nextPromise, nextDevice };
  }
}

export class CList {
  #promises;

  #counters;

  #at;

  /**
   * @param {string} id  vat or device id
   * @param {Journal} journal
   * @param {PromiseKeeper} promises
   * @param {Counters} counters
   * @param {boolean} counted  whether the pairs count as `clistEntries`: a vat's do, a device's do not
   */
  constructor(id, journal, promises, counters, counted) {
    this.#promises = promises;
    this.#counters = counters;
    this.#at = counted ? counters.find('clistEntries') : -1;
    /** @type {Table<string>} vref → kref; this is what the store keeps */
    this.krefs = new Table(journal, {
      prefix: `c.${id}.`,
      format: kref => kref,
      parse: kref => kref,
    });
    /** @type {Table<string>} kref → vref */
    this.vrefs = new Table(journal);
    /** @type {Table<Numbering>} one row */
    this.numbering = new Table(journal, {
      prefix: `n.${id}.`,
      format: ({ nextObject, nextPromise, nextDevice }) =>
        `${nextObject} ${nextPromise} ${nextDevice}`,
      parse: text => {
        const [nextObject, nextPromise, nextDevice] = text.split(' ').map(Number);
        return Object.assign(new Numbering(), { nextObject, nextPromise, nextDevice });
      },
    });
  }

  /** For a new vat: an empty list and the first numbers. */
  initialise() {
    this.numbering.set('', new Numbering());
  }

  /** @param {string} vref */
  findKref(vref) {
    return this.krefs.get(vref);
  }

  /** @param {string} kref */
  findVref(kref) {
    return this.vrefs.get(kref);
  }

  /** @param {string} kref */
  requireVref(kref) {
    return this.vrefs.get(kref) ?? Fail`${kref} is not in the c-list`;
  }

  /**
   * @param {string} kref
   * @param {string} vref
   */
  add(kref, vref) {
    this.krefs.set(vref, kref);
    this.vrefs.set(kref, vref);
    this.#promises.addRef(kref);
    this.#counters.inc(this.#at);
  }

  /** @param {string} kref  in the list */
  delete(kref) {
    const vref = this.requireVref(kref);
    this.krefs.delete(vref);
    this.vrefs.delete(kref);
    this.#promises.dropRef(kref);
    this.#counters.dec(this.#at);
  }

  /**
   * The vref of a kref, allocated and entered if the list lacks it.
   *
   * @param {string} kref
   */
  provideVref(kref) {
    const known = this.vrefs.get(kref);
    if (known !== undefined) return known;
    const row = this.numbering.get('') ?? Fail`a c-list has no numbering`;
    this.numbering.touch(row);
    const vref = nextVref(kref, row);
    this.add(kref, vref);
    return vref;
  }

  /** A way to see which vrefs `provideVref` will give, without giving them. */
  plan() {
    return new CListPlan(this);
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.krefs.collect(puts);
    this.vrefs.collect(puts);
    this.numbering.collect(puts);
  }

  /** @param {KernelStore} store */
  load(store) {
    this.krefs.load(store);
    this.numbering.load(store);
    for (const [vref, kref] of this.krefs.entries()) this.vrefs.set(kref, vref);
  }

  /** Forget all entries, for a vat that has ended. The counter and the references stay, as they did in 2020. */
  clear() {
    for (const vref of [...this.krefs.keys()]) this.krefs.delete(vref);
    for (const kref of [...this.vrefs.keys()]) this.vrefs.delete(kref);
    this.numbering.delete('');
  }
}

/**
 * @param {string} kref
 * @param {{ nextObject: number, nextPromise: number, nextDevice: number }} numbers  counted up
 */
const nextVref = (kref, numbers) => {
  if (isPromiseKref(kref)) {
    numbers.nextPromise += 1;
    return `p-${numbers.nextPromise - 1}`;
  }
  if (isDeviceKref(kref)) {
    numbers.nextDevice += 1;
    return `d-${numbers.nextDevice - 1}`;
  }
  numbers.nextObject += 1;
  return `o-${numbers.nextObject - 1}`;
};

/**
 * The vrefs that a delivery will have, worked out without touching the list, so that an item can be begun
 * before earlier ones are applied. Applying the item calls `provideVref` for the same krefs in the same order,
 * which gives the same vrefs, since nothing else changes a list whose vat is busy.
 */
class CListPlan {
  #clist;

  /** @type {{ nextObject: number, nextPromise: number, nextDevice: number } | undefined} */
  #numbers;

  /** @type {Map<string, string> | undefined} */
  #added;

  /** @type {string[] | undefined} */
  #fresh;

  /** Krefs that are new, in the order in which they were asked for. @returns {readonly string[]} */
  get fresh() {
    return this.#fresh ?? noSlots;
  }

  /** @param {CList} clist */
  constructor(clist) {
    this.#clist = clist;
  }

  /** @param {string} kref */
  vrefOf(kref) {
    const known = this.#clist.findVref(kref) ?? this.#added?.get(kref);
    if (known !== undefined) return known;
    this.#numbers ??= { ...(this.#clist.numbering.get('') ?? Fail`a c-list has no numbering`) };
    this.#added ??= new Map();
    const vref = nextVref(kref, this.#numbers);
    this.#added.set(kref, vref);
    if (this.#fresh === undefined) this.#fresh = [kref];
    else this.#fresh.push(kref);
    return vref;
  }

  /** @param {readonly string[]} krefs */
  vrefsOf(krefs) {
    if (krefs.length === 0) return noSlots;
    return krefs.map(kref => this.vrefOf(kref));
  }

  /** Enter what was planned. */
  apply() {
    const fresh = this.#fresh;
    if (fresh === undefined) return;
    for (let i = 0; i < fresh.length; i += 1) this.#clist.provideVref(fresh[i]);
  }
}

/** @type {string[]} */
const noSlots = [];
