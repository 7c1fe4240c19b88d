// A syscall that was checked and will be written. What it says in krefs is in the references that it names and its data,
// so that most cranks make no tuple of it.

import {
  Fail,
  keepShape,
  syscallKinds,
  withLast,
  writeMessageTwice,
  writeSettledTwice,
  writeKrefTwice,
  writeSyscallTwice,
} from '#model';

/** @import { Both, CapData, Kind, Syscall } from '#model' */
/** @import { Name } from './names.js' */

/** @type {readonly never[]} */
const none = Object.freeze([]);

/** A syscall that breaks no rule. */
export class Effect {
  /**
   * In krefs: the message of a send, or what a `resolve` of one promise settles it with. @type {CapData | null}
   */
  data = null;

  /** The syscall in krefs, of kinds that are not made of `data` and references alone. @type {Syscall | null} */
  whole = null;

  // The references that it names, in the order of mapping: nearly always one or two.
  /** @type {Name | null} */
  #first = null;

  /** @type {Name | null} */
  #second = null;

  /** @type {readonly Name[]} */
  #others = none;

  /** @type {Effect | null} the effect of the next syscall of the crank */
  next = null;

  /**
   * @param {Kind} kind
   * @param {Syscall} inVrefs  as the vat asked
   */
  constructor(kind, inVrefs) {
    this.kind = kind;
    this.inVrefs = inVrefs;
  }

  /** @param {Name} name  the next reference that it names */
  add(name) {
    if (this.#first === null) this.#first = name;
    else if (this.#second === null) this.#second = name;
    else this.#others = withLast(this.#others, name);
  }

  /** How many references it names. */
  get count() {
    if (this.#first === null) return 0;
    return this.#second === null ? 1 : 2 + this.#others.length;
  }

  /** @param {number} at  below `count` @returns {Name} */
  name(at) {
    const found = at === 0 ? this.#first : at === 1 ? this.#second : this.#others[at - 2];
    return found ?? Fail`${this.inVrefs[0]} names ${this.count} references`;
  }

  /** The first reference: a message's target, or a promise. @returns {Name} */
  get first() {
    return this.#first ?? Fail`${this.inVrefs[0]} names nothing`;
  }

  /** A send's result, if it has one. @returns {Name | null} */
  get result() {
    return this.inVrefs[3] === null ? null : this.name(this.count - 1);
  }

  /** The syscall in krefs. Most cranks need no tuple of it. @returns {Syscall} */
  inKrefs() {
    const { inVrefs, whole } = this;
    if (whole !== null) return whole;
    const { kref } = this.first;
    if (inVrefs[0] === 'subscribe') return ['subscribe', kref];
    const data = this.data ?? Fail`${inVrefs[0]} has no data`;
    if (inVrefs[0] === 'resolve') return ['resolve', [[kref, inVrefs[1][0][1], data]]];
    if (inVrefs[0] !== 'send') throw Fail`${inVrefs[0]} is not kept in parts`;
    return ['send', kref, data, this.result?.kref ?? null];
  }

  /** Encodes it in both notations. @param {Both} both */
  encode(both) {
    const { kind, inVrefs, data, whole } = this;
    if (whole !== null) {
      writeSyscallTwice(both, kind, whole, inVrefs);
      return;
    }
    const { kref } = this.first;
    if (inVrefs[0] === 'subscribe') writeKrefTwice(both, kind.byte, kref, inVrefs[1]);
    else if (data === null) throw Fail`${inVrefs[0]} has no data`;
    else if (inVrefs[0] === 'resolve')
      writeSettledTwice(both, kind.byte, kref, data, inVrefs[1][0]);
    else writeMessageTwice(both, kind.byte, kref, data, this.result?.kref ?? null, inVrefs);
  }
}

keepShape(new Effect(syscallKinds[0], ['requestStop']));
