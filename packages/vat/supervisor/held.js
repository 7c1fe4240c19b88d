// How a vat's table of references holds what it holds.

import { keepShape } from '#model';

/** @import { Handle } from '../eventual-send/handles.js' */

/**
 * @typedef {{ readonly settled: Promise<unknown>, resolve: (value: any) => void, reject: (reason: any) => void }} PromiseKit
 */

/**
 * How the table holds an import, or an export that nobody reaches: the vat alone decides how long it lives. But it is
 * asked for that now and then only, and in between nothing may be gone: a class whose constructor returns what it is given
 * marks a presence with a private field, and would find another one unmarked when the engine has collected the first. So
 * the table lets go of the value while a collection runs in which the vat is asked, and at no other time.
 */
export class Collectable {
  /**
   * @param {string} vref
   * @param {object} value
   * @param {{ deref: () => any }} ref  to the value. Made long before a collection: the engine keeps what a new one, or one
   *   that was asked, leads to until the job is over
   * @param {boolean} isTold  whether the kernel knows it; virtual data may have what the kernel does not
   */
  constructor(vref, value, ref, isTold) {
    this.vref = vref;
    /** Undefined while a collection runs, and for good if nothing reached it then. @type {object | undefined} */
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
   * @param {Promise<unknown> | undefined} promise  the one that the vat knows, if it is made already
   * @param {Handle | undefined} handle  of that
   */
  constructor(vref, kit, promise, handle) {
    this.vref = vref;
    this.kit = kit;
    this.promise = promise;
    this.handle = handle;
  }
}

keepShape(new Awaited('', /** @type {any} */ (undefined), undefined, undefined));
