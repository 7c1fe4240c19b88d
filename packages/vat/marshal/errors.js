// Errors in bodies: a message, a name and, unless tagging is off, an id under which the sender has logged the original
// with its stack. The receiver makes an error of its own.

import { readError } from '#model';
import { getErrorConstructor, toPassableError } from './pass-style.js';
import { encodeText } from './text.js';

const { defineProperties, entries, fromEntries, hasOwn } = Object;

/**
 * @typedef {object} ErrorOptions
 * @property {string} [marshalName]  part of every error's id; by default `liveSlots:v1`
 * @property {number} [errorIdNum]  the number before the first id; by default 70000
 * @property {{ last: number }} [errorNumbers]  the number of the last error, shared by several marshallers; replaces
 *   `errorIdNum`
 * @property {'on' | 'off'} [errorTagging]
 * @property {(error: Error, errorId: string | undefined) => void} [onError]  called with every error that is sent and
 *   its id; not called where tagging is off
 * @property {(error: Error) => { name: string, message: string } | undefined} [errorPolicy]  returns name and message
 *   to send instead of the error's own; `undefined` for its own
 */

/**
 * @param {ErrorOptions} options
 * @param {(name: string, message: string, errorId: string | undefined) => string} format
 * @returns {(error: Error, rehearsal: boolean) => string}
 */
export const makeErrorEncoder = (
  {
    marshalName = 'liveSlots:v1',
    errorIdNum = 70_000,
    errorNumbers = { last: errorIdNum },
    errorTagging = 'on',
    onError = () => {},
    errorPolicy = () => undefined,
  },
  format,
) => {
  if (errorTagging !== 'on' && errorTagging !== 'off') {
    throw TypeError(`errorTagging is ${JSON.stringify(errorTagging)}; it can be "on" or "off"`);
  }
  return (error, rehearsal) => {
    if (rehearsal) return 'null';
    const { name, message } = errorPolicy(error) ?? readError(error);
    if (errorTagging === 'off') return format(name, message, undefined);
    errorNumbers.last += 1;
    const errorId = `error:${marshalName}#${errorNumbers.last}`;
    assert.note(error, assert.details`Sent as ${errorId}`);
    onError(error, errorId);
    return format(name, message, errorId);
  };
};

/**
 * @param {string} name
 * @param {string} message
 * @param {string | undefined} errorId
 */
export const formatSmallcapsError = (name, message, errorId) =>
  errorId === undefined
    ? `{"#error":${encodeText(message)},"name":${encodeText(name)}}`
    : `{"#error":${encodeText(message)},"errorId":${encodeText(errorId)},"name":${encodeText(name)}}`;

/**
 * Makes a passable error from its encoding. Its `cause` and `errors` are kept if they pass; unknown properties are
 * read, since they must be well formed, and ignored.
 *
 * @param {Record<string, any>} encoding  with an own property `#error`
 * @param {(encoding: any) => unknown} decode
 * @returns {Error}
 */
export const decodeSmallcapsError = (encoding, decode) => {
  const { '#error': encodedMessage, name: encodedName, errorId, cause, errors, ...rest } = encoding;
  if (hasOwn(rest, 'message')) {
    throw Error('an encoded error has its message under "#error", and not under "message" too');
  }
  const name = decode(encodedName);
  const message = decode(encodedMessage);
  if (typeof name !== 'string') {
    throw Error(`the name of an encoded error is a ${typeof name}; it must be a string`);
  }
  if (typeof message !== 'string') {
    throw Error(`the message of an encoded error is a ${typeof message}; it must be a string`);
  }
  const id = /** @type {string | undefined} */ (errorId && decode(errorId));
  const constructor = /** @type {any} */ (getErrorConstructor(name) ?? Error);
  /** @type {Record<string, unknown>} */
  const options = {
    // Only the console shows this name.
    errorName: `Remote${constructor.name}${id === undefined ? '' : `(${id})`}`,
    sanitize: false,
  };
  if (cause) options.cause = decode(cause);
  if (errors) options.errors = decode(errors);
  const error = /** @type {any} */ (assert).makeError(message, constructor, options);
  defineProperties(
    error,
    fromEntries(
      entries(rest).map(([key, value]) => [
        key,
        { value: decode(value), writable: false, enumerable: false, configurable: false },
      ]),
    ),
  );
  return toPassableError(harden(error));
};
