// A host's copy of a vat's own store, from which it answers the vat's reads. It is built from the vat's writes.

import { KeyOrder } from '#model';

/** @import { Answer, Syscall } from '#model' */
/** @import { Question } from '#transport' */

/** Bound on keys of a vat's store (packages/kernel/tables/vatstore.js); the leader handles longer ones. */
const longestKey = 330;

/** With this many keys, deleted ones are not worth a search. */
const fewKeys = 1_024;

export class StoreCopy {
  /** @type {Map<string, string>} */
  #values = new Map();

  #order = new KeyOrder();

  /** Values before the crank under way, of keys that it changed before a device call. @type {Map<string, string | undefined>} */
  #before = new Map();

  /** @param {readonly string[]} stored  keys, each with its value behind it */
  constructor(stored) {
    for (let i = 0; i < stored.length; i += 2) this.#set(stored[i], stored[i + 1]);
  }

  /** @param {string} key @param {string} value */
  #set(key, value) {
    if (!this.#values.has(key)) {
      if (this.#order.size > fewKeys && this.#order.size > 2 * this.#values.size)
        this.#forgetDeleted();
      this.#order.add(key);
    }
    this.#values.set(key, value);
  }

  /** Makes the order anew: it keeps deleted keys, which only a walk takes out. */
  #forgetDeleted() {
    this.#order = new KeyOrder();
    for (const key of this.#values.keys()) this.#order.add(key);
  }

  /** The number of keys that it holds, some deleted ones among them. */
  get heldKeys() {
    return this.#order.size;
  }

  /** @param {readonly Syscall[]} syscalls */
  apply(syscalls) {
    for (const syscall of syscalls) {
      if (syscall[0] === 'vatstoreSet') this.#set(syscall[1], syscall[2]);
      else if (syscall[0] === 'vatstoreDelete') this.#values.delete(syscall[1]);
    }
  }

  /** Apply the syscalls before a device call, which the leader has too, until the crank ends. @param {readonly Syscall[]} syscalls */
  applyEarlier(syscalls) {
    for (const [kind, key] of syscalls)
      if ((kind === 'vatstoreSet' || kind === 'vatstoreDelete') && !this.#before.has(key))
        this.#before.set(key, this.#values.get(key));
    this.apply(syscalls);
  }

  /** @param {readonly Syscall[] | undefined} syscalls  of the whole crank; undefined if it is undone */
  endCrank(syscalls) {
    if (syscalls === undefined)
      for (const [key, value] of this.#before)
        if (value === undefined) this.#values.delete(key);
        else this.#set(key, value);
    else this.apply(syscalls);
    this.#before.clear();
  }

  /** @param {Question} question @returns {Answer | undefined} undefined if the leader must answer */
  answer(question) {
    const [kind, key] = question;
    if (kind !== 'vatstoreGet' && kind !== 'vatstoreGetNextKey') return undefined;
    const isKey = key.length <= longestKey && key.isWellFormed();
    if (!isKey || (key === '' && kind === 'vatstoreGet')) return undefined;
    const value = kind === 'vatstoreGet' ? this.#values.get(key) : this.#nextKey(key);
    return { kind: 'value', value };
  }

  /** @param {string} prior */
  #nextKey(prior) {
    const next = this.#order.after(prior, '', key => this.#values.has(key));
    this.#order.keep();
    return next;
  }
}
