// Handlers of messages to objects and promises outside this vat: they pass them to the supervisor, with the target's vref.

import { keepShape } from '#model';
import { E } from '../eventual-send/index.js';

/** @import { Handler, Later } from '../eventual-send/handles.js' */

/**
 * @typedef {(target: string, method: PropertyKey | undefined, args: any[], returned: Promise<unknown> | undefined) =>
 *   Promise<unknown> | Later} QueueMessage  returns the promise of the result, or its stand-in
 */

/**
 * Callbacks for each property that a vat reads of an object of another vat, by the vat's `queueMessage`. The property is
 * undefined, as in SwingSet, and the vat does not learn why.
 *
 * @type {WeakMap<QueueMessage, (prop: PropertyKey) => void>}
 */
const readWatches = new WeakMap();

/** @param {QueueMessage} queueMessage @param {(prop: PropertyKey) => void} onRead */
export const watchReads = (queueMessage, onRead) => void readWatches.set(queueMessage, onRead);

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
   * Reads a property of an object of another vat: always undefined, since a presence has none.
   *
   * @param {any} presence
   * @param {PropertyKey} prop
   */
  get(presence, prop) {
    readWatches.get(this.queueMessage)?.(prop);
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
   * Written explicitly, since the implicit constructor spreads its arguments, which is slow in a locked-down realm
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
 * Handles messages to an object or a promise for vats of 2020, which have only method calls.
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
}
