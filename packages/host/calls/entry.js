// A call of the host program from the moment it is made, and what the store says of it.

import { types } from 'node:util';
import { UserError } from '#model';
import { makeVatError } from './vat-errors.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { FindReport } from './vat-errors.js' */

/**
 * An input that enters between two blocks. It is answered once that block is committed, unless it waits for a result.
 *
 * @typedef {import('./deadlines.js').Bounded & EntryParts} Entry
 */

/**
 * @typedef {object} EntryParts
 * @property {string} name  of messages: `bank.balance()`
 * @property {() => string | undefined} enter  gives it to the kernel; returns the result to wait for, if any
 * @property {string} vat  whose answer it is
 * @property {string} method
 * @property {(value: any) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {string | undefined} result  once it has entered
 * @property {boolean} isRecorded  the state says that it waits
 * @property {boolean} isOver  answered or given up
 */

/**
 * An entry, of one shape whatever it is of.
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
 * The way to tell a caller the answer, or that there can be none.
 *
 * @typedef {{ tell: () => void, reject: (reason: unknown) => void }} Answer
 */

/** @typedef {(kref: string) => string | undefined} ExplainPending  who is to decide a promise */

/**
 * @typedef {object} CallPowers
 * @property {Kernel} kernel
 * @property {(name: string) => string} requireVat  the id of a vat, or a UserError
 * @property {FindReport} findReport  what is known here of an error that left a vat
 * @property {() => Promise<void> | undefined} durable  when what is committed is as durable as was asked for; undefined: now
 * @property {() => ExplainPending} makeExplainer  explains pending promises, as they are now
 * @property {(entries: number) => void} wake  something waits to enter
 * @property {number} maxCalls  that may wait
 * @property {number} timeoutMs  of a call that names no other
 */

export const callKey = (/** @type {string} */ kref) => /** @type {const} */ (`host.call.${kref}`);
export const promiseKey = (/** @type {string} */ kref) =>
  /** @type {const} */ (`host.promise.${kref}`);
export const stale = /^host\.(call|promise)\.(kp\d+)$/;

/**
 * Read what a call's promise has settled to.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<typeof import('./host-values.js').makeHostValues>} values
 * @param {FindReport} findReport
 * @param {Entry} entry
 * @param {string} kref  settled
 * @returns {() => void}  tells it
 */
export const readAnswer = (kernel, values, findReport, entry, kref) => {
  const status = kernel.promiseStatus(kref);
  const data = /** @type {CapData} */ (status.data);
  try {
    const value = values.decode(entry.name, data);
    if (status.state !== 'rejected') {
      // Only a raw vat answers so. The caller would wait for another promise, which has no bound.
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
