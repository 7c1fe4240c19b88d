// Entries of a vat's table of references.

import { keepShape } from '#model';

/** @import { Handle } from '../eventual-send/handles.js' */

/**
 * @typedef {{ readonly settled: Promise<unknown>, resolve: (value: any) => void, reject: (reason: any) => void }} PromiseKit
 */

/**
 * An entry of an import, or of an export that nobody reaches: the vat alone decides how long it lives. But the vat is
 * asked only now and then, and in between nothing may go: a class whose constructor returns its argument marks a
 * presence with a private field, and would find another, unmarked presence if the engine had collected the first. So
 * the table releases the value only during the collection for which the vat is asked.
 */
export class Collectable {
  /**
   * @param {string} vref
   * @param {object} value
   * @param {{ deref: () => any }} ref  to the value. Made long before a collection, since the engine keeps the target
   *   of a weak reference that was made or read in the same job
   * @param {boolean} isTold  whether the kernel knows it; virtual data may name objects that the kernel does not know
   */
  constructor(vref, value, ref, isTold) {
    this.vref = vref;
    /** Undefined while a collection runs, and afterwards if nothing else reached it. @type {object | undefined} */
    this.value = value;
    this.ref = ref;
    this.isTold = isTold;
  }
}

/** A promise that the kernel knows and will settle for the vat. */
export class Awaited {
  /**
   * @param {string} vref
   * @param {PromiseKit} kit  settles it
   * @param {Promise<unknown> | undefined} promise  the promise that the vat knows, if it is made already
   * @param {Handle | undefined} handle  of that promise
   */
  constructor(vref, kit, promise, handle) {
    this.vref = vref;
    this.kit = kit;
    this.promise = promise;
    this.handle = handle;
  }
}

keepShape(new Awaited('', /** @type {any} */ (undefined), undefined, undefined));
