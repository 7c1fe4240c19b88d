// Whether what a vat asks for breaks a rule. Nothing is changed here: each syscall is looked at as it will find the vat's
// c-list, with what the delivery and the syscalls before it change. So a crank is either written whole, without a way
// back (write.js), or nothing of it is. These are the rules of all syscalls, and the only place where they stand.

import {
  isAllocatedByVat,
  isDeviceKref,
  isObjectKref,
  isPromiseKref,
  isVref,
  quote,
  typeOfVref,
} from '#model';
import { figure } from '../tables/figures.js';
import { findTextProblem } from '../tables/vatstore.js';
import { findSizeProblem, quoteShort } from '../limits.js';
import { findStopProblem, findWriteProblem } from '../reactors/ports.js';

/** @import { CapData, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */

/** So many names are looked through one by one; for more there is a map. */
const few = 16;

/** So many are kept for the next crank. */
const pooled = 64;

/** @type {readonly never[]} */
const none = Object.freeze([]);

/**
 * What a delivery changes in the c-list of its vat, if that has not been written yet.
 *
 * @typedef {object} Arrival
 * @property {readonly string[]} fresh  krefs that the vat reaches from now on
 * @property {readonly string[]} freshVrefs  what they are called
 * @property {string | null} result  what the vat calls the message's result, which it decides from now on
 * @property {readonly string[]} gone  vrefs that the delivery takes out of the c-list
 */

/** @type {Arrival} */
export const nothingArrives = Object.freeze({
  fresh: none,
  freshVrefs: none,
  result: null,
  gone: none,
});

/** What a vref names at some point of a crank. */
export class Name {
  vref = '';

  /** Its entry when the crank is written; undefined for one that comes with it. @type {Pair | undefined} */
  pair = undefined;

  /** Whether the c-list has it. */
  isListed = false;

  isReachable = true;

  isObject = false;

  isPromise = false;

  isSettled = false;

  /** Of an unresolved promise: whether the vat decides it. */
  isMine = false;

  /** Whether a syscall has named it. */
  isUsed = false;
}

/**
 * Whether each stands behind the one before, longer ones behind shorter ones, as vats name them by their numbers: then all
 * are different.
 *
 * @param {readonly string[]} vrefs
 */
const ascends = vrefs => {
  for (let i = 1; i < vrefs.length; i += 1) {
    const before = vrefs[i - 1];
    const vref = vrefs[i];
    if (vref.length < before.length || (vref.length === before.length && vref <= before))
      return false;
  }
  return true;
};

/**
 * @param {readonly string[]} vrefs
 * @returns {string | undefined} one that is there twice
 */
const findTwice = vrefs => {
  if (ascends(vrefs)) return undefined;
  const seen = new Set();
  return vrefs.find(vref => seen.size === seen.add(vref).size);
};

export class Decider {
  #state;

  /** @type {VatParts | undefined} */
  #parts;

  #arrival = nothingArrives;

  /** @type {Map<string, number> | null} places in `fresh` of the arrival, if there are many */
  #freshIndex = null;

  /** @type {Set<string> | null} what the arrival takes out, if that is much */
  #goneIndex = null;

  /** @type {Name[]} all names that were looked at, used again with each crank */
  #names = [];

  #count = 0;

  /** @type {Map<string, Name> | null} of more than a few names */
  #index = null;

  /** @type {string | null} */
  #fault = null;

  /**
   * What the syscalls name, in the order in which it is mapped: of a send target, arguments, result; of a resolve each
   * promise and its data. The list is used again with each crank.
   *
   * @type {Name[]}
   */
  used = [];

  /** How many of them there are. */
  usedCount = 0;

  /** Whether all of it can be written; some values on ports may turn out to come too late only then. */
  isCertain = true;

