// The only door to @endo/pass-style in this folder: its verdict decides whatever the fast paths do not know.
//
// The library also carries a helper over eventual sends, so that its modules read the global `HandledPromise`
// while they load. Nothing that is used here calls it. Where nobody has defined one yet, a stand-in takes its
// place for the moment of loading and passes every later use on to whatever the global is by then.

import './stand-in-on.js';

export {
  Far as libraryFar,
  GET_METHOD_NAMES,
  PASS_STYLE,
  Remotable as libraryRemotable,
  ToFarFunction,
  assertPassable,
  getErrorConstructor,
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
