// Handlers of messages to objects and promises outside this vat: they pass them to the supervisor, with the target's vref.

import { keepShape } from '#model';
import { E } from '../eventual-send/index.js';

/** @import { Handler, Later } from '../eventual-send/handles.js' */

/**
 * @typedef {(target: string, method: PropertyKey | undefined, args: any[], returned: Promise<unknown> | undefined) =>
 *   Promise<unknown> | Later} QueueMessage  gives what stands for the result
 */

/**
 * Handles messages to an object of another vat.
 *
 * @implements {Handler}
 */
export class RemoteObject {
  /**
   * @param {string} vref
   * @param {QueueMessage} queueMessage
   */
  constructor(vref, queueMessage) {
    this.vref = vref;
    this.queueMessage = queueMessage;
  }

  /**
   * @param {unknown} _target
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   * @param {Promise<unknown>} [returned]
   */
  applyMethod(_target, method, args, returned) {
    return this.queueMessage(this.vref, method, args, returned);
  }

  /**
   * @param {unknown} _target
   * @param {any[]} args
   * @param {Promise<unknown>} [returned]
   */
  applyFunction(_target, args, returned) {
    return this.queueMessage(this.vref, undefined, args, returned);
  }

  /**
   * Properties of objects in other vats cannot be read: a presence has none.
   *
   * @param {any} presence
   * @param {PropertyKey} prop
   */
  get(presence, prop) {
    return presence[prop];
  }
}

/**
 * Handles messages to a promise that the kernel will settle.
 *
 * @implements {Handler}
 */
export class RemotePromise extends RemoteObject {
  /**
   * A constructor that is not written spreads its arguments, which is slow in a locked-down realm
   * (docs/v8-in-a-locked-down-realm.md).
   *
   * @param {string} vref
   * @param {QueueMessage} queueMessage
   */
  constructor(vref, queueMessage) {
    super(vref, queueMessage);
  }

  /**
   * @param {any} promise
   * @param {PropertyKey} prop
   */
  get(promise, prop) {
    return E.when(promise, (/** @type {any} */ value) => value[prop]);
  }
}

keepShape(new RemotePromise('', /** @type {any} */ (undefined)));

/**
 * Handles messages to an object or a promise for vats of 2020, which know methods only.
 *
 * @implements {Handler}
 */
export class Remote2020 {
  /**
   * @param {string} vref
   * @param {QueueMessage} queueMessage
   */
  constructor(vref, queueMessage) {
    this.vref = vref;
    this.queueMessage = queueMessage;
  }

  /**
   * @param {unknown} _target
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   * @param {Promise<unknown>} [returned]
   */
  applyMethod(_target, method, args, returned) {
    return this.queueMessage(this.vref, method, args, returned);
  }

  /**
   * The 2020 runtime read properties of what a promise became, and presences have none.
   *
   * @param {any} target
   * @param {PropertyKey} prop
   */
  get(target, prop) {
    return E.when(target, (/** @type {any} */ value) => value[prop]);
  }
}
