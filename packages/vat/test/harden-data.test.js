// The `harden` that vats have: against that of SES, and given proxies that say something else before they are frozen than after it.

import '#testkit/lockdown.js';
import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
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

/**
 * Ways to put one object into another.
 *
 * @type {Readonly<Record<string, (holder: any, part: object, at: number) => void>>}
 */
const ways = {
  element: (holder, part, at) => {
    holder[at % 12] = part;
  },
  name: (holder, part, at) => {
    holder[`name${at % 10}`] = part;
  },
  symbol: (holder, part) => {
    holder[Symbol('symbol')] = part;
  },
  'hidden element': (holder, part, at) =>
    Object.defineProperty(holder, at % 4, { value: part, configurable: true }),
  getter: (holder, part, at) =>
    Object.defineProperty(holder, at % 4, { get: () => part, configurable: true }),
  'part is a getter': (holder, part, at) =>
    Object.defineProperty(holder, at % 4, {
      get: Object.assign(() => assert.fail('called'), { part }),
      configurable: true,
    }),
  'part is a setter': (holder, part, at) =>
    Object.defineProperty(holder, at % 4, {
      set: Object.assign(() => {}, { part }),
      configurable: true,
    }),
  heir: (holder, part) => {
    if (!(part instanceof Promise) && !Array.isArray(part)) Object.setPrototypeOf(holder, part);
  },
};

/** @type {Readonly<Record<string, () => any>>} */
const kinds = {
  record: () => ({}),
  array: () => [],
  'array with a hole': () => Object.assign(Array(3), { 0: 1, 2: undefined }),
  full: () => ['a', 'b', 'c', 'd'],
  function: () => () => {},
  promise: () => Promise.resolve(),
  map: () => new Map(),
  bytes: () => new Uint8Array(0),
  'proxy of an array': () => new Proxy(['a'], {}),
  'proxy of a record': () => new Proxy({}, {}),
  error: () => Error('an error'),
};

const graphs = fc.record({
  nodes: fc.array(fc.constantFrom(...Object.keys(kinds)), { minLength: 1, maxLength: 14 }),
  edges: fc.array(
    fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...Object.keys(ways)), fc.nat(), fc.nat(9)),
    { maxLength: 24 },
  ),
  roots: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
});

test("a vat's harden freezes what SES's freezes, and calls no getter", t => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges, roots }) => {
      const [own, plain] = [hardenForVat, harden].map(hardenBy => {
        const made = nodes.map(kind => kinds[kind]());
        for (const [from, to, way, at, isCycle] of edges) {
          const [low, high] = [from % made.length, to % made.length].sort((a, b) => a - b);
          const [holder, part] = isCycle === 0 ? [high, low] : [low, high];
          if (holder === part) continue;
          try {
            ways[way](made[holder], made[part], at);
          } catch {
            // Two edges at one place, or a ring of prototypes.
          }
        }
        const outcomes = roots.map(at => {
          try {
            return hardenBy(made[at % made.length]) === made[at % made.length];
          } catch {
            return 'throws';
          }
        });
        return { outcomes, frozen: made.map(each => Object.isFrozen(each)) };
      });
      assert.deepEqual(own, plain);
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test('a proxy of an array hides nothing behind a hole', t => {
  const inner = { list: [] };
  /** @type {any} */
  const target = Object.assign(Array(2), { 1: 'b', inner });
  const proxy = new Proxy(target, { get: (_, key) => (key === '0' ? 'a' : target[key]) });
  hardenForVat([proxy]);
  t.true(Object.isFrozen(inner.list));
});
