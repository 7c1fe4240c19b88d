// Converts arguments to capdata in krefs, and answers to values. Only this file reads answers of vats: plain data comes
// as data, objects as handles, promises as promises, errors as errors.

import { isErrorLike, isPromiseKref, quote, UserError } from '#model';
import { makeQclassMarshal, makeSmallcapsMarshal } from '#vat';
import { makeCopier } from './copy-arguments.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { Handles, Handle } from './handles.js' */

/**
 * Maps promises of vats to promises of the host, and back.
 *
 * @typedef {object} PromiseTable
 * @property {(kref: string) => Promise<unknown>} take  the promise of a kref, which the host holds until it settles
 * @property {(promise: object) => string | undefined} krefOf  the kref of an unresolved promise
 */

/**
 * @param {object} powers
 * @param {Kernel['profile']} powers.profile
 * @param {Handles} powers.handles
 * @param {PromiseTable} powers.promises
 */
export const makeHostValues = ({ profile, handles, promises }) => {
  /** Handles taken for the current value, which are released if it cannot be read. @type {Handle[]} */
  let taken = [];

  /** @param {object} value */
  const slotOf = value => promises.krefOf(value) ?? handles.require(value).kref;

  /** @param {string} kref @param {string | undefined} iface */
  const valueOf = (kref, iface) => {
    if (isPromiseKref(kref)) return promises.take(kref);
    const handle = handles.take(kref, iface);
    taken.push(handle);
    return handle;
  };

  const make = profile.wire.name === 'qclass' ? makeQclassMarshal : makeSmallcapsMarshal;
  const marshal = make(slotOf, valueOf, { marshalName: 'host' });

  /** @param {object} value */
  const isReference = value => handles.isHandle(value) || promises.krefOf(value) !== undefined;

  /**
   * @param {string} subject
   * @param {unknown} value
   */
  const copy = (subject, value) => makeCopier(subject, isReference)(value);

  return Object.freeze({
    /**
     * Encode a method and its arguments for a message.
     *
     * @param {string} subject  name of the target
     * @param {string} method
     * @param {readonly unknown[]} args  plain data, handles, and promises of answers; copied
     * @returns {{ name: string, data: CapData }} `bank.balance()`, for messages, and the message in krefs
     * @throws {UserError} if the method is not a name, or an argument cannot be passed
     */
    encodeCall(subject, method, args) {
      if (typeof method !== 'string' || method === '')
        throw new UserError(`a method's name is a string, got ${quote(method)}`);
      const name = `${subject}.${method}()`;
      if (!Array.isArray(args))
        throw new UserError(
          `the arguments of ${name} are an array, got ${args === null ? 'null' : typeof args}; write [argument, …]`,
        );
      const copied = args.map((each, i) =>
        typeof each === 'object' || typeof each === 'function'
          ? copy(`argument ${i + 1} of ${name}`, each)
          : each,
      );
      try {
        return { name, data: marshal.messageToCapData(method, copied) };
      } catch (error) {
        if (UserError.is(error)) throw error;
        const { message } = /** @type {Error} */ (error);
        throw new UserError(`the arguments of ${name} cannot be passed: ${message}`, {
          cause: error,
        });
      }
    },

    /**
     * Decode a vat's answer, and hold the objects in it. Between cranks.
     *
     * @param {string} name  of messages: `bank.balance()`
     * @param {CapData} data  in krefs
     * @returns {unknown}
     * @throws {UserError} if it is not capdata: a raw vat may answer anything
     */
    decode(name, data) {
      taken = [];
      try {
        return marshal.fromCapData(data);
      } catch (error) {
        for (const handle of taken) handles.release(handle);
        const { message } = /** @type {Error} */ (error);
        throw new UserError(`the answer of ${name} cannot be read: ${quote(message)}`, {
          exitCode: 1,
          cause: error,
        });
      } finally {
        taken = [];
      }
    },

    /** @param {unknown} value  decoded @returns {value is Error} */
    isError: value => isErrorLike(value),
  });
};

/** @typedef {ReturnType<typeof makeHostValues>} HostValues */
