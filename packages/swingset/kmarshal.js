// Tokens for krefs in arguments and results of the host program: `kslot(kref)` makes one, `krefOf` reads it. Tokens of
// `@agoric/kmarshal` work, too, since tokens are recognised by their form, not by their maker.

import { ensureLockdown } from '#host';
import { quote, UserError, withArticle } from '#model';

/** @import { CapData } from '#model' */

// The modules of #vat can only be loaded into a locked-down realm.
await ensureLockdown();
const { makeSmallcapsMarshal, passStyleOf, Remotable } = await import('#vat');

const krefPattern = /^(?:k[opd]|[opd][+-]|[lr][opd]?)\d/;

/** @param {string} kref @returns {Promise<string>} */
const makePromise = kref => {
  const promise = Promise.resolve(`${kref} stand in`);
  Object.defineProperty(promise, Symbol.toStringTag, { value: kref, enumerable: false });
  return harden(promise);
};

/**
 * Make a token for a kref: a promise or a remotable.
 *
 * @param {string} kref
 * @param {string} [iface]  the object's interface
 * @returns {any}
 * @throws {UserError} if the kref is not a string
 */
export const kslot = (kref, iface = 'undefined') => {
  if (typeof kref !== 'string')
    throw new UserError(`kslot(kref): the kref must be a string, got ${typeof kref}`);
  if (/^(?:k|l|r)?p/.test(kref)) return makePromise(kref);
  const plain = iface.startsWith('Alleged: ') ? iface.slice('Alleged: '.length) : iface;
  return Remotable(`Alleged: ${plain}`, undefined, { iface: () => plain, getKref: () => kref });
};

/**
 * The kref of a token.
 *
 * @param {any} token  made by `kslot`, here or in `@agoric/kmarshal`
 * @returns {string}
 * @throws {UserError} if it is not a token
 */
export const krefOf = token => {
  const style = passStyleOf(token);
  /** @type {unknown} */
  let kref;
  if (style === 'promise') kref = Object.getOwnPropertyDescriptor(token, Symbol.toStringTag)?.value;
  else if (style === 'remotable' && typeof token.getKref === 'function') kref = token.getKref();
  if (typeof kref === 'string' && krefPattern.test(kref)) return kref;
  throw new UserError(
    `${withArticle(style)} of the host program cannot be sent; only what kslot(kref) makes stands for something in a vat`,
  );
};

/** @param {unknown} value */
const ifaceOf = value => /** @type {any} */ (value);

const marshal = makeSmallcapsMarshal(
  /** @type {any} */ (krefOf),
  (/** @type {string} */ kref, /** @type {string | undefined} */ iface) => kslot(kref, iface),
  { lenient: true, marshalName: 'host' },
);

/** Convert a value to capdata in krefs. @param {unknown} value @returns {CapData} */
export const kser = value => marshal.hardenToCapData(ifaceOf(value));

/** Convert capdata in krefs to a value. @param {CapData} capdata @returns {any} */
export const kunser = capdata => marshal.fromCapData(capdata);

/**
 * Convert method and arguments of a message to capdata in krefs.
 *
 * @param {string | symbol} method
 * @param {unknown[]} args
 * @returns {CapData}
 * @throws {UserError} if an argument cannot be sent
 */
export const serialiseMessage = (method, args) => {
  try {
    return marshal.hardenToCapData(harden([method, args]));
  } catch (error) {
    if (UserError.is(error)) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`the arguments of ${quote(String(method))} cannot be sent: ${message}`, {
      cause: error,
    });
  }
};
