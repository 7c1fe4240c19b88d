// A vat's side of its c-list: which object or promise stands for which vref. Presences of other vats' objects,
// promises that take messages, and device nodes are made here.

import { ChurnMap, isAllocatedByVat, parseVref, quote } from '#model';
import { findHandle, makePresence } from '../eventual-send/index.js';
import { Remotable } from '../marshal/index.js';

/** @import { Handler } from '../eventual-send/handles.js' */

/** The first numbers that a vat allocates; SwingSet's, so that traces can be compared. */
const firstExport = 1;
const firstPromise = 5;

export const rootVref = 'o+0';

export class References {
  /** Of what has no handle to write it on. @type {WeakMap<object, string>} */
  #vrefs = new WeakMap();

  /** @type {ChurnMap<string, any>} */
  #values = new ChurnMap();

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
    const handle = findHandle(value);
    if (handle === undefined) return this.#vrefs.get(value);
    return handle.owner === this ? handle.vref : undefined;
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
    const handle = findHandle(value);
    if (handle === undefined) {
      this.#vrefs.set(value, vref);
    } else {
      handle.owner = this;
      handle.vref = vref;
    }
  }

  /** @param {string} vref */
  forget(vref) {
    const value = this.#values.get(vref);
    this.#values.delete(vref);
    // The value may have got another vref meanwhile.
    if (value === undefined || this.findVref(value) !== vref) return;
    const handle = findHandle(value);
    if (handle === undefined) this.#vrefs.delete(value);
    else handle.owner = undefined;
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
 * @param {Handler} handler  who takes messages to the object
 * @returns {object}
 * @throws {Error} for a vref that the vat would have had to allocate itself
 */
export const makeImport = (vref, iface, handler) => {
  if (isAllocatedByVat(vref)) throw Error(`I don't remember allocating ${vref}`);
  const { type } = parseVref(vref);
  if (type === 'device') return Remotable(iface ?? `Alleged: device ${vref}`);
  if (type !== 'object') throw Error(`unrecognized slot type ${quote(type)}`);
  const presence = makePresence(handler);
  return Remotable(iface ?? `Alleged: presence ${vref}`, undefined, presence);
};
