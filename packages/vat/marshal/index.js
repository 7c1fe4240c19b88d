export { Far, makeImported, Remotable, Remotable2020 } from './far.js';
export { hardenData, hardenForVat } from './harden-data.js';
export {
  GET_METHOD_NAMES,
  PASS_STYLE,
  ToFarFunction,
  assertPassable,
  getErrorConstructor,
  getTag,
  isPassable,
  makeTagged,
} from './pass-style.js';
export {
  findMark,
  quickInterfaceOf as getInterfaceOf,
  quickPassStyleOf as passStyleOf,
} from './references.js';
export { makeQclassMarshal } from './qclass.js';
export { makeSmallcapsMarshal } from './smallcaps.js';
