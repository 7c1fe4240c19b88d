// `deeplyFulfilled` of `@endo/pass-style`, over our own eventual send: the library's uses the global `HandledPromise`,
// which outside of a vat does not exist. It takes as many jobs as the library's.

import { getTag, isAtom } from '@endo/pass-style';
import { E } from '../eventual-send/index.js';
import { makeTagged, passStyleOf } from '../marshal/index.js';
import { isPromise } from './promise-kit.js';

const { fromEntries } = Object;
const { ownKeys } = Reflect;

/**
 * A promise for the data with its promises replaced by their values. It is rejected if one of them is, or if something
 * in the data does not pass.
 *
 * @param {any} value
 * @returns {Promise<any>}
 */
export const deeplyFulfilled = async value => {
  if (isAtom(value)) return value;
  if (isPromise(value)) return E.when(value, deeplyFulfilled);
  const style = passStyleOf(value);
  switch (style) {
    case 'copyRecord': {
      const names = /** @type {string[]} */ (ownKeys(value));
      const parts = names.map(name => deeplyFulfilled(value[name]));
      return E.when(Promise.all(parts), (/** @type {unknown[]} */ found) =>
        harden(fromEntries(names.map((name, i) => [name, found[i]]))),
      );
    }
    case 'copyArray': {
      const parts = value.map((/** @type {unknown} */ part) => deeplyFulfilled(part));
      return E.when(Promise.all(parts), harden);
    }
    case 'tagged':
      return E.when(deeplyFulfilled(value.payload), (/** @type {any} */ payload) =>
        makeTagged(getTag(value), payload),
      );
    // Byte arrays, remotables and errors hold no promises.
    default:
      return value;
  }
};
harden(deeplyFulfilled);
