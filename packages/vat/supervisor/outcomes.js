// The outcomes of a vat's promises, as resolutions for the kernel.

import { typeOfVref } from '#model';
import { findHandle } from '../eventual-send/index.js';

/** @import { CapData, Resolution } from '#model' */
/** @import { Marshal } from '../marshal/smallcaps.js' */
/** @import { References } from './references.js' */
/** @import { Refusal } from './supervisor-options.js' */
/** @import { VirtualPart } from './virtual-part.js' */

/** @param {readonly string[]} slots  vrefs */
export const namesPromise = slots => {
  for (let i = 0; i < slots.length; i += 1) if (typeOfVref(slots[i]) === 'promise') return true;
  return false;
};

export class Outcomes {
  #references;

  #marshal;

  #virtual;

  #onRefused;

  /** Outcomes of promises without a handle. @type {WeakMap<Promise<unknown>, [boolean, unknown]>} */
  #known = new WeakMap();

  /**
   * @param {References} references
   * @param {Marshal} marshal
   * @param {VirtualPart} virtual
   * @param {(error: unknown, refusal: Refusal) => void} onRefused
   */
  constructor(references, marshal, virtual, onRefused) {
    this.#references = references;
    this.#marshal = marshal;
    this.#virtual = virtual;
    this.#onRefused = onRefused;
  }

  /**
   * @param {Promise<unknown>} promise
   * @param {boolean} rejected
   * @param {unknown} value  or the reason
   */
  note(promise, rejected, value) {
    const handle = findHandle(promise);
    if (handle === undefined) this.#known.set(promise, [rejected, value]);
    else handle.outcome = [rejected, value];
  }

  /**
   * The resolution of a settled promise. A value that cannot be passed makes it a rejection.
   *
   * @param {string} vref
   * @param {boolean} rejected
   * @param {unknown} value
   * @param {unknown} [object]  the object whose method's result it is, if it is one
   * @param {unknown} [method]
   * @returns {Resolution}
   */
  encode(vref, rejected, value, object, method) {
    /** @type {Resolution} */
    let resolution;
    try {
      resolution = [vref, rejected, this.#marshal.hardenToCapData(value)];
    } catch (error) {
      this.#onRefused(error, { kind: rejected ? 'reason' : 'result', value, object, method });
      resolution = [vref, true, this.#encodeProblem(error)];
    }
    this.#virtual.exportAll(resolution[2].slots);
    return resolution;
  }

  /**
   * Encodes why a value cannot be passed. The vat's own proxies and getters may have thrown it, so it may not pass
   * either.
   *
   * @param {unknown} error
   * @returns {CapData}
   */
  #encodeProblem(error) {
    try {
      return this.#marshal.hardenToCapData(error);
    } catch {
      return this.#marshal.hardenToCapData(TypeError('it cannot be passed to another vat'));
    }
  }

  /**
   * Collects the settlements that follow from what the vat knows: of the promises among `slots`, and of every promise
   * in their data whose outcome is known.
   *
   * @param {Resolution[]} resolutions  added to
   * @param {readonly string[]} slots
   */
  collectKnown(resolutions, slots) {
    if (!namesPromise(slots)) return;
    /** @type {Set<string>} */
    const settled = new Set(resolutions.map(([vref]) => vref));
    // The position in each list of slots: an explicit stack, since the walk may go deep.
    const stack = [{ slots, at: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.at === top.slots.length) {
        stack.pop();
        continue;
      }
      const slot = top.slots[top.at];
      top.at += 1;
      if (typeOfVref(slot) !== 'promise') continue;
      const promise = this.#references.requireValue(slot);
      const outcome = findHandle(promise)?.outcome ?? this.#known.get(promise);
      if (outcome === undefined || settled.has(slot)) continue;
      const resolution = this.encode(slot, outcome[0], outcome[1]);
      // Added before its data is searched, which may name the promise again.
      resolutions.push(resolution);
      settled.add(slot);
      stack.push({ slots: resolution[2].slots, at: 0 });
    }
  }
}
