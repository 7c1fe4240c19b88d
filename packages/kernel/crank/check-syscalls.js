// Checks the syscalls of a crank and maps them to krefs. The result is a list of effects, or the vat's fault; nothing is
// changed here. Each syscall is checked against the c-list as it is after the syscalls before it (names.js). So a crank
// is either written whole, without an undo log (write.js), or not at all. The rules of syscalls stand in this file, but
// those of syscalls that are answered inside the crank (answers.js), of texts and keys (limits.js, tables/vatstore.js),
// and of ports (reactors/ports.js).

import {
  findSyscallKind,
  isAllocatedByVat,
  isPromiseKref,
  isVref,
  quote,
  typeOfVref,
} from '#model';
import { figure } from '../tables/figures.js';
import { findTextProblem } from '../tables/vatstore.js';
import { findSizeProblem, quoteShort } from '../limits.js';
import { findStopProblem, findWriteProblem } from '../reactors/ports.js';
import { Effect } from './effect.js';
import { Names, nothingArrives } from './names.js';

/** @import { CapData, Kind, Resolution, Syscall } from '#model' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Arrival, Name } from './names.js' */

/** @typedef {'dropImports' | 'retireImports' | 'retireExports' | 'abandonExports'} LettingGo  kinds of syscalls */

/** @type {Readonly<Record<LettingGo, { verb: string, wantsOwn: boolean }>>} */
const lettingGo = Object.freeze({
  dropImports: { verb: 'drop', wantsOwn: false },
  retireImports: { verb: 'retire', wantsOwn: false },
  retireExports: { verb: 'retire', wantsOwn: true },
  abandonExports: { verb: 'abandon', wantsOwn: true },
});

/**
 * Whether the numbers of the vrefs ascend: then all are different. Longer texts come after shorter ones.
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
 * @returns {string | undefined} a vref that occurs twice
 */
const findTwice = vrefs => {
  if (ascends(vrefs)) return undefined;
  const seen = new Set();
  return vrefs.find(vref => seen.size === seen.add(vref).size);
};

// eslint-disable-next-line house/max-class-lines -- a rule for each kind of syscall, a method each; the crank under check is private and shared by all
export class SyscallChecker {
  #state;

  #names;

  /** @type {VatParts | undefined} */
  #parts;

  /** @type {string | null} */
  #fault = null;

  /** The effect of the first syscall; those of the others follow from it. @type {Effect | null} */
  first = null;

  /** Whether the effects read the same in vrefs and in krefs. */
  namesNothing = true;

  /** False if writing may still fail: a value on a port may prove too late only when it is written. */
  isCertain = true;

