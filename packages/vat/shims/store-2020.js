// The stores of `@agoric/store` and `@agoric/weak-store` of 2020, and their later forms.

import { Fail, quote } from '@endo/errors';
import { hardenForVat } from '../marshal/harden-data.js';
import { VatWeakMap } from '../supervisor/weak-collections.js';
import { assert2020, details } from './assert-2020.js';
import { makeCheckedMap } from './checked-map.js';

/** @param {string} keyName */
const checks2020 = keyName => ({
  failPresent: (/** @type {any} */ key) =>
    assert2020.fail(details`${quote(keyName)} already registered: ${key}`),
  failAbsent: (/** @type {any} */ key) =>
    assert2020.fail(details`${quote(keyName)} not found: ${key}`),
});

/**
 * A map that returns its keys, values and entries as arrays.
 *
 * @param {string} [keyName]  how errors call a key
 */
export const makeStore = (keyName = 'key') => {
  const map = new Map();
  return hardenForVat({
    ...makeCheckedMap(map, checks2020(keyName)),
    keys: () => [...map.keys()],
    values: () => [...map.values()],
    entries: () => [...map.entries()],
  });
};
harden(makeStore);

/** @param {string} [keyName] */
export const makeWeakStore = (keyName = 'key') =>
  hardenForVat(makeCheckedMap(new VatWeakMap(), checks2020(keyName)));
harden(makeWeakStore);

/** @param {string} tag */
const legacyChecks = tag => ({
  failPresent: (/** @type {any} */ key) => Fail`${quote(tag)} already registered: ${key}`,
  failAbsent: (/** @type {any} */ key) => Fail`${quote(tag)} not found: ${key}`,
});

/** @param {string} [tag] */
export const makeLegacyMap = (tag = 'key') => {
  const map = new Map();
  return hardenForVat({
    ...makeCheckedMap(map, legacyChecks(tag)),
    keys: () => map.keys(),
    values: () => map.values(),
    entries: () => map.entries(),
    getSize: () => map.size,
    clear: () => map.clear(),
  });
};
harden(makeLegacyMap);

/** @param {string} [tag] */
export const makeLegacyWeakMap = (tag = 'key') =>
  hardenForVat(makeCheckedMap(new VatWeakMap(), legacyChecks(tag)));
harden(makeLegacyWeakMap);
