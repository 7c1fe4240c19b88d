// The modules that vats of 2020 import, and what today's vats still take from that family.

import { Nat as todaysNat, isNat } from '@endo/nat';
import { E, HandledPromise } from '../eventual-send/index.js';
import { assertShim } from './assert-2020.js';
import { kmarshalShim } from './kmarshal.js';
import { marshalShim2020 } from './marshal-2020.js';
import { isPromise, makePromiseKit } from './promise-kit.js';
import { sameStructureShim } from './same-structure.js';
import * as scalarStores from './scalar-stores.js';
import { makeLegacyMap, makeLegacyWeakMap, makeStore, makeWeakStore } from './store-2020.js';
import { TimeMath } from './time-math.js';
import { makeVatDataModule } from './vat-data-module.js';
import { vatDataPlain } from './vat-data-plain.js';
import { makeVatDataParts } from './vat-data.js';

/**
 * Returns the number itself, if it is a whole number from 0 to 2^53-1. Vats of 2020 had it as the default export; the
 * named export `Nat` came later, and makes a bigint.
 *
 * @param {unknown} value
 * @returns {number}
 * @throws {RangeError}
 */
const Nat2020 = value => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw RangeError('not a safe integer');
  }
  if (value < 0) throw RangeError('negative');
  return value;
};

/** @returns {Record<string, Record<string, unknown>>} exports by module name */
export const makeAgoricShims = () => ({
  '@agoric/assert': assertShim,
  '@agoric/eventual-send': { E, HandledPromise },
  '@agoric/harden': { default: harden },
  '@agoric/kmarshal': kmarshalShim,
  '@agoric/marshal': marshalShim2020,
  '@agoric/nat': { default: Nat2020, Nat: todaysNat, isNat },
  '@agoric/produce-promise': { isPromise, producePromise: makePromiseKit },
  '@agoric/promise-kit': { isPromise, makePromiseKit },
  '@agoric/same-structure': sameStructureShim,
  '@agoric/store': {
    default: makeStore,
    makeLegacyMap,
    makeLegacyWeakMap,
    makeStore,
    makeWeakStore,
    ...scalarStores,
  },
  '@agoric/time': { TimeMath },
  // The names only; the host gives each vat its own exports.
  '@agoric/vat-data': {
    ...vatDataPlain,
    ...makeVatDataModule(makeVatDataParts().VatData, undefined, vatDataPlain.provide),
  },
  '@agoric/weak-store': { default: makeWeakStore },
});