  /** Whether the vat ends itself. */
  hasExit = false;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    this.#names = new Names(state);
  }

  /**
   * @param {VatParts} parts  of the vat
   * @param {readonly Syscall[]} syscalls
   * @param {number} from  index of the first syscall to check; those before it have been written
   * @param {Arrival} arrival
   * @returns {string | null} the vat's fault, or null: then the effects from `first` on can be written
   */
  check(parts, syscalls, from, arrival) {
    this.#begin(parts, arrival);
    /** @type {Effect | null} */
    let first = null;
    /** @type {Effect | null} */
    let last = null;
    for (let i = from; i < syscalls.length; i += 1) {
      const syscall = syscalls[i];
      const kind = findSyscallKind(syscall[0]);
      if (kind === undefined) return `no such syscall: ${quote(syscall[0])}`;
      const effect = new Effect(kind, syscall);
      if (!this.#map(effect, syscall)) return this.#fault;
      if (last === null) first = effect;
      else last.next = effect;
      last = effect;
    }
    this.first = first;
    return null;
  }

  /**
   * Checks a call of a device.
   *
   * @param {VatParts} parts  of the vat
   * @param {Extract<Syscall, ['callNow', ...any]>} syscall
   * @param {string} kref  of the device
   * @returns {string | null} the vat's fault, or null: then the call is the only effect
   */
  checkCall(parts, syscall, kref) {
    this.#begin(parts, nothingArrives);
    const problem = findSizeProblem(syscall[2], 'the name of a method');
    if (problem !== undefined) return problem;
    const effect = new Effect(/** @type {Kind} */ (findSyscallKind('callNow')), syscall);
    const args = this.#mapData(effect, syscall[3]);
    if (args === null) return this.#fault;
    if (args.slots.some(isPromiseKref))
      return 'the arguments of a device call cannot hold promises';
    effect.whole = ['callNow', kref, syscall[2], args];
    this.first = effect;
    return null;
  }

  /**
   * @param {VatParts} parts
   * @param {Arrival} arrival
   */
  #begin(parts, arrival) {
    this.#parts = parts;
    this.#names.begin(parts, arrival);
    this.first = null;
    this.namesNothing = true;
    this.#fault = null;
    this.isCertain = true;
    this.hasExit = false;
  }

  /**
   * @param {Effect} effect  gets what the syscall is in krefs
   * @param {Syscall} syscall
   * @returns {boolean} false if it breaks a rule
   */
  #map(effect, syscall) {
    switch (syscall[0]) {
      case 'send':
        return this.#send(effect, syscall);
      case 'subscribe': {
        const name = this.#use(effect, syscall[1]);
        if (name === null || name.isPromise) return name !== null;
        return this.#refuses(
          `cannot subscribe to ${quoteShort(syscall[1])}, which is not a promise`,
        );
      }
      case 'resolve':
        return this.#resolve(effect, syscall[1]);
      case 'vatstoreGet':
      case 'vatstoreGetNextKey':
      case 'callNow':
        // A wrong read was refused when it was answered; a device call was applied then.
        effect.whole = syscall;
        return true;
      case 'vatstoreSet':
        return this.#unless(
          effect,
          findTextProblem(syscall[1], 'key') ?? findTextProblem(syscall[2], 'value'),
          syscall,
        );
      case 'vatstoreDelete':
        return this.#unless(effect, findTextProblem(syscall[1], 'key'), syscall);
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
      case 'abandonExports':
        return this.#letGo(effect, syscall[0], syscall[1]);
      case 'exit': {
        this.hasExit = true;
        const info = this.#mapData(effect, syscall[2]);
        if (info === null) return false;
        effect.whole = ['exit', syscall[1], info];
        return true;
      }
      case 'setPort':
        return this.#setPort(effect, syscall);
      default:
        return this.#unless(effect, findStopProblem(this.#reactors), syscall);
    }
  }

  get #reactors() {
    return this.#state.reactors.findOf(/** @type {VatParts} */ (this.#parts));
  }

  /**
   * @param {string} fault
   * @returns {null}
   */
  #refuse(fault) {
    this.#fault = fault;
    return null;
  }

  /**
   * @param {string} fault
   * @returns {false}
   */
  #refuses(fault) {
    this.#fault = fault;
    return false;
  }

  /**
   * @param {Effect} effect
   * @param {string | undefined} problem
   * @param {Syscall} syscall  that names nothing
   */
  #unless(effect, problem, syscall) {
    effect.whole = syscall;
    return problem === undefined || this.#refuses(problem);
  }

  /**
   * @param {Effect} effect
   * @param {Extract<Syscall, ['send', ...any]>} syscall
   */
  #send(effect, syscall) {
    const target = this.#use(effect, syscall[1]);
    if (target === null) return false;
    if (!target.isObject && !target.isPromise)
      return this.#refuses(`messages cannot be sent to the device ${quoteShort(syscall[1])}`);
    effect.data = this.#mapData(effect, syscall[2]);
    if (effect.data === null) return false;
    if (syscall[3] === null) return true;
    const result = this.#useDecided(effect, syscall[3]);
    if (result === null) return false;
    // The recipient of the message decides its result.
    result.isMine = false;
    return true;
  }

  /**
   * @param {Effect} effect
   * @param {readonly Resolution[]} resolutions
   */
  #resolve(effect, resolutions) {
    if (resolutions.length !== 1) return this.#resolveAll(effect, resolutions);
    const resolution = resolutions[0];
    const name = this.#useDecided(effect, resolution[0]);
    if (name === null) return false;
    effect.data = this.#mapData(effect, resolution[2]);
    if (effect.data === null) return false;
    this.#settle(name, resolution[2]);
    return true;
  }

  /**
   * @param {Effect} effect
   * @param {readonly Resolution[]} resolutions
   */
  #resolveAll(effect, resolutions) {
    /** @type {Set<Name>} */
    const settled = new Set();
    /** @type {Resolution[]} */
    const mapped = [];
    for (let i = 0; i < resolutions.length; i += 1) {
      const resolution = resolutions[i];
      const name = this.#useDecided(effect, resolution[0]);
      const data = name === null ? null : this.#mapData(effect, resolution[2]);
      if (name === null || data === null) return false;
      if (settled.has(name))
        return this.#refuses(
          `promise ${quoteShort(resolution[0])} is settled twice in one resolve`,
        );
      settled.add(name);
      mapped.push([name.kref, resolution[1], data]);
    }
    // The promises may name each other, so all are mapped before any is settled.
    let i = 0;
    for (const name of settled) {
      this.#settle(name, resolutions[i][2]);
      i += 1;
    }
    effect.whole = ['resolve', mapped];
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

  /**
   * @param {Effect} effect
   * @param {Extract<Syscall, ['setPort', ...any]>} syscall
   */
  #setPort(effect, syscall) {
    const data = this.#mapData(effect, syscall[2]);
    if (data === null) return false;
    const entry = this.#reactors;
    const problem = findWriteProblem(entry, syscall[1]);
    if (entry === undefined || problem !== undefined) return this.#refuses(problem ?? '');
    const nowNs = this.#state.figures.numbers[figure.nowTimeNs];
    if (nowNs > entry.row.latestNs) this.isCertain = false;
    effect.whole = data === syscall[2] ? syscall : ['setPort', syscall[1], data];
    return true;
  }

  /**
   * @param {Effect} effect
   * @param {LettingGo} kind
   * @param {readonly string[]} vrefs
   */
  #letGo(effect, kind, vrefs) {
    const { verb, wantsOwn } = lettingGo[kind];
    const twice = findTwice(vrefs);
    if (twice !== undefined)
      return this.#refuses(`cannot ${verb} ${quoteShort(twice)} twice in one call`);
    const krefs = [];
    for (let i = 0; i < vrefs.length; i += 1) {
      const vref = vrefs[i];
      const name = this.#names.look(vref);
      if (!name.isListed || !name.isObject || isAllocatedByVat(vref) !== wantsOwn)
        return this.#refuses(
          `cannot ${verb} ${quoteShort(vref)}, which is not an ${wantsOwn ? 'export' : 'import'} of the vat`,
        );
      if (kind === 'dropImports' && !name.isReachable)
        return this.#refuses(`cannot drop ${quoteShort(vref)}, which was dropped before`);
      if (kind === 'retireExports' && name.isReachable)
        return this.#refuses(`cannot retire ${quoteShort(vref)}, which others still reach`);
      // A vat keeps its root while it lives: the host and the vat's creator reach it by the root.
      if (kind === 'abandonExports' && vref === 'o+0')
        return this.#refuses('cannot abandon "o+0", which is the root of the vat');
      this.#push(effect, name);
      krefs.push(name.kref);
    }
    for (let i = 0; i < vrefs.length; i += 1) {
      const name = effect.name(i);
      if (kind === 'dropImports') name.isReachable = false;
      else name.isListed = false;
    }
    effect.whole = [kind, krefs];
    return true;
  }

  /**
   * Maps a vref that the vat uses. A vref that the vat allocated and the kernel has not seen is a new export; any other
   * vref that is not in the c-list is a fault.
   *
   * @param {Effect} effect  of the syscall that uses it
   * @param {string} vref
   * @returns {Name | null}
   */
  #use(effect, vref) {
    const name = this.#names.look(vref);
    if (name.isListed) {
      if (!name.isReachable) {
        // A vat may send an export again after it was told that nobody reaches it, but may not use an import that it
        // has dropped.
        if (!isAllocatedByVat(vref))
          return this.#refuse(
            `${quoteShort(vref)} was dropped by the vat, which cannot use it any more`,
          );
        name.isReachable = true;
      }
      return this.#push(effect, name);
    }
    const problem = findExportProblem(vref);
    if (problem !== undefined) return this.#refuse(problem);
    return this.#push(effect, this.#names.export(name, typeOfVref(vref) === 'promise'));
  }

  /**
   * Maps an unresolved promise that the vat decides.
   *
   * @param {Effect} effect
   * @param {string} vref
   */
  #useDecided(effect, vref) {
    const name = this.#use(effect, vref);
    if (name === null || name.isMine) return name;
    if (!name.isPromise) return this.#refuse(`${quoteShort(vref)} is not a promise`);
    return this.#refuse(
      name.isSettled
        ? `promise ${quoteShort(vref)} is settled already`
        : `promise ${quoteShort(vref)} is not this vat's to decide`,
    );
  }

  /**
   * @param {Effect} effect
   * @param {CapData} data
   * @returns {CapData | null} in krefs; the same object if it names nothing
   */
  #mapData(effect, data) {
    const { body, slots } = data;
    const problem = findSizeProblem(body, 'a body');
    if (problem !== undefined) return this.#refuse(problem);
    if (slots.length === 0) return data;
    const first = this.#use(effect, slots[0]);
    if (first === null) return null;
    // Not an empty list: one that grows from empty reserves 17 elements.
    const krefs = [first.kref];
    for (let i = 1; i < slots.length; i += 1) {
      const name = this.#use(effect, slots[i]);
      if (name === null) return null;
      krefs.push(name.kref);
    }
    return { body, slots: krefs };
  }

  /**
   * @param {Effect} effect
   * @param {Name} name
   */
  #push(effect, name) {
    name.isUsed = true;
    this.namesNothing = false;
    effect.add(name);
    return name;
  }
}

/**
 * Why a vat cannot export a vref.
 *
 * @param {string} vref
 */
const findExportProblem = vref => {
  if (!isVref(vref)) return `${quoteShort(vref)} is not a vref; a vref is like "o+1" or "p-60"`;
  if (!isAllocatedByVat(vref)) return `${quoteShort(vref)} is not in the vat's c-list`;
  if (typeOfVref(vref) === 'device') return `a vat cannot export the device ${quoteShort(vref)}`;
  return undefined;
};
