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

test("a vat's harden has the name and length of SES's", t => {
  t.is(hardenForVat.name, 'harden');
  t.is(hardenForVat.length, 1);
});

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

test('what was walked is not walked again, and what is added to it later is', t => {
  const pattern = hardenForVat({ kind: ['a', { b: {} }, { c: {} }] });
  t.true(Object.isFrozen(pattern.kind[1]));
  const list = hardenForVat([pattern, { fresh: { inner: [] } }]);
  t.true(Object.isFrozen(/** @type {any} */ (list[1]).fresh.inner));
  // A record that only looks hardened has no entry.
  const inner = { list: [1, {}, {}] };
  const frozen = Object.freeze({ inner, more: Object.freeze([{}, {}, {}]) });
  hardenForVat([frozen]);
  t.true(Object.isFrozen(inner.list[1]));
  t.true(Object.isFrozen(frozen.more[2]));
});

test('a walk that finds something that is not plain keeps no entry of it', t => {
  const inner = { list: [{}, {}, {}, {}] };
  const odd = {
    ...{ inner },
    get accessor() {
      return 1;
    },
  };
  hardenForVat([odd]);
  t.true(Object.isFrozen(inner.list[3]));
  t.throws(() =>
    hardenForVat([
      { bytes: new Uint8Array(1), more: [{}, {}, {}] },
      new Proxy({}, { preventExtensions: () => false }),
    ]),
  );
});
