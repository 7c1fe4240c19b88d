// The entry of a call, and its keys in the state.

import { types } from 'node:util';
import { UserError } from '#model';
import { makeVatError } from './vat-errors.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { FindReport } from './vat-errors.js' */

/**
 * An input that enters the run between two blocks. It is answered when that block is committed, unless it waits for a
 * result.
 *
 * @typedef {import('./deadlines.js').Bounded & EntryParts} Entry
 */

/**
 * @typedef {object} EntryParts
 * @property {string} name  for messages: `bank.balance()`
 * @property {() => string | undefined} enter  gives it to the kernel; returns the result to wait for, if any
 * @property {string} vat  name of the answering vat
 * @property {string} method
 * @property {(value: any) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {string | undefined} result  kref of the result; undefined before it has entered
 * @property {boolean} isRecorded  whether the state records that it waits
 * @property {boolean} isOver  whether it was answered or abandoned
 */

/**
 * Make an entry. All entries have one shape, for the engine's caches.
 *
 * @param {Pick<Entry, 'name' | 'vat' | 'method' | 'enter' | 'resolve' | 'reject'>} parts
 * @returns {Entry}
 */
export const makeEntry = ({ name, vat, method, enter, resolve, reject }) => ({
  name,
  enter,
  vat,
  method,
  resolve,
  reject,
  result: undefined,
  isRecorded: false,
  isOver: false,
  deadlineMs: 0,
  boundMs: 0,
  before: undefined,
  behind: undefined,
});

/**
 * The callbacks that answer a caller.
 *
 * @typedef {{ tell: () => void, reject: (reason: unknown) => void }} Answer
 */

/** @typedef {(kref: string) => string | undefined} ExplainPending  says who decides a promise */

/**
 * @typedef {object} CallPowers
 * @property {Kernel} kernel
 * @property {(name: string) => string} requireVat  the id of a vat, or a UserError
 * @property {FindReport} findReport  finds the report of an error that left a vat
 * @property {(vat: string) => string | undefined} explainEnded  says why a vat, or the run, takes no messages any more
 * @property {() => Promise<void> | undefined} durable  settles when all commits are as durable as requested; undefined:
 *   now
 * @property {() => ExplainPending} makeExplainer  makes an explainer of the present pending promises
 * @property {(entries: number) => void} wake  called when entries wait
 * @property {number} maxCalls  bound on waiting calls
 * @property {number} timeoutMs  default timeout of a call
 */

export const callKey = (/** @type {string} */ kref) => /** @type {const} */ (`host.call.${kref}`);
export const promiseKey = (/** @type {string} */ kref) =>
  /** @type {const} */ (`host.promise.${kref}`);
export const stale = /^host\.(call|promise)\.(kp\d+)$/;

/**
 * Read the resolution of a call's promise.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<typeof import('./host-values.js').makeHostValues>} values
 * @param {FindReport} findReport
 * @param {Entry} entry
 * @param {string} kref  settled
 * @returns {() => void}  answers the caller
 */
export const readAnswer = (kernel, values, findReport, entry, kref) => {
  const status = kernel.promiseStatus(kref);
  const data = /** @type {CapData} */ (status.data);
  try {
    const value = values.decode(entry.name, data);
    if (status.state !== 'rejected') {
      // Only a raw vat can answer with a promise. The caller would wait for it without a timeout.
      if (types.isPromise(value))
        throw new UserError(
          `the answer of ${entry.name} cannot be read: it is a promise alone; a vat resolves its result to what that comes to`,
          { exitCode: 1 },
        );
      return () => entry.resolve(value);
    }
    const error = makeVatError(value, data, entry, findReport);
    return () => entry.reject(error);
  } catch (error) {
    if (!UserError.is(error)) throw error;
    return () => entry.reject(error);
  }
};
