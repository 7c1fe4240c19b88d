// The errors of calls: a rejection by the vat, and reasons why a call was not answered.

import { BaseError, freezeErrorClass } from '#model';

/**
 * Why a call has no answer from its vat:
 *
 * - `QUEUE_FULL`: `maxCalls` calls are waiting;
 * - `TIMEOUT`: the answer took longer than the call's timeout;
 * - `STUCK`: nothing is left to run, so the answer cannot come;
 * - `STOPPED`: the simulation was stopped or closed first;
 * - `FAILED`: the run failed; `cause` is its error.
 *
 * @typedef {'QUEUE_FULL' | 'TIMEOUT' | 'STUCK' | 'STOPPED' | 'FAILED'} CallErrorCode
 */

/** The error of a call without an answer from its vat; `code` is the reason. */
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
 * The facts of a rejection.
 *
 * @typedef {object} VatErrorParts
 * @property {string} name  of the vat's error
 * @property {string} message
 * @property {string} vat  name of the answering vat
 * @property {string} method
 * @property {string} [errorId]  id of the original error in the vat's console
 * @property {string} [place]  in the author's file: `vat-bank.js:12:7`
 * @property {readonly string[]} [frames]  in the author's files, innermost first, as lines of a stack
 * @property {string} [hint]  what to do about a usual mistake, for people: "did you mean greet()?"
 * @property {unknown} [reason]  the value of the rejection, if it is not an error
 */

/**
 * The rejection of a call by its vat: an error with the name and message of the vat's error. If the vat runs in this
 * process, the stack has the author's files; otherwise it has the error's id.
 */
export class VatError extends BaseError {
  /** @param {VatErrorParts} parts */
  constructor({ name, message, vat, method, errorId, place, frames = [], hint, reason }) {
    super(message);
    this.name = name;
    this.vat = vat;
    this.method = method;
    this.errorId = errorId;
    this.place = place;
    this.hint = hint;
    this.reason = reason;
    const where =
      frames.length > 0
        ? frames
        : [`    in vat ${vat}${errorId === undefined ? '' : `, ${errorId}`}`];
    const title = `${name}: ${message}${hint === undefined ? '' : `; ${hint}`}`;
    const stack = [title, ...where, `    answering ${vat}.${method}()`].join('\n');
    Object.defineProperty(this, 'stack', { value: stack, writable: true, configurable: true });
    // Not enumerable, so that a log does not repeat the facts in the stack.
    for (const key of ['name', 'vat', 'method', 'errorId', 'place', 'hint', 'reason'])
      Object.defineProperty(this, key, { enumerable: false });
  }
}
freezeErrorClass(VatError);
