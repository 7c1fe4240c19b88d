// The only import of @endo/pass-style in this folder: it decides on whatever the fast paths do not handle.
//
// The library also has a helper that uses eventual sends, so its modules read the global `HandledPromise` while they
// load. Nothing used here calls the helper. Where the global is not defined yet, a stand-in replaces it while the
// library loads and passes every later use on to whatever the global is by then.

import './stand-in-on.js';

import { getErrorConstructor as getLibrarysConstructor } from '@endo/pass-style';

export {
  Far as libraryFar,
  GET_METHOD_NAMES,
  PASS_STYLE,
  Remotable as libraryRemotable,
  ToFarFunction,
  assertPassable,
  getInterfaceOf,
  getTag,
  isPassable,
  makeTagged,
  nameForPassableSymbol,
  passStyleOf,
  passableSymbolForName,
  toPassableError,
} from '@endo/pass-style';

import './stand-in-off.js';

/**
 * The class of errors of a name, as vats have it; `undefined` if there is none. The library's `Error` is that of the host
 * program: its `prepareStackTrace` gets every error of the process whose stack is read.
 *
 * @param {string} name
 */
export const getErrorConstructor = name =>
  name === 'Error'
    ? /** @type {ErrorConstructor} */ (Error.prototype.constructor)
    : getLibrarysConstructor(name);
harden(getErrorConstructor);
