// A c-list: the bijection between krefs and the vrefs of one vat (or device), which is all that the vat can reach. An
// entry is added when a reference first goes into the vat or comes out of it.

import {
  ChurnMap,
  Fail,
  isAllocatedByVat,
  isObjectKref,
  isPromiseKref,
  isVref,
  keepShape,
  numberOfId,
  RefMap,
  withLast,
} from '#model';
import { Table } from './journal.js';
import { isKref, readRow } from './row-fields.js';
import { countVref, nextNumber, nextVref, Numbering, numberingCodec } from './vref-numbers.js';

/** @import { Counters } from './counters.js' */
/** @import { Holders } from './holders.js' */
/** @import { Journal } from './journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */
/** @import { PromiseKeeper } from './promises.js' */
/** @import { PromiseRow } from './promise-row.js' */
/** @import { VatParts } from './vats.js' */

/**
 * An entry. It serves as its own note in the journal: it is either listed or not, so undoing a change is the opposite
 * change.
 */
export class Pair {
  /** Whether it is in the c-list now. */
  isListed = false;

  /** Changed since the last commit. */
  isDirty = false;

  /** Whether the store has it. */
  isStored = false;

  /**
   * For an import: whether the vat reaches the object; otherwise it only recognises it. For an export: whether the vat
   * has not been told yet that nobody reaches it.
   */
  isReachable = true;

  /**
   * The entry of an object in the c-list of its own vat, cached by the first look-up. That entry may have been deleted
   * since.
   *
   * @type {Pair | null}
   */
  home = null;

  /**
   * @param {CList} clist
   * @param {string} kref
   * @param {string} vref
   * @param {PromiseRow | null} promise  the row, if the kref is a promise's
   */
  constructor(clist, kref, vref, promise) {
    this.clist = clist;
    this.kref = kref;
    this.vref = vref;
    this.promise = promise;
  }

  undo() {
    if (this.isListed) this.clist.remove(this);
    else this.clist.insert(this);
  }
}

/** Undoes a change of an entry's reachability. */
class ReachNote {
  /** @param {Pair} pair */
  constructor(pair) {
    this.pair = pair;
  }

  undo() {
    this.pair.clist.turn(this.pair);
  }
}

keepShape(new ReachNote(new Pair(/** @type {any} */ ({}), '', '', null)));

/** @type {readonly never[]} */
const none = Object.freeze([]);

/** In the store, the suffix to the kref of an entry that is only recognised. */
const unreachableMark = ' -';

/** @param {Readonly<Pair>} pair */
const formatPair = ({ kref, isReachable }) => (isReachable ? kref : kref + unreachableMark);

/** C-lists that a block has changed, in the order of their first changes. */
export class ChangedLists {
  /** @type {readonly CList[]} */
  #lists = none;

  /** @param {CList} clist */
  add(clist) {
    this.#lists = withLast(this.#lists, clist);
  }

  /** @returns {readonly CList[]} those since the last call */
  take() {
    const lists = this.#lists;
    this.#lists = none;
    return lists;
  }
}

// eslint-disable-next-line house/max-class-lines -- one table: every method keeps both directions, the numbers and what has changed in step
export class CList {
  #prefix;

  #journal;

  #promises;

  #counters;

  #at;

  #changed;

  #holders;

  /** Whether the list is in `#changed`. */
  #isChanged = false;

  /** @type {Pair[]} changed since the last commit, in the order of their first change */
  #dirty = [];

  /** The last entry looked up, cached, since it is nearly always looked up again. */
  #last;

  /**
   * @param {string} id  vat or device id
   * @param {Journal} journal
   * @param {PromiseKeeper} promises
   * @param {Counters} counters
   * @param {boolean} counted  whether the entries count as `clistEntries`: those of a vat do, those of a device do not
   * @param {ChangedLists} [changed]  the list adds itself here at its first change in a block
   * @param {Holders | null} [holders]  gets each change of an object's entry; null where objects are not collected
   */
  constructor(
    id,
    journal,
    promises,
    counters,
    counted,
    changed = new ChangedLists(),
    holders = null,
  ) {
    this.#changed = changed;
    this.#holders = holders;
    /** Whether imports keep objects alive: an ended vat's do not. */
    this.isHolding = true;
    this.#prefix = `c.${id}.`;
    this.#journal = journal;
    this.#promises = promises;
    this.#counters = counters;
    this.#at = counted ? counters.find('clistEntries') : -1;
    this.#last = new Pair(this, '', '', null);
    /** @type {RefMap<Pair>} all entries by vref; changed only in this class */
    this.byVref = new RefMap('vref');
    /** @type {ChurnMap<string, Pair>} entries of objects and devices by kref; changed only in this class */
    this.byKref = new ChurnMap();
    /** @type {VatParts | undefined} the parts of the list's vat or device */
    this.parts = undefined;
    /** @type {Table<Numbering>} one row */
    this.numbering = new Table(journal, numberingCodec(`n.${id}.`));
  }