  /** Whether the vat ends itself. */
  hasExit = false;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
  }

  /**
   * @param {VatParts} parts  of the vat that asks
   * @param {readonly Syscall[]} syscalls
   * @param {number} from  those before it were written before
   * @param {Arrival} arrival
   * @returns {string | null} the vat's fault, or null: then they can be written
   */
  decide(parts, syscalls, from, arrival) {
    this.#begin(parts, arrival);
    for (let i = from; i < syscalls.length; i += 1)
      if (!this.#decide(syscalls[i])) return this.#fault;
    return null;
  }

  /**
   * The same, of what is handed to a device.
   *
   * @param {VatParts} parts  of the vat
   * @param {CapData} args
   * @returns {string | null} the vat's fault
   */
  decideArguments(parts, args) {
    this.#begin(parts, nothingArrives);
    return this.#useAll(args) ? null : this.#fault;
  }

  /**
   * @param {VatParts} parts
   * @param {Arrival} arrival
   */
  #begin(parts, arrival) {
    // What was large is not kept.
    if (this.#names.length > pooled) this.#names.length = pooled;
    if (this.used.length > pooled) this.used.length = pooled;
    this.#parts = parts;
    this.#arrival = arrival;
    this.#freshIndex = null;
    this.#goneIndex = null;
    this.#index = null;
    this.#count = 0;
    this.usedCount = 0;
    this.#fault = null;
    this.isCertain = true;
    this.hasExit = false;
  }

  /** @param {Syscall} syscall */
  #decide(syscall) {
    switch (syscall[0]) {
      case 'send':
        return this.#send(syscall);
      case 'subscribe':
        return this.#subscribe(syscall[1]);
      case 'resolve':
        return this.#resolve(syscall[1]);
      case 'vatstoreGet':
      case 'vatstoreGetNextKey':
        // What is wrong with them was found when they were answered; a device call was applied then.
        return true;
      case 'callNow':
        return true;
      case 'vatstoreSet':
        return this.#isText(syscall[1], 'key') && this.#isText(syscall[2], 'value');
      case 'vatstoreDelete':
        return this.#isText(syscall[1], 'key');
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
        return this.#letGo(syscall[0], syscall[1]);
      case 'exit':
        this.hasExit = true;
        return this.#useAll(syscall[2]);
      case 'setPort':
        return this.#setPort(syscall);
      case 'requestStop':
        return this.#isNoProblem(findStopProblem(this.#state, this.#id));
      default:
        return this.#refuse(`no such syscall: ${quote(/** @type {any} */ (syscall)[0])}`);
    }
  }

  get #id() {
    return /** @type {VatParts} */ (this.#parts).id;
  }

  /** @param {string} fault */
  #refuse(fault) {
    this.#fault = fault;
    return false;
  }

  /** @param {string | undefined} problem */
  #isNoProblem(problem) {
    return problem === undefined || this.#refuse(problem);
  }

  /**
   * @param {string} text
   * @param {'key' | 'value'} what
   */
  #isText(text, what) {
    return this.#isNoProblem(findTextProblem(text, what));
  }

  /** @param {Extract<Syscall, ['send', ...any]>} syscall */
  #send(syscall) {
    const target = this.#use(syscall[1]);
    if (target === null) return false;
    if (!target.isObject && !target.isPromise)
      return this.#refuse(`messages cannot be sent to the device ${quoteShort(syscall[1])}`);
    if (!this.#useAll(syscall[2])) return false;
    if (syscall[3] === null) return true;
    const result = this.#useDecided(syscall[3]);
    if (result === null) return false;
    // The right to decide goes with the message.
    result.isMine = false;
    return true;
  }

  /** @param {string} vref */
  #subscribe(vref) {
    const name = this.#use(vref);
    if (name === null || name.isPromise) return name !== null;
    return this.#refuse(`cannot subscribe to ${quoteShort(vref)}, which is not a promise`);
  }

  /** @param {readonly Resolution[]} resolutions */
  #resolve(resolutions) {
    if (resolutions.length === 1) {
      const name = this.#useDecided(resolutions[0][0]);
      if (name === null || !this.#useAll(resolutions[0][2])) return false;
      this.#settle(name, resolutions[0][2]);
      return true;
    }
    /** @type {Set<Name>} */
    const settled = new Set();
    for (let i = 0; i < resolutions.length; i += 1) {
      const [vref, , data] = resolutions[i];
      const name = this.#useDecided(vref);
      if (name === null || !this.#useAll(data)) return false;
      if (settled.has(name))
        return this.#refuse(`promise ${quoteShort(vref)} is settled twice in one resolve`);
      settled.add(name);
    }
    let i = 0;
    for (const name of settled) {
      this.#settle(name, resolutions[i][2]);
      i += 1;
    }
    return true;
  }

  /**
   * @param {Name} name
   * @param {CapData} data
   */
  #settle(name, { slots }) {
    const { profile } = this.#state;
    name.isSettled = true;
    name.isMine = false;
    if (profile.retiresAll || !slots.some(vref => typeOfVref(vref) === 'promise'))
      name.isListed = false;
  }

  /** @param {Extract<Syscall, ['setPort', ...any]>} syscall */
  #setPort(syscall) {
    if (!this.#useAll(syscall[2])) return false;
    const problem = findWriteProblem(this.#state, this.#id, syscall[1]);
    if (problem !== undefined) return this.#refuse(problem);
    const { reactors, figures } = this.#state;
    const nowNs = figures.numbers[figure.nowTimeNs];
    if (nowNs > reactors.require(this.#id).row.latestNs) this.isCertain = false;
    return true;
  }

  /**
   * @param {'dropImports' | 'retireImports' | 'retireExports'} kind
   * @param {readonly string[]} vrefs
   */
  #letGo(kind, vrefs) {
    const verb = kind === 'dropImports' ? 'drop' : 'retire';
    const wantsOwn = kind === 'retireExports';
    const twice = findTwice(vrefs);
    if (twice !== undefined)
      return this.#refuse(`cannot ${verb} ${quoteShort(twice)} twice in one call`);
    const first = this.usedCount;
    for (let i = 0; i < vrefs.length; i += 1) {
      const vref = vrefs[i];
      const name = this.#look(vref);
      if (!name.isListed || !name.isObject || isAllocatedByVat(vref) !== wantsOwn)
        return this.#refuse(
          `cannot ${verb} ${quoteShort(vref)}, which is not an ${wantsOwn ? 'export' : 'import'} of the vat`,
        );
      if (kind === 'dropImports' && !name.isReachable)
        return this.#refuse(`cannot drop ${quoteShort(vref)}, which was dropped before`);
      if (wantsOwn && name.isReachable)
        return this.#refuse(`cannot retire ${quoteShort(vref)}, which others still reach`);
      this.#push(name);
    }
    for (let i = first; i < this.usedCount; i += 1) {
      const name = this.used[i];
      if (kind === 'dropImports') name.isReachable = false;
      else name.isListed = false;
    }
    return true;
  }

  /**
   * A reference that the vat uses. One that the vat allocated and the kernel has not seen is a new export; any other that
   * is not in the c-list is a fault.
   *
   * @param {string} vref
   * @returns {Name | null}
   */
  #use(vref) {
    let name = this.#look(vref);
    if (name.isListed) {
      if (!name.isReachable) {
        // An export goes out again after its vat was told that nobody reaches it; an import that was dropped is no longer
        // the vat's to use.
        if (!isAllocatedByVat(vref)) {
          this.#fault = `${quoteShort(vref)} was dropped by the vat, which cannot use it any more`;
          return null;
        }
        name.isReachable = true;
      }
      this.#push(name);
      return name;
    }
    const problem = findExportProblem(vref);
    if (problem !== undefined) {
      this.#fault = problem;
      return null;
    }
    if (name.isUsed) name = this.#replace(name);
    name.isListed = true;
    name.isReachable = true;
    name.isPromise = typeOfVref(vref) === 'promise';
    name.isObject = !name.isPromise;
    name.isMine = name.isPromise;
    name.isSettled = false;
    this.#push(name);
    return name;
  }

  /**
   * An unresolved promise that the vat decides.
   *
   * @param {string} vref
   */
  #useDecided(vref) {
    const name = this.#use(vref);
    if (name === null || name.isMine) return name;
    this.#fault = !name.isPromise
      ? `${quoteShort(vref)} is not a promise`
      : name.isSettled
        ? `promise ${quoteShort(vref)} is settled already`
        : `promise ${quoteShort(vref)} is not this vat's to decide`;
    return null;
  }

  /** @param {CapData} data */
  #useAll({ body, slots }) {
    const problem = findSizeProblem(body, 'a body');
    if (problem !== undefined) return this.#refuse(problem);
    for (let i = 0; i < slots.length; i += 1) if (this.#use(slots[i]) === null) return false;
    return true;
  }

  /** @param {Name} name */
  #push(name) {
    name.isUsed = true;
    if (this.usedCount === this.used.length) this.used.push(name);
    else this.used[this.usedCount] = name;
    this.usedCount += 1;
  }

  /**
   * What a vref names now.
   *
   * @param {string} vref
   * @returns {Name}
   */
  #look(vref) {
    if (this.#index !== null) return this.#index.get(vref) ?? this.#add(vref);
    for (let i = 0; i < this.#count; i += 1)
      if (this.#names[i].vref === vref) return this.#names[i];
    return this.#add(vref);
  }

  /** @param {string} vref */
  #add(vref) {
    const at = this.#count;
    if (at === this.#names.length) this.#names.push(new Name());
    const name = this.#names[at];
    this.#count = at + 1;
    name.vref = vref;
    name.isUsed = false;
    this.#find(name, vref);
    if (this.#index !== null) this.#index.set(vref, name);
    else if (at === few)
      this.#index = new Map(this.#names.slice(0, at + 1).map(each => [each.vref, each]));
    return name;
  }

  /**
   * The same vref names something new; what named it before is still to be written as such.
   *
   * @param {Name} before
   */
  #replace(before) {
    const name = new Name();
    name.vref = before.vref;
    if (this.#index === null) this.#names[this.#names.indexOf(before)] = name;
    else this.#index.set(name.vref, name);
    return name;
  }

  /**
   * What it names when the delivery has come.
   *
   * @param {Name} name
   * @param {string} vref
   */
  #find(name, vref) {
    const { clist } = /** @type {VatParts} */ (this.#parts);
    const pair = this.#isGone(vref) ? undefined : clist.findPair(vref);
    name.pair = pair;
    if (pair !== undefined) {
      this.#describe(name, pair.kref, pair.promise);
      name.isReachable = pair.isReachable || this.#isFresh(vref);
      return;
    }
    const place = this.#isGone(vref) ? -1 : this.#placeOf(vref);
    if (place < 0) {
      name.isListed = false;
      return;
    }
    const kref = this.#arrival.fresh[place];
    const promise = isPromiseKref(kref) ? this.#state.promises.require(kref) : null;
    this.#describe(name, kref, promise);
    name.isReachable = true;
  }

  /**
   * @param {Name} name
   * @param {string} kref
   * @param {import('../tables/promises.js').PromiseRow | null} promise
   */
  #describe(name, kref, promise) {
    name.isListed = true;
    name.isPromise = promise !== null;
    name.isObject = promise === null && !isDeviceKref(kref) && isObjectKref(kref);
    name.isSettled = promise !== null && promise.state !== 'unresolved';
    name.isMine =
      promise !== null &&
      !name.isSettled &&
      (name.vref === this.#arrival.result || promise.decider === this.#id);
  }

  /** @param {string} vref */
  #isFresh(vref) {
    return this.#placeOf(vref) >= 0;
  }

  /** @param {string} vref */
  #placeOf(vref) {
    const { freshVrefs } = this.#arrival;
    if (freshVrefs.length <= few) return freshVrefs.indexOf(vref);
    this.#freshIndex ??= new Map(freshVrefs.map((fresh, i) => [fresh, i]));
    return this.#freshIndex.get(vref) ?? -1;
  }

  /** @param {string} vref */
  #isGone(vref) {
    const { gone } = this.#arrival;
    if (gone.length <= few) return gone.includes(vref);
    this.#goneIndex ??= new Set(gone);
    return this.#goneIndex.has(vref);
  }
}

/**
 * Why a vat cannot name something for the first time.
 *
 * @param {string} vref
 */
const findExportProblem = vref => {
  if (!isVref(vref)) return `${quoteShort(vref)} is not a vref; a vref is like "o+1" or "p-60"`;
  if (!isAllocatedByVat(vref)) return `${quoteShort(vref)} is not in the vat's c-list`;
  if (typeOfVref(vref) === 'device') return `a vat cannot export the device ${quoteShort(vref)}`;
  return undefined;
};
