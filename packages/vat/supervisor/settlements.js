// Reports to the kernel the settlement of each promise that a vat decides.

import { typeOfVref } from '#model';
import { findHandle, HandledPromise } from '../eventual-send/index.js';
import { namesPromise } from './outcomes.js';

/** @import { Resolution } from '#model' */
/** @import { LaterCall } from '../eventual-send/index.js' */
/** @import { Outcomes } from './outcomes.js' */
/** @import { References } from './references.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { VatSlots } from './vat-slots.js' */

export class Settlements {
  #syscalls;

  #references;

  #slots;

  #outcomes;

  /**
   * @param {SyscallBuffer} syscalls
   * @param {References} references
   * @param {VatSlots} slots
   * @param {Outcomes} outcomes
   */
  constructor(syscalls, references, slots, outcomes) {
    this.#syscalls = syscalls;
    this.#references = references;
    this.#slots = slots;
    this.#outcomes = outcomes;
    this.settleCall = this.settleCall.bind(this);
  }

  /**
   * Tells the kernel when a promise that this vat decides is settled.
   *
   * @param {string} vref
   * @param {Promise<unknown>} promise
   * @param {unknown} [object]  the object whose method's result it is, if it is one
   * @param {unknown} [method]
   */
  follow(vref, promise, object, method) {
    this.#slots.decided.set(vref, promise);
    HandledPromise.resolve(promise).then(
      (/** @type {unknown} */ value) =>
        this.#settleFollowed(vref, promise, false, value, object, method),
      (/** @type {unknown} */ reason) =>
        this.#settleFollowed(vref, promise, true, reason, object, method),
    );
  }

  /**
   * Settles or follows the promises that outgoing data names: settles those whose outcome is known, follows the others.
   *
   * @param {readonly string[]} slots
   */
  tellOf(slots) {
    if (!namesPromise(slots)) return;
    const mentioned = new Set(slots);
    /** @type {Resolution[]} */
    const resolutions = [];
    this.#outcomes.collectKnown(resolutions, slots);
    if (resolutions.length > 0) this.#settleWithKernel(resolutions, mentioned);
    this.#followNew(mentioned);
  }

  /**
   * Settles the result of a message.
   *
   * @param {LaterCall} call
   * @param {boolean} rejected
   * @param {unknown} value  or the reason
   */
  settleCall(call, rejected, value) {
    const { vref, target, method, madePromise } = call;
    const handle = findHandle(madePromise);
    if (handle !== undefined) handle.outcome = [rejected, value];
    const resolution = this.#outcomes.encode(vref, rejected, value, target, method);
    if (namesPromise(resolution[2].slots)) {
      this.#settleWithData(resolution);
      return;
    }
    this.#syscalls.resolve([resolution]);
    this.#references.forgetCall(call);
  }

  /**
   * @param {string} vref
   * @param {Promise<unknown>} promise
   * @param {boolean} rejected
   * @param {unknown} value  or the reason
   * @param {unknown} object  the object whose method's result it is, if it is one
   * @param {unknown} method
   */
  #settleFollowed(vref, promise, rejected, value, object, method) {
    this.#outcomes.note(promise, rejected, value);
    const resolution = this.#outcomes.encode(vref, rejected, value, object, method);
    if (namesPromise(resolution[2].slots)) {
      this.#settleWithData(resolution);
      return;
    }
    // Nearly every result is plain data, or names only objects.
    this.#syscalls.resolve([resolution]);
    this.#references.forget(vref);
    this.#slots.decided.delete(vref);
  }

  /** @param {Resolution} resolution  whose data names promises */
  #settleWithData(resolution) {
    const resolutions = [resolution];
    this.#outcomes.collectKnown(resolutions, resolution[2].slots);
    /** @type {Set<string>} */
    const mentioned = new Set();
    this.#settleWithKernel(resolutions, mentioned);
    this.#followNew(mentioned);
  }

  /**
   * Settles promises with the kernel, which retires their vrefs.
   *
   * @param {Resolution[]} resolutions
   * @param {Set<string>} mentioned  vrefs that the kernel knows; those in the data are added
   */
  #settleWithKernel(resolutions, mentioned) {
    this.#syscalls.resolve(resolutions);
    for (const [, , { slots }] of resolutions) for (const slot of slots) mentioned.add(slot);
    for (const [vref] of resolutions) {
      mentioned.delete(vref);
      this.#references.forget(vref);
      this.#slots.decided.delete(vref);
    }
  }

  /** @param {Iterable<string>} vrefs  that the kernel knows, in any order */
  #followNew(vrefs) {
    for (const vref of [...vrefs].sort()) {
      if (typeOfVref(vref) !== 'promise' || this.#slots.isDecided(vref)) continue;
      this.follow(vref, this.#references.requireValue(vref));
    }
  }
}
