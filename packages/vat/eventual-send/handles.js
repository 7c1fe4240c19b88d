// Handles: the knowledge of eventual send about a promise or a presence beyond its public state: who handles messages to it, and what it
// was forwarded to. It is in a private field stamped onto the object itself: faster to read than a weak map
// (docs/v8-in-a-locked-down-realm.md) and just as invisible. Objects are stamped before they are frozen.

import { Stamped } from '../stamped.js';

/**
 * A handler of eventual sends: each method gets the target, its operands, and the promise that was returned to
 * the sender.
 *
 * @typedef {{
 *   get?: (target: any, prop: PropertyKey, returned?: Promise<unknown>) => unknown,
 *   getSendOnly?: (target: any, prop: PropertyKey) => void,
 *   applyFunction?: (target: any, args: any[], returned?: Promise<unknown>) => unknown,
 *   applyFunctionSendOnly?: (target: any, args: any[]) => void,
 *   applyMethod?: (target: any, prop: PropertyKey | undefined, args: any[], returned?: Promise<unknown>) => unknown,
 *   applyMethodSendOnly?: (target: any, prop: PropertyKey | undefined, args: any[]) => void,
 * }} Handler
 */

/**
 * A result that comes later from outside, which a handler may return instead of a promise. The promise is made only
 * when code needs it.
 */
export class Later {
  /** The promise of the result. @returns {Promise<unknown>} */
  get settled() {
    throw Error('a result that comes later is a subclass of this');
  }

  /**
   * Settles the promise of an eventual send with this result.
   *
   * @param {{ resolve: (value: unknown) => void }} settler  of that promise
   */
  awaitBy(settler) {
    settler.resolve(this.settled);
  }
}

export class Handle {
  /** Handler of messages to a promise that is not settled. @type {Handler | undefined} */
  pending = undefined;

  /** The handled promise that this promise was resolved to. @type {Promise<unknown> | undefined} */
  forward = undefined;

  /** The later result that this promise was resolved to, until its promise is made. @type {Later | undefined} */
  later = undefined;

  /** The presence that this promise was resolved to. @type {object | undefined} */
  presence = undefined;

  /** Handler of messages to this presence. @type {Handler | undefined} */
  handler = undefined;

  /** The promise that stands for this presence. @type {Promise<unknown> | undefined} */
  promise = undefined;

  /** The table of references that has the promise or presence, if any. @type {object | undefined} */
  owner = undefined;

  /** Its vref there. */
  vref = '';

  /** The proxy that `E` gave for it. @type {object | undefined} */
  proxy = undefined;

  /** The proxy that `E.sendOnly` gave for it. @type {object | undefined} */
  sendOnlyProxy = undefined;

  /** The outcome of a promise that a vat decides. @type {Outcome | undefined} */
  outcome = undefined;
}

/** @typedef {readonly [rejected: boolean, value: unknown]} Outcome */

class HandleStamp extends Stamped {
  /** @type {Handle} */
  #handle;

  /**
   * @param {object} object  extensible
   * @param {Handle} handle
   */
  constructor(object, handle) {
    super(object);
    this.#handle = handle;
  }

  /** @param {object} object */
  static find(object) {
    return #handle in object ? object.#handle : undefined;
  }
}

/**
 * @param {object} object  extensible, and not stamped before
 * @param {Handle} handle
 */
export const stampHandle = (object, handle) => {
  new HandleStamp(object, handle);
};

/**
 * @param {unknown} value
 * @returns {Handle | undefined}
 */
export const findHandle = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? HandleStamp.find(value)
    : undefined;
