// The `harden` that vats have, given proxies that say something else before they are frozen than after it.

import '#testkit/lockdown.js';
import test from 'ava';
import { hardenData, hardenForVat } from '../marshal/harden-data.js';

/**
 * A proxy that leaves out its target's property `inner` until it is frozen.
 *
 * @param {object} target
 */
const hideUntilFrozen = target => {
  let isHidden = true;
  return new Proxy(target, {
    ownKeys: () => Reflect.ownKeys(target).filter(key => !isHidden || key !== 'inner'),
    preventExtensions: () => {
      isHidden = false;
      return Reflect.preventExtensions(target);
    },
  });
};

const makers = {
  function: () => () => {},
  'async function': () => async () => {},
  promise: () => Promise.resolve(),
  record: () => ({}),
  array: () => [],
  'object of a class': () => Object.create(harden({})),
};

for (const [kind, make] of Object.entries(makers)) {
  for (const harden of [hardenData, hardenForVat]) {
    test(`${harden.name} reaches what a proxy of a ${kind} hid`, t => {
      const inner = { list: [] };
      const proxy = hideUntilFrozen(Object.assign(make(), { inner }));
      const hardened = harden({ proxy });
      t.true(Object.isFrozen(hardened.proxy));
      t.is(/** @type {any} */ (hardened.proxy).inner, inner);
      t.true(Object.isFrozen(inner));
      t.true(Object.isFrozen(inner.list));
    });
  }
}
