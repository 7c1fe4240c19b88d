// A vat's side of its c-list: which object or promise stands for which vref. Presences of other vats' objects,
// promises that take messages, and device nodes are made here.

import { isAllocatedByVat, parseVref, quote } from '#model';
import { makePresence } from '../eventual-send/index.js';
import { Remotable } from '../marshal/index.js';

/** @import { Handler } from '../eventual-send/handles.js' */

/** The first numbers that a vat allocates; SwingSet's, so that traces can be compared. */
const firstExport = 1;
const firstPromise = 5;

export const rootVref = 'o+0';

export class References {
  /** @type {WeakMap<object, string>} */
  #vrefs = new WeakMap();

  /** @type {Map<string, any>} */
  #values = new Map();

  #nextExport = firstExport;

  #nextPromise = firstPromise;

  allocateExport() {
    const vref = `o+${this.#nextExport}`;
    this.#nextExport += 1;
    return vref;
  }

  allocatePromise() {
    const vref = `p+${this.#nextPromise}`;
    this.#nextPromise += 1;
    return vref;
  }

  /** @param {any} value  object or promise */
  findVref(value) {
    return this.#vrefs.get(value);
  }

  /** @param {string} vref */
  findValue(vref) {
    return this.#values.get(vref);
  }

  /** @param {string} vref */
  requireValue(vref) {
    const value = this.#values.get(vref);
    if (value === undefined) throw Error(`no value for ${vref}`);
    return value;
  }

  /**
   * @param {string} vref
   * @param {any} value
   */
  register(vref, value) {
    this.#values.set(vref, value);
    this.#vrefs.set(value, vref);
  }

  /** @param {string} vref */
  forget(vref) {
    const value = this.#values.get(vref);
    this.#values.delete(vref);
    // The value may have got another vref meanwhile.
    if (value !== undefined && this.#vrefs.get(value) === vref) this.#vrefs.delete(value);
  }

  get size() {
    return this.#values.size;
  }
}

/**
 * What an import stands for, made when it is first seen. Promises are the caller's, who must subscribe to them.
 *
 * @param {string} vref
 * @param {string | undefined} iface
 * @param {(vref: string) => Handler} handlerOf  who takes messages to the object
 * @returns {object}
 * @throws {Error} for a vref that the vat would have had to allocate itself
 */
export const makeImport = (vref, iface, handlerOf) => {
  if (isAllocatedByVat(vref)) throw Error(`I don't remember allocating ${vref}`);
  const { type } = parseVref(vref);
  if (type === 'device') return Remotable(iface ?? `Alleged: device ${vref}`);
  if (type !== 'object') throw Error(`unrecognized slot type ${quote(type)}`);
  const presence = makePresence(handlerOf(vref));
  return Remotable(iface ?? `Alleged: presence ${vref}`, undefined, presence);
};
