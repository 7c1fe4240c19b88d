// The virtual data of a vat, for its supervisor. A vat whose source uses such data has it from its start, and keeps the
// numbers of its references in its store; other vats have none.

import { makeSmallcapsMarshal } from '../marshal/index.js';
import { isVirtualVref } from '../virtual/index.js';

/** @import { ErrorOptions } from '../marshal/errors.js' */
/** @import { VatDataParts } from '../shims/vat-data.js' */
/** @import { VirtualData, VirtualTools } from '../virtual/index.js' */
/** @import { Dead, References } from './references.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */

/**
 * The host's options for a vat's virtual data.
 *
 * @typedef {object} VirtualOptions
 * @property {VatDataParts} vatData  the objects through which the vat reaches it; connected here
 * @property {VirtualTools | undefined} tools  undefined if no vat needs them
 * @property {boolean} isUsed  whether the vat's source uses it
 * @property {boolean} [isRelaxed]  whether durable data may name objects that are not durable. Default false
 */

/**
 * @typedef {object} VirtualPowers
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {(value: any) => string} slotOf  the vref of a value that the kernel will learn of
 * @property {(value: any) => void} insistUsable  throws for a presence that the vat has disavowed
 * @property {(vref: string, iface?: string) => any} valueOf
 * @property {(vref: string, promise: Promise<unknown>) => void} followPromise
 * @property {(vref: string) => Promise<unknown>} revivePromise
 * @property {ErrorOptions} errorOptions
 */

/** With this many virtual objects in memory the vat asks for a `bringOutYourDead`. */
const mostRepresentatives = 20_000;

export class VirtualPart {
  #options;

  #powers;

  /** @type {VirtualData | undefined} */
  #data;

  /** Whether the crank has released something in memory. */
  #isFreed = false;

  /**
   * @param {VirtualOptions | undefined} options  without them the vat has no such data
   * @param {VirtualPowers} powers
   */
  constructor(options, powers) {
    this.#options = options;
    this.#powers = powers;
    options?.vatData.connect({
      isUsed: options.isUsed,
      functions: () => this.#provide().functions,
      baggage: () => this.#provide().provideBaggage(),
    });
  }

  /** The data, if the vat uses any. */
  get data() {
    return this.#data;
  }

  #provide() {
    if (this.#data === undefined) this.#start();
    return /** @type {VirtualData} */ (this.#data);
  }

  #start() {
    const tools = this.#options?.tools;
    if (tools === undefined)
      throw Error(
        'its source names neither VatData nor baggage, so virtual data was not made ready for it; name one of them',
      );
    const { syscalls, references } = this.#powers;
    references.hasVirtualData = true;
    this.#data = this.#make(tools);
    syscalls.unwritten = this.#data;
    this.#data.start();
  }

  /** @param {VirtualTools} tools */
  #make({ libraries, makeVirtualData }) {
    const { syscalls, references, slotOf, insistUsable, valueOf, errorOptions } = this.#powers;
    const { followPromise, revivePromise } = this.#powers;
    /** @type {(value: any) => string} */
    const keptSlotOf = value => {
      const known = references.findVref(value) ?? this.#data?.findPromiseVref(value);
      if (known !== undefined) return known;
      const isPromise = value instanceof Promise;
      if (!isPromise) insistUsable(value);
      // Virtual data holds what it names. What it refused, or names no longer, must be collectable.
      const vref = isPromise ? references.allocatePromise() : references.allocateExport();
      references.registerKept(vref, value);
      return vref;
    };
    /** @type {(vref: string, iface?: string) => any} */
    const keptValueOf = (vref, iface) =>
      references.findValue(vref) ?? this.#data?.findHeld(vref) ?? valueOf(vref, iface);
    const marshal = makeSmallcapsMarshal(keptSlotOf, keptValueOf, {
      ...errorOptions,
      isTrusted: true,
      onError: () => {},
    });
    return makeVirtualData({
      syscalls,
      references,
      serialize: marshal.toCapData,
      unserialize: marshal.fromCapData,
      slotOf: keptSlotOf,
      kernelSlotOf: slotOf,
      valueOf: keptValueOf,
      followPromise,
      revivePromise,
      libraries,
      isRelaxed: this.#options?.isRelaxed ?? false,
    });
  }

  /** Begins the vat's first delivery, before its parameters are read. */
  begin() {
    if (this.#options?.isUsed) this.#provide();
  }

  /** Provides the baggage within the start, once the parameters of the vat have been read. */
  provideBaggage() {
    this.#data?.provideBaggage();
  }

  /**
   * Checks that the root object has no reference yet, as virtual and durable objects have: it is the root from now on.
   *
   * @param {object} root
   * @throws {Error} it is a virtual or durable object, an object of another vat, or was sent to one
   */
  insistEphemeral(root) {
    const vref = this.#powers.references.findVref(root);
    if (vref === undefined) return;
    const problem = 'buildRootObject() must return ephemeral, not virtual/durable object';
    throw Error(
      isVirtualVref(vref)
        ? problem
        : `${problem}: this one is of another vat, or was sent to one before it was returned`,
    );
  }

  /** Waits for the promises of earlier incarnations, after the root object was built. */
  revivePromises() {
    this.#data?.finishStart();
  }

  /** @throws {Error} when a durable kind of an earlier incarnation was not defined */
  finishStart() {
    this.#data?.insistAllDefined();
  }

  /** @param {string} vref  virtual @returns {any} */
  summon(vref) {
    return this.#provide().summon(vref);
  }

  /** Notes that the kernel learns of these. @param {readonly string[]} slots */
  exportAll(slots) {
    if (this.#data !== undefined && slots.length > 0) this.#data.exportAll(slots);
  }

  /** @param {readonly string[]} vrefs  of exports that no other vat reaches */
  drop(vrefs) {
    for (const vref of vrefs)
      if (isVirtualVref(vref)) this.#provide().drop(vref);
      else this.#powers.references.weaken(vref);
  }

  /** @param {readonly string[]} vrefs  of exports that no other vat recognises */
  retireExports(vrefs) {
    const { references } = this.#powers;
    for (const vref of vrefs)
      if (isVirtualVref(vref)) this.#provide().retire(vref);
      else if (this.#data !== undefined) references.untell(vref);
      else references.retireExport(vref);
  }

  /** @param {readonly string[]} vrefs  of imports that are gone everywhere */
  retireImports(vrefs) {
    for (const vref of vrefs) {
      this.#powers.references.retireImport(vref);
      this.#data?.retireImport(vref);
    }
  }

  /**
   * Drops an import that the vat's code may still hold.
   *
   * @param {string} vref
   * @throws {Error} virtual data names it
   */
  disavow(vref) {
    this.#data?.disavow(vref);
  }

  /** @param {Dead} dead  in memory */
  letGo(dead) {
    const { references } = this.#powers;
    if (this.#data === undefined) {
      references.forgetDead(dead);
      return dead;
    }
    const found = this.#data.letGo(dead);
    this.#isFreed = found.isFreed;
    return found;
  }

  /** Writes the changes of a crank at its end. */
  flush() {
    this.#data?.flush();
  }

  /** Whether the vat asks for a `bringOutYourDead`: much came into memory, or something was released. */
  takeWish() {
    const isFreed = this.#isFreed;
    this.#isFreed = false;
    return isFreed || this.#powers.references.newRepresentatives > mostRepresentatives;
  }
}