  /** Sets up the numbering of a new vat's list. */
  initialise() {
    this.#noteChange();
    this.numbering.set('', new Numbering());
  }

  /** The number of entries. */
  get size() {
    return this.byVref.size;
  }

  /**
   * All entries, objects before promises, in the order of their numbers (`RefMap`). The caller may delete entries
   * meanwhile.
   *
   * @returns {readonly Readonly<Pair>[]}
   */
  pairs() {
    return this.byVref.values();
  }

  /** @param {string} vref */
  findKref(vref) {
    if (this.#last.vref === vref && this.#last.isListed) return this.#last.kref;
    const pair = this.byVref.get(vref);
    if (pair === undefined) return undefined;
    this.#last = pair;
    return pair.kref;
  }

  /** @param {string} kref */
  findVref(kref) {
    return this.#find(kref)?.vref;
  }

  /** @param {string} kref */
  #find(kref) {
    if (this.#last.kref === kref && this.#last.isListed) return this.#last;
    const pair = isPromiseKref(kref)
      ? this.#promises.find(kref)?.findPair(this)
      : this.byKref.get(kref);
    if (pair !== undefined) this.#last = pair;
    return pair;
  }

  /**
   * @param {string} kref
   * @param {string} vref
   * @param {PromiseRow | null} [promise]  the row, if the kref is a promise's
   */
  add(kref, vref, promise = this.#findPromise(kref)) {
    const pair = new Pair(this, kref, vref, promise);
    if (!this.#journal.isCertain) this.#journal.note(pair);
    this.insert(pair);
    this.#last = pair;
    if (promise !== null) this.#promises.retain(promise);
    this.#counters.inc(this.#at);
    return pair;
  }

  /** @param {string} kref */
  #findPromise(kref) {
    return isPromiseKref(kref) ? this.#promises.require(kref) : null;
  }

  /** @param {string} kref  in the list */
  delete(kref) {
    this.deletePair(this.#find(kref) ?? Fail`${kref} is not in the c-list`);
  }

  /** @param {Readonly<Pair>} pair  in the list */
  deletePair(pair) {
    if (!this.#journal.isCertain) this.#journal.note(pair);
    this.remove(pair);
    if (pair.promise !== null) this.#promises.release(pair.promise);
    this.#counters.dec(this.#at);
  }

  /**
   * The entry of a vref.
   *
   * @param {string} vref
   * @returns {Pair | undefined}
   */
  findPair(vref) {
    if (this.#last.vref === vref && this.#last.isListed) return this.#last;
    const pair = this.byVref.get(vref);
    if (pair !== undefined) this.#last = pair;
    return pair;
  }

  /**
   * @param {string} kref
   * @returns {Readonly<Pair> | undefined}
   */
  findPairOf(kref) {
    return this.#find(kref);
  }

  /**
   * @param {Readonly<Pair>} pair  in the list
   * @param {boolean} isReachable
   */
  setReachable(pair, isReachable) {
    if (pair.isReachable === isReachable) return;
    if (!this.#journal.isCertain) this.#journal.note(new ReachNote(pair));
    this.turn(pair);
  }

  /**
   * Toggles reachability. For the journal, so it makes no note.
   *
   * @param {Pair} pair
   */
  turn(pair) {
    pair.isReachable = !pair.isReachable;
    // Only entries of objects are toggled.
    if (this.#holders !== null) this.#holders.turn(pair);
    this.#soil(pair);
  }

  /** @param {string} kref */
  isReachable(kref) {
    return this.#find(kref)?.isReachable === true;
  }

  /**
   * Adds an entry. For the journal, so it makes no note.
   *
   * @param {Pair} pair
   */
  insert(pair) {
    pair.isListed = true;
    this.byVref.set(pair.vref, pair);
    if (pair.promise === null) {
      this.byKref.set(pair.kref, pair);
      if (this.#holders !== null && isObjectKref(pair.kref)) this.#holders.add(pair);
    } else pair.promise.addPair(pair);
    this.#soil(pair);
  }

  /**
   * Removes an entry. For the journal, so it makes no note.
   *
   * @param {Pair} pair
   */
  remove(pair) {
    pair.isListed = false;
    this.byVref.delete(pair.vref);
    if (pair.promise === null) {
      this.byKref.delete(pair.kref);
      if (this.#holders !== null && isObjectKref(pair.kref)) this.#holders.remove(pair);
    } else pair.promise.deletePair(pair);
    this.#soil(pair);
  }

  /** @param {Pair} pair */
  #soil(pair) {
    if (pair.isDirty) return;
    pair.isDirty = true;
    this.#dirty.push(pair);
    this.#noteChange();
  }

  /** Notes that entries or numbers change in this block. */
  #noteChange() {
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#changed.add(this);
  }

  /**
   * The vref of a kref, allocated and added if the list lacks it. The vat reaches it from now on.
   *
   * @param {string} kref
   */
  provideVref(kref) {
    const known = this.#find(kref);
    if (known !== undefined) {
      if (!known.isReachable) this.setReachable(known, true);
      return known.vref;
    }
    const row = this.#changeNumbering();
    const vref = nextVref(kref, row);
    this.add(kref, vref);
    return vref;
  }

  /**
   * Gives a kref the vref that was planned for it (vref-planner.js), the same that `provideVref` would give.
   *
   * @param {string} kref
   * @param {string} vref
   */
  takeVref(kref, vref) {
    const row = this.requireNumbering();
    if (isAllocatedByVat(vref) || numberOfId(vref) !== nextNumber(kref, row)) {
      // The entry exists, and is reached again.
      const known = this.provideVref(kref);
      known === vref || Fail`${kref} is called ${known}, not ${vref}`;
      return;
    }
    this.#changeNumbering();
    countVref(kref, row);
    this.add(kref, vref);
  }

  /**
   * Adds a promise that the list lacks.
   *
   * @param {PromiseRow} promise
   * @param {string} vref
   */
  takePromise(promise, vref) {
    const row = this.#changeNumbering();
    row.nextPromise += 1;
    this.add(promise.kref, vref, promise);
  }

  /** The number of objects imported since `noteImports`. */
  get newImports() {
    const { nextObject, seenObjects } = this.requireNumbering();
    return nextObject - seenObjects;
  }

  /** Restarts the count of imports, when the vat is asked for its dead references. */
  noteImports() {
    if (this.newImports === 0) return;
    const row = this.#changeNumbering();
    row.seenObjects = row.nextObject;
  }

  #changeNumbering() {
    const row = this.requireNumbering();
    this.#noteChange();
    this.numbering.touch(row);
    return row;
  }

  /** @param {string} kref  in the list */
  requireVref(kref) {
    return this.findVref(kref) ?? Fail`${kref} is not in the c-list`;
  }

  requireNumbering() {
    return this.numbering.get('') ?? Fail`a c-list has no numbering`;
  }

  /**
   * In the store an entry is its kref under its vref.
   *
   * @param {Batch['puts']} puts
   */
  collect(puts) {
    this.#isChanged = false;
    this.numbering.collect(puts);
    const dirty = this.#dirty;
    if (dirty.length === 0) return;
    // A vref may have changed its kref in this block: the new entry comes later, and its put wins.
    for (let i = 0; i < dirty.length; i += 1) {
      const pair = dirty[i];
      pair.isDirty = false;
      if (pair.isListed) puts.set(this.#prefix + pair.vref, formatPair(pair));
      else if (pair.isStored) puts.set(this.#prefix + pair.vref, undefined);
      pair.isStored = pair.isListed;
    }
    this.#dirty = [];
  }

  /** Everything as a commit would write it. @returns {Generator<[key: string, text: string]>} */
  *written() {
    yield* this.numbering.written();
    for (const pair of this.pairs()) yield [this.#prefix + pair.vref, formatPair(pair)];
  }

  /** @param {string} vref @param {string} text */
  #readPair(vref, text) {
    const isReachable = !text.endsWith(unreachableMark);
    const kref = isReachable ? text : text.slice(0, -unreachableMark.length);
    if (!isVref(vref)) throw Error('its key ends with no vref');
    if (!isKref(kref) || kref[1] !== vref[0]) throw Error('it must hold a kref of the same type');
    if (this.#find(kref) !== undefined) throw Error(`${kref} has another vref, too`);
    const pair = new Pair(this, kref, vref, this.#findPromise(kref));
    pair.isReachable = isReachable;
    return pair;
  }

  /** @param {KernelStore} store */
  load(store) {
    this.numbering.load(store);
    for (const [key, text] of store.entries(this.#prefix)) {
      const pair = readRow(key, () => this.#readPair(key.slice(this.#prefix.length), text));
      this.insert(pair);
      pair.isDirty = false;
      pair.isStored = true;
    }
    this.#dirty = [];
    this.#isChanged = false;
  }

  /**
   * Remove an entry without changing counters and reference counts, as SwingSet of 2020 did when a vat ended.
   *
   * @param {string} kref  in the list
   */
  forget(kref) {
    const pair = this.#find(kref) ?? Fail`${kref} is not in the c-list`;
    if (!this.#journal.isCertain) this.#journal.note(pair);
    this.remove(pair);
  }

  /** Deletes the numbering, as the last step of a vat's end when no entry is left. */
  close() {
    this.#noteChange();
    this.numbering.delete('');
  }
}
