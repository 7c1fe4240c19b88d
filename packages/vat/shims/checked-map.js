// The rule that all stores share, those of 2020 and of today: a key is added once (`init`), and must exist for every
// other operation.

/** @import { VatWeakMap } from '../supervisor/weak-collections.js' */

/**
 * @typedef {object} KeyChecks  throw, each in the words of its store
 * @property {(key: any) => never} failPresent
 * @property {(key: any) => never} failAbsent
 */

/**
 * @param {Map<any, any> | VatWeakMap} map
 * @param {KeyChecks} checks
 */
export const makeCheckedMap = (map, { failPresent, failAbsent }) => ({
  has: (/** @type {any} */ key) => map.has(key),
  init: (/** @type {any} */ key, /** @type {any} */ value) => {
    if (map.has(key)) failPresent(key);
    map.set(key, value);
  },
  get: (/** @type {any} */ key) => {
    if (!map.has(key)) failAbsent(key);
    return map.get(key);
  },
  set: (/** @type {any} */ key, /** @type {any} */ value) => {
    if (!map.has(key)) failAbsent(key);
    map.set(key, value);
  },
  delete: (/** @type {any} */ key) => {
    if (!map.has(key)) failAbsent(key);
    map.delete(key);
  },
});
