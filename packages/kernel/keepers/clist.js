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
    return new SavedNumbering(this);
  }
}

/** A numbering as it was. */
class SavedNumbering {
  /** @param {Numbering} row */
  constructor(row) {
    this.row = row;
    this.nextObject = row.nextObject;
    this.nextPromise = row.nextPromise;
    this.nextDevice = row.nextDevice;
  }

  undo() {
    this.row.nextObject = this.nextObject;
    this.row.nextPromise = this.nextPromise;
    this.row.nextDevice = this.nextDevice;
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
    const row = this.requireNumbering();
    this.numbering.touch(row);
    const vref = nextVref(kref, row);
    this.add(kref, vref);
    return vref;
  }

  requireNumbering() {
    return this.numbering.get('') ?? Fail`a c-list has no numbering`;
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

  get size() {
    return this.krefs.size;
  }

  /** @returns {Iterable<[vref: string, kref: string]>} in no order that may show */
  entries() {
    return this.krefs.entries();
  }

  /**
   * Take an entry out and leave counter and references as they are, as 2020 did when a vat ended.
   *
   * @param {string} kref  in the list
   */
  forget(kref) {
    this.krefs.delete(this.requireVref(kref));
    this.vrefs.delete(kref);
  }

  /** The last step of a vat's end, when no entry is left. */
  close() {
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

/** So many new references in one delivery are found by looking through them; more get an index. */
const fewFresh = 16;

/**
 * Works out the vrefs that a delivery will have without touching the c-list, so that an item can be begun before
 * earlier ones are applied. Applying it calls `provideVref` for the same krefs in the same order, which gives the
 * same vrefs, since nothing else changes a list whose vat is busy. One planner serves all deliveries, one at a time.
 */
export class VrefPlanner {
  /** @type {CList | undefined} */
  #clist;

  #numbers = { nextObject: 0, nextPromise: 0, nextDevice: 0 };

  /** @type {string[]} krefs that the list lacks, in the order in which they were asked for */
  #fresh = noSlots;

  /** @type {string[]} what they will be called */
  #vrefs = noSlots;

  /** @type {Map<string, string> | undefined} */
  #index;

  /** @param {CList} clist  of the vat that the next references are for */
  begin(clist) {
    this.#clist = clist;
    this.#fresh = noSlots;
  }

  /** @param {string} kref */
  vrefOf(kref) {
    const clist = this.#clist ?? Fail`a planner was not begun`;
    return clist.findVref(kref) ?? this.#findFresh(kref) ?? this.#allocate(clist, kref);
  }

  /** @param {readonly string[]} krefs */
  vrefsOf(krefs) {
    if (krefs.length === 0) return noSlots;
    return krefs.map(kref => this.vrefOf(kref));
  }

  /** Krefs that are new to the list, in the order in which they were asked for. */
  get fresh() {
    return this.#fresh;
  }

  /** @param {string} kref */
  #findFresh(kref) {
    if (this.#fresh.length > fewFresh) return this.#index?.get(kref);
    const at = this.#fresh.indexOf(kref);
    return at < 0 ? undefined : this.#vrefs[at];
  }

  /**
   * @param {CList} clist
   * @param {string} kref
   */
  #allocate(clist, kref) {
    const numbers = this.#numbers;
    if (this.#fresh.length === 0) {
      const { nextObject, nextPromise, nextDevice } = clist.requireNumbering();
      numbers.nextObject = nextObject;
      numbers.nextPromise = nextPromise;
      numbers.nextDevice = nextDevice;
      this.#fresh = [];
      this.#vrefs = [];
    }
    const vref = nextVref(kref, numbers);
    this.#fresh.push(kref);
    this.#vrefs.push(vref);
    if (this.#fresh.length === fewFresh + 1) {
      this.#index = new Map(this.#fresh.map((fresh, i) => [fresh, this.#vrefs[i]]));
    } else if (this.#fresh.length > fewFresh) {
      this.#index?.set(kref, vref);
    }
    return vref;
  }
}

/** @type {string[]} */
const noSlots = [];
Object.freeze(noSlots);
