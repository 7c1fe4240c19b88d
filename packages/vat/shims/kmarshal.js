// `@agoric/kmarshal`: makes and reads capdata without a c-list, with objects that stand for krefs. For vats and tests
// that look at the kernel's data.

import { Fail } from '@endo/errors';
import { makeMarshal } from '@endo/marshal';
import { Far, passStyleOf } from '../marshal/index.js';

const { toStringTag } = Symbol;
const alleged = 'Alleged: ';

/** Promises of vats, of the kernel, and of the two sides of a connection to another machine. */
const promisePattern = /^(?:p|kp|lp|rp)/;

/**
 * Makes a promise that stands for a reference, which is its tag.
 *
 * @param {string} kref
 */
export const makeStandinPromise = kref => {
  const promise = Promise.resolve(`${kref} stand in`);
  Object.defineProperty(promise, toStringTag, { value: kref, enumerable: false });
  return harden(promise);
};
harden(makeStandinPromise);

/**
 * Makes the stand-in of a reference: a promise or a remotable.
 *
 * @param {string} kref
 * @param {string} [iface]
 * @returns {any}
 */
export const kslot = (kref, iface = 'undefined') => {
  typeof kref === 'string' || Fail`a kref is a string, got ${kref}`;
  if (promisePattern.test(kref)) return makeStandinPromise(kref);
  const name = iface.startsWith(alleged) ? iface.slice(alleged.length) : iface;
  return Far(name, { iface: () => name, getKref: () => kref });
};
harden(kslot);

/**
 * The reference that an object or promise of `kslot` stands for.
 *
 * @param {any} value
 * @returns {string}
 */
export const krefOf = value => {
  const style = passStyleOf(value);
  if (style === 'promise') {
    const kref = Object.getOwnPropertyDescriptor(value, toStringTag)?.value;
    return typeof kref === 'string' ? kref : Fail`the promise stands for no kref`;
  }
  style === 'remotable' || Fail`krefOf requires a promise or remotable`;
  return typeof value.getKref === 'function'
    ? value.getKref()
    : Fail`the object stands for no kref: it has no method getKref`;
};
harden(krefOf);

const { toCapData, fromCapData } = makeMarshal(krefOf, kslot, {
  serializeBodyFormat: 'smallcaps',
  errorTagging: 'off',
});

/** @param {any} value  whose references are from `kslot` */
export const kser = value => toCapData(harden(value));
harden(kser);

/** @param {{ body: string, slots: string[] }} data */
export const kunser = data => fromCapData(data);
harden(kunser);

/**
 * Capdata of an error.
 *
 * @param {string} message
 */
export const makeError = message => {
  typeof message === 'string' || Fail`a message is a string, got ${message}`;
  return kser(Error(message));
};
harden(makeError);

export const kmarshalShim = { krefOf, kser, kslot, kunser, makeError, makeStandinPromise };
