// The errors of calls: what a vat rejected with, and why a call was not answered.

import { BaseError, freezeErrorClass } from '#model';

/**
 * Why a call has no answer from its vat:
 *
 * - `QUEUE_FULL`: as many calls are waiting as may be;
 * - `TIMEOUT`: the answer took longer than the call's bound;
 * - `STUCK`: nothing is left to run, so the answer cannot come;
 * - `STOPPED`: the simulation was stopped or closed first;
 * - `FAILED`: the run failed, `cause` says how.
 *
 * @typedef {'QUEUE_FULL' | 'TIMEOUT' | 'STUCK' | 'STOPPED' | 'FAILED'} CallErrorCode
 */

/** A call that has no answer from its vat; `code` says why, for programs. */
export class CallError extends BaseError {
  /**
   * @param {CallErrorCode} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, { cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CallError';
    this.code = code;
  }
}
freezeErrorClass(CallError);

/**
 * The known facts of a rejection.
 *
 * @typedef {object} VatErrorParts
 * @property {string} name  of the vat's error
 * @property {string} message
 * @property {string} vat  whose answer it is
 * @property {string} method
 * @property {string} [errorId]  under which the vat's console has the original
 * @property {string} [place]  in the author's file: `vat-bank.js:12:7`
 * @property {readonly string[]} [frames]  the author's, innermost first, as lines of a stack
 * @property {unknown} [reason]  if it is no error: what the promise was rejected with
 */

/**
 * The rejection of a call by its vat: an error with the name and the message of the vat's own. While the vat runs in this
 * process its stack is that of the author's files; else it names the error's id.
 */
export class VatError extends BaseError {
  /** @param {VatErrorParts} parts */
  constructor({ name, message, vat, method, errorId, place, frames = [], reason }) {
    super(message);
    this.name = name;
    this.vat = vat;
    this.method = method;
    this.errorId = errorId;
    this.place = place;
    this.reason = reason;
    const where =
      frames.length > 0
        ? frames
        : [`    in vat ${vat}${errorId === undefined ? '' : `, ${errorId}`}`];
    const stack = [`${name}: ${message}`, ...where, `    answering ${vat}.${method}()`].join('\n');
    Object.defineProperty(this, 'stack', { value: stack, writable: true, configurable: true });
    // A log of the error has what is not in its stack once.
    for (const key of ['name', 'vat', 'method', 'errorId', 'place', 'reason'])
      Object.defineProperty(this, key, { enumerable: false });
  }
}
freezeErrorClass(VatError);
