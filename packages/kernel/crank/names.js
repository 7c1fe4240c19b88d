// Maps the references of a crank to their meaning at each syscall: the c-list with the changes of the delivery and of
// the syscalls before. Nothing is changed here. A new export already gets its kref, the next free one, since no other
// crank allocates krefs until this one is written.

import { decimal, isDeviceKref, isObjectKref, isPromiseKref, keepShape } from '#model';
import { figure } from '../tables/figures.js';

/** @import { Pair } from '../tables/clist.js' */
/** @import { PromiseRow } from '../tables/promise-row.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */

/** Up to this many names are searched one by one; more are indexed by a map. */
const few = 16;

/** @type {any} */
const none = Object.freeze([]);

/**
 * A delivery's changes to the c-list of its vat, if they have not been written yet.
 *
 * @typedef {object} Arrival
 * @property {readonly string[]} fresh  krefs that the vat reaches from now on
 * @property {readonly string[]} freshVrefs  their vrefs, in the same order
 * @property {string | null} result  vref of the message's result, which the vat decides from now on
 * @property {readonly string[]} gone  vrefs that the delivery takes out of the c-list
 */

/** @type {Arrival} */
export const nothingArrives = Object.freeze({
  fresh: none,
  freshVrefs: none,
  result: null,
  gone: none,
});

/** The meaning of a vref at some point of a crank. */
export class Name {
  /** The kref, or the kref that it will get: empty while the c-list lacks it. */
  kref = '';

  /** Its entry in the c-list; undefined until the crank is written if the crank adds it. @type {Pair | undefined} */
  pair = undefined;

  /** Whether the c-list has it. */
  isListed = false;

  isReachable = true;

  isObject = false;

  isPromise = false;

  isSettled = false;

  /** For an unresolved promise: whether the vat decides it. */
  isMine = false;

  /** Whether a syscall has named it. */
  isUsed = false;

  /**
   * @param {string} vref
   * @param {Name | null} before  the name that was looked at before it
   */
  constructor(vref, before) {
    this.vref = vref;
    this.before = before;
  }
}

keepShape(new Name('', null));

export class Names {
  #state;

  /** @type {VatParts | undefined} */
  #parts;

  #arrival = nothingArrives;

  /** @type {Map<string, number> | null} indexes in the arrival's `fresh`, if that is long */
  #freshIndex = null;

  /** @type {Set<string> | null} the arrival's `gone`, if that is long */
  #goneIndex = null;

  /** The name that was looked at last. Those before it follow from it. @type {Name | null} */
  #newest = null;

  #count = 0;

  /** @type {Map<string, Name> | null} by vref, if there are more than a few names */
  #index = null;

  /** The numbers of the next exports; -1 before the first export. */
  #nextObject = -1;

  #nextPromise = -1;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
  }

  /**
   * Starts a new crank.
   *
   * @param {VatParts} parts  of its vat
   * @param {Arrival} arrival
   */
  begin(parts, arrival) {
    this.#nextObject = -1;
    this.#nextPromise = -1;
    this.#parts = parts;
    this.#arrival = arrival;
    this.#freshIndex = null;
    this.#goneIndex = null;
    this.#index = null;
    this.#newest = null;
    this.#count = 0;
  }

  /**
   * Adds an export of the vat.
   *
   * @param {Name} known  the present meaning of its vref
   * @param {boolean} isPromise
   */
  export(known, isPromise) {
    const name = known.isUsed ? this.#replace(known) : known;
    name.pair = undefined;
    name.isListed = true;
    name.isReachable = true;
    name.isPromise = isPromise;
    name.isObject = !isPromise;
    name.isMine = isPromise;
    name.isSettled = false;
    const { numbers } = this.#state.figures;
    if (isPromise) {
      if (this.#nextPromise < 0) this.#nextPromise = numbers[figure.nextPromise];
      name.kref = `kp${decimal(this.#nextPromise)}`;
      this.#nextPromise += 1;
    } else {
      if (this.#nextObject < 0) this.#nextObject = numbers[figure.nextObject];
      name.kref = `ko${decimal(this.#nextObject)}`;
      this.#nextObject += 1;
    }
    return name;
  }

  /**
   * Maps a vref to its present meaning.
   *
   * @param {string} vref
   * @returns {Name}
   */
  look(vref) {
    if (this.#index !== null) return this.#index.get(vref) ?? this.#add(vref);
    for (let name = this.#newest; name !== null; name = name.before)
      if (name.vref === vref) return name;
    return this.#add(vref);
  }

  /** @param {string} vref */
  #add(vref) {
    const name = new Name(vref, this.#newest);
    this.#find(name, vref);
    return this.#remember(name);
  }

  /** @param {Name} name  the newest meaning of its vref */
  #remember(name) {
    this.#newest = name;
    this.#count += 1;
    if (this.#index !== null) this.#index.set(name.vref, name);
    else if (this.#count > few) this.#index = this.#makeIndex();
    return name;
  }

  /** @returns {Map<string, Name>} */
  #makeIndex() {
    const index = new Map();
    // A newer name of a vref comes first.
    for (let name = this.#newest; name !== null; name = name.before)
      if (!index.has(name.vref)) index.set(name.vref, name);
    return index;
  }

  /**
   * Gives a vref a new meaning from here on. The former one is kept, since it is still to be written.
   *
   * @param {Name} before
   */
  #replace(before) {
    return this.#remember(new Name(before.vref, this.#newest));
  }

  /**
   * The meaning of a vref once the delivery has arrived.
   *
   * @param {Name} name
   * @param {string} vref
   */
  #find(name, vref) {
    if (this.#isGone(vref)) return;
    const { clist } = /** @type {VatParts} */ (this.#parts);
    const pair = clist.findPair(vref);
    if (pair !== undefined) {
      name.pair = pair;
      this.#describe(name, pair.kref, pair.promise);
      name.isReachable = pair.isReachable || this.#isFresh(vref);
      return;
    }
    const place = this.#placeOf(vref);
    if (place < 0) return;
    const kref = this.#arrival.fresh[place];
    const promise = isPromiseKref(kref) ? this.#state.promises.require(kref) : null;
    this.#describe(name, kref, promise);
  }

  /**
   * @param {Name} name
   * @param {string} kref
   * @param {PromiseRow | null} promise
   */
  #describe(name, kref, promise) {
    name.kref = kref;
    name.isListed = true;
    name.isPromise = promise !== null;
    name.isObject = promise === null && !isDeviceKref(kref) && isObjectKref(kref);
    name.isSettled = promise !== null && promise.state !== 'unresolved';
    name.isMine =
      promise !== null &&
      !name.isSettled &&
      (name.vref === this.#arrival.result || promise.decider === this.#parts?.id);
  }

  /** @param {string} vref */
  #isFresh(vref) {
    return this.#placeOf(vref) >= 0;
  }

  /** @param {string} vref */
  #placeOf(vref) {
    const { freshVrefs } = this.#arrival;
    if (freshVrefs.length === 0) return -1;
    if (freshVrefs.length <= few) return freshVrefs.indexOf(vref);
    this.#freshIndex ??= new Map(freshVrefs.map((fresh, i) => [fresh, i]));
    return this.#freshIndex.get(vref) ?? -1;
  }

  /** @param {string} vref */
  #isGone(vref) {
    const { gone } = this.#arrival;
    if (gone.length === 0) return false;
    if (gone.length <= few) return gone.includes(vref);
    this.#goneIndex ??= new Set(gone);
    return this.#goneIndex.has(vref);
  }
}
