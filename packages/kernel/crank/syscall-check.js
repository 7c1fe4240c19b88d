// Whether what a vat asks for can be written to the tables without a way back: a few sends, subscriptions and settled
// promises, of which none breaks a rule even if those before it have been applied. Nothing is changed here. It may say no
// of some that break none either; what it says yes to must never fail (message-lane.js).

import { isAllocatedByVat, isDeviceKref, isVref, typeOfVref } from '#model';
import { maxTextLength } from '../limits.js';

/** @import { CapData, Syscall } from '#model' */
/** @import { Pair } from '../keepers/clist.js' */
/** @import { VatParts } from '../keepers/vats.js' */

/** So many syscalls, names of one, or new names are looked through; for more the answer is no. */
const most = 32;

/** @type {readonly never[]} */
const none = Object.freeze([]);

export class SyscallCheck {
  /** @type {VatParts | null} of the vat that asks */
  #parts = null;

  /** @type {readonly string[]} vrefs that the delivery adds to its c-list; none of them is a device's */
  #fresh = none;

  /** The message's result, which the vat decides from now on. @type {string | null} */
  #result = null;

  /** @type {string[]} vrefs that have left the c-list by the syscall that is looked at */
  #gone = [];

  /** @type {string[]} vrefs that the vat has allocated, and are in it by then */
  #made = [];

  /**
   * The entries of what the syscalls name, in their order; undefined where there is none yet. The list is used again and
   * again.
   *
   * @type {(Pair | undefined)[]}
   */
  #named = [];

  /** How many of them there are, or have been given. */
  #count = 0;

  /**
   * @param {VatParts} parts  of the vat
   * @param {readonly Syscall[]} syscalls
   * @param {readonly string[]} fresh  vrefs that the delivery adds to its c-list; none of them is a device's
   * @param {string | null} result  vref of the message's result, which the vat decides from now on
   * @param {string | null} gone  vref that the delivery takes out of its c-list
   */
  areSafe(parts, syscalls, fresh, result, gone) {
    if (syscalls.length > most || fresh.length > most) return false;
    this.#parts = parts;
    this.#fresh = fresh;
    this.#result = result;
    if (this.#gone.length > 0) this.#gone = [];
    if (this.#made.length > 0) this.#made = [];
    this.#count = 0;
    if (gone !== null) this.#gone.push(gone);
    for (let i = 0; i < syscalls.length; i += 1) if (!this.#isSafe(syscalls[i])) return false;
    return true;
  }

  /** From now on `next` and `nextKnown` give the entries from the first on, as the syscalls name them. */
  rewind() {
    this.#count = 0;
  }

  /**
   * The entry of the next name, now that there is one.
   *
   * @param {string} vref
   * @returns {Pair}
   */
  next(vref) {
    const pair = this.nextKnown() ?? /** @type {VatParts} */ (this.#parts).clist.findPair(vref);
    return /** @type {Pair} */ (pair);
  }

  /** The same, if there was one before. */
  nextKnown() {
    const at = this.#count;
    this.#count = at + 1;
    return this.#named[at];
  }

  /**
   * The entry of a name, if there is one already.
   *
   * @param {string} vref
   */
  #look(vref) {
    const pair = /** @type {VatParts} */ (this.#parts).clist.findPair(vref);
    const at = this.#count;
    if (at === this.#named.length) this.#named.push(pair);
    else this.#named[at] = pair;
    this.#count = at + 1;
    return pair;
  }

  /** @param {Syscall} syscall */
  #isSafe(syscall) {
    switch (syscall[0]) {
      case 'send': {
        const vref = syscall[1];
        const pair = this.#look(vref);
        if (pair === undefined ? !this.#isNew(vref) : !pair.isReachable || isDeviceKref(pair.kref))
          return false;
        if (this.#gone.includes(vref) || !this.#canSay(syscall[2])) return false;
        const result = syscall[3];
        return result === null || this.#canMake(result);
      }
      case 'subscribe': {
        const vref = syscall[1];
        const pair = this.#look(vref);
        // A name that the delivery brought is not in the c-list yet, and may be gone already.
        if (this.#gone.includes(vref)) return false;
        if (pair === undefined) return typeOfVref(vref) === 'promise' && this.#isNew(vref);
        return pair.promise !== null;
      }
      case 'resolve': {
        if (syscall[1].length !== 1) return false;
        const vref = syscall[1][0][0];
        const promise = this.#look(vref)?.promise;
        if (vref !== this.#result) {
          if (promise?.state !== 'unresolved') return false;
          if (promise.decider !== this.#parts?.id) return false;
        }
        if (this.#gone.includes(vref) || !this.#canSay(syscall[1][0][2])) return false;
        this.#gone.push(vref);
        return true;
      }
      default:
        return false;
    }
  }

  /**
   * Whether a name that the c-list lacks is in it when the syscall comes that is looked at. None of them is a device's.
   *
   * @param {string} vref
   */
  #isNew(vref) {
    return this.#made.includes(vref) || this.#fresh.includes(vref);
  }

  /**
   * Whether a new promise of the vat's can have this name.
   *
   * @param {string} vref
   */
  #canMake(vref) {
    const { clist } = /** @type {VatParts} */ (this.#parts);
    if (clist.findPair(vref) !== undefined || this.#made.includes(vref)) return false;
    if (!isAllocatedByVat(vref) || !isVref(vref) || typeOfVref(vref) !== 'promise') return false;
    this.#made.push(vref);
    return this.#made.length <= most;
  }

  /**
   * Whether the vat can say this: name all that it names, which may make them.
   *
   * @param {CapData} data
   */
  #canSay({ body, slots: vrefs }) {
    if (vrefs.length > most || body.length > maxTextLength) return false;
    for (let i = 0; i < vrefs.length; i += 1) {
      const vref = vrefs[i];
      if (this.#gone.includes(vref)) return false;
      const pair = this.#look(vref);
      if (pair !== undefined) {
        if (!pair.isReachable) return false;
      } else if (!this.#isNew(vref)) {
        if (!isAllocatedByVat(vref) || !isVref(vref) || typeOfVref(vref) === 'device') return false;
        this.#made.push(vref);
        if (this.#made.length > most) return false;
      }
    }
    return true;
  }
}
