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

/** Effects and names kept for reuse by the next crank, at most. */
const pooled = 64;

/** A syscall that breaks no rule. */
class Effect {
  /** @type {Kind} */
  kind = /** @type {any} */ (undefined);

  /** In vrefs, as the vat asked. @type {Syscall} */
  inVrefs = ['requestStop'];

  /** This syscall in krefs. @type {Syscall} */
  inKrefs = ['requestStop'];

  /** Index in `used` of the checker of the first reference that it names; they stand there in the order of mapping. */
  firstUsed = 0;

  endUsed = 0;
}

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

  /** The effects, in the order of the syscalls; each crank reuses the list. @type {Effect[]} */
  effects = [];

  /** The number of effects of this crank. */
  count = 0;

  /** The references that the effects name. @type {Name[]} */
  used = [];

  #usedCount = 0;

  /** False if writing may still fail: a value on a port may prove too late only when it is written. */
  isCertain = true;

  /** Whether the vat ends itself. */
  hasExit = false;

  /** Whether the effects read the same in vrefs and in krefs. */
  get namesNothing() {
    return this.#usedCount === 0;
  }

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
   * @returns {string | null} the vat's fault, or null: then `effects` can be written
   */
  check(parts, syscalls, from, arrival) {
    this.#begin(parts, arrival);
    for (let i = from; i < syscalls.length; i += 1) {
      const syscall = syscalls[i];
      const kind = findSyscallKind(syscall[0]);
      if (kind === undefined) return `no such syscall: ${quote(syscall[0])}`;
      const firstUsed = this.#usedCount;
      const inKrefs = this.#map(syscall);
      if (inKrefs === null) return this.#fault;
      this.#add(kind, syscall, inKrefs, firstUsed);
    }
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
    const args = this.#mapData(syscall[3]);
    if (args === null) return this.#fault;
    if (args.slots.some(isPromiseKref))
      return 'the arguments of a device call cannot hold promises';
    const kind = /** @type {Kind} */ (findSyscallKind('callNow'));
    this.#add(kind, syscall, ['callNow', kref, syscall[2], args], 0);
    return null;
  }

  /**
   * @param {VatParts} parts
   * @param {Arrival} arrival
   */
  #begin(parts, arrival) {
    // Do not keep a large list for reuse.
    if (this.used.length > pooled) this.used.length = pooled;
    if (this.effects.length > pooled) this.effects.length = pooled;
    this.#parts = parts;
    this.#names.begin(parts, arrival);
    this.count = 0;
    this.#usedCount = 0;
    this.#fault = null;
    this.isCertain = true;
    this.hasExit = false;
  }

  /**
   * @param {Kind} kind
   * @param {Syscall} inVrefs
   * @param {Syscall} inKrefs
   * @param {number} firstUsed
   */
  #add(kind, inVrefs, inKrefs, firstUsed) {
    if (this.count === this.effects.length) this.effects.push(new Effect());
    const effect = this.effects[this.count];
    this.count += 1;
    effect.kind = kind;
    effect.inVrefs = inVrefs;
    effect.inKrefs = inKrefs;
    effect.firstUsed = firstUsed;
    effect.endUsed = this.#usedCount;
  }

  /**
   * @param {Syscall} syscall
   * @returns {Syscall | null} in krefs; null if it breaks a rule
   */
  #map(syscall) {
    switch (syscall[0]) {
      case 'send':
        return this.#send(syscall);
      case 'subscribe': {
        const name = this.#use(syscall[1]);
        if (name === null) return null;
        return name.isPromise
          ? ['subscribe', name.kref]
          : this.#refuse(`cannot subscribe to ${quoteShort(syscall[1])}, which is not a promise`);
      }
      case 'resolve':
        return this.#resolve(syscall[1]);
      case 'vatstoreGet':
      case 'vatstoreGetNextKey':
      case 'callNow':
        // A wrong read was refused when it was answered; a device call was applied then.
        return syscall;
      case 'vatstoreSet':
        return this.#unless(
          findTextProblem(syscall[1], 'key') ?? findTextProblem(syscall[2], 'value'),
          syscall,
        );
      case 'vatstoreDelete':
        return this.#unless(findTextProblem(syscall[1], 'key'), syscall);
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
      case 'abandonExports':
        return this.#letGo(syscall[0], syscall[1]);
      case 'exit': {
        this.hasExit = true;
        const info = this.#mapData(syscall[2]);
        return info === null ? null : ['exit', syscall[1], info];
      }
      case 'setPort':
        return this.#setPort(syscall);
      default:
        return this.#unless(findStopProblem(this.#reactors), syscall);
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
   * @param {string | undefined} problem
   * @param {Syscall} syscall  that names nothing
   */
  #unless(problem, syscall) {
    return problem === undefined ? syscall : this.#refuse(problem);
  }

  /**
   * @param {Extract<Syscall, ['send', ...any]>} syscall
   * @returns {Syscall | null}
   */
  #send(syscall) {
    const target = this.#use(syscall[1]);
    if (target === null) return null;
    if (!target.isObject && !target.isPromise)
      return this.#refuse(`messages cannot be sent to the device ${quoteShort(syscall[1])}`);
    const methargs = this.#mapData(syscall[2]);
    if (methargs === null) return null;
    if (syscall[3] === null) return ['send', target.kref, methargs, null];
    const result = this.#useDecided(syscall[3]);
    if (result === null) return null;
    // The recipient of the message decides its result.
    result.isMine = false;
    return ['send', target.kref, methargs, result.kref];
  }

  /**
   * @param {readonly Resolution[]} resolutions
   * @returns {Syscall | null}
   */
  #resolve(resolutions) {
    if (resolutions.length === 1) {
      const resolution = resolutions[0];
      const name = this.#useDecided(resolution[0]);
      const data = name === null ? null : this.#mapData(resolution[2]);
      if (name === null || data === null) return null;
      this.#settle(name, resolution[2]);
      return ['resolve', [[name.kref, resolution[1], data]]];
    }
    /** @type {Set<Name>} */
    const settled = new Set();
    /** @type {Resolution[]} */
    const mapped = [];
    for (let i = 0; i < resolutions.length; i += 1) {
      const resolution = resolutions[i];
      const name = this.#useDecided(resolution[0]);
      const data = name === null ? null : this.#mapData(resolution[2]);
      if (name === null || data === null) return null;
      if (settled.has(name))
        return this.#refuse(`promise ${quoteShort(resolution[0])} is settled twice in one resolve`);
      settled.add(name);
      mapped.push([name.kref, resolution[1], data]);
    }
    // The promises may name each other, so all are mapped before any is settled.
    let i = 0;
    for (const name of settled) {
      this.#settle(name, resolutions[i][2]);
      i += 1;
    }
    return ['resolve', mapped];
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
   * @param {Extract<Syscall, ['setPort', ...any]>} syscall
   * @returns {Syscall | null}
   */
  #setPort(syscall) {
    const data = this.#mapData(syscall[2]);
    if (data === null) return null;
    const entry = this.#reactors;
    const problem = findWriteProblem(entry, syscall[1]);
    if (entry === undefined || problem !== undefined) return this.#refuse(problem ?? '');
    const nowNs = this.#state.figures.numbers[figure.nowTimeNs];
    if (nowNs > entry.row.latestNs) this.isCertain = false;
    return data === syscall[2] ? syscall : ['setPort', syscall[1], data];
  }

  /**
   * @param {LettingGo} kind
   * @param {readonly string[]} vrefs
   * @returns {Syscall | null}
   */
  #letGo(kind, vrefs) {
    const { verb, wantsOwn } = lettingGo[kind];
    const twice = findTwice(vrefs);
    if (twice !== undefined)
      return this.#refuse(`cannot ${verb} ${quoteShort(twice)} twice in one call`);
    const first = this.#usedCount;
    const krefs = [];
    for (let i = 0; i < vrefs.length; i += 1) {
      const vref = vrefs[i];
      const name = this.#names.look(vref);
      if (!name.isListed || !name.isObject || isAllocatedByVat(vref) !== wantsOwn)
        return this.#refuse(
          `cannot ${verb} ${quoteShort(vref)}, which is not an ${wantsOwn ? 'export' : 'import'} of the vat`,
        );
      if (kind === 'dropImports' && !name.isReachable)
        return this.#refuse(`cannot drop ${quoteShort(vref)}, which was dropped before`);
      if (kind === 'retireExports' && name.isReachable)
        return this.#refuse(`cannot retire ${quoteShort(vref)}, which others still reach`);
      // A vat keeps its root while it lives: the host and the vat's creator reach it by the root.
      if (kind === 'abandonExports' && vref === 'o+0')
        return this.#refuse('cannot abandon "o+0", which is the root of the vat');
      this.#push(name);
      krefs.push(name.kref);
    }
    for (let i = first; i < this.#usedCount; i += 1) {
      const name = this.used[i];
      if (kind === 'dropImports') name.isReachable = false;
      else name.isListed = false;
    }
    return [kind, krefs];
  }

  /**
   * Maps a vref that the vat uses. A vref that the vat allocated and the kernel has not seen is a new export; any other
   * vref that is not in the c-list is a fault.
   *
   * @param {string} vref
   * @returns {Name | null}
   */
  #use(vref) {
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
      return this.#push(name);
    }
    const problem = findExportProblem(vref);
    if (problem !== undefined) return this.#refuse(problem);
    return this.#push(this.#names.export(name, typeOfVref(vref) === 'promise'));
  }

  /**
   * Maps an unresolved promise that the vat decides.
   *
   * @param {string} vref
   */
  #useDecided(vref) {
    const name = this.#use(vref);
    if (name === null || name.isMine) return name;
    if (!name.isPromise) return this.#refuse(`${quoteShort(vref)} is not a promise`);
    return this.#refuse(
      name.isSettled
        ? `promise ${quoteShort(vref)} is settled already`
        : `promise ${quoteShort(vref)} is not this vat's to decide`,
    );
  }

  /**
   * @param {CapData} data
   * @returns {CapData | null} in krefs; the same object if it names nothing
   */
  #mapData(data) {
    const { body, slots } = data;
    const problem = findSizeProblem(body, 'a body');
    if (problem !== undefined) return this.#refuse(problem);
    if (slots.length === 0) return data;
    const first = this.#use(slots[0]);
    if (first === null) return null;
    // Not an empty list: one that grows from empty reserves 17 elements.
    const krefs = [first.kref];
    for (let i = 1; i < slots.length; i += 1) {
      const name = this.#use(slots[i]);
      if (name === null) return null;
      krefs.push(name.kref);
    }
    return { body, slots: krefs };
  }

  /** @param {Name} name */
  #push(name) {
    name.isUsed = true;
    if (this.#usedCount === this.used.length) this.used.push(name);
    else this.used[this.#usedCount] = name;
    this.#usedCount += 1;
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
