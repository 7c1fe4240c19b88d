import '#testkit/lockdown.js';

import fc from 'fast-check';
import test from 'ava';
import {
  Far,
  GET_METHOD_NAMES,
  Remotable,
  Remotable2020,
  getInterfaceOf,
  hardenData,
  hardenForVat,
  makeSmallcapsMarshal,
  passStyleOf,
} from '../marshal/index.js';
import { libraryFar, libraryRemotable } from '../marshal/pass-style.js';
import { arbPassable, oddities } from '#testkit/passable.js';

const attempt = (/** @type {() => any} */ thunk) => {
  try {
    return { value: thunk() };
  } catch (error) {
    return { error: /** @type {Error} */ (error) };
  }
};

const intrinsics = new Set(
  [{}, () => {}, async () => {}, function* generate() {}].map(value =>
    Object.getPrototypeOf(value),
  ),
);

const { value: libraryGetMethodNames } = /** @type {any} */ (
  Object.getOwnPropertyDescriptor(libraryFar('x', {}), GET_METHOD_NAMES)
);

/**
 * Everything that a program can find out about an object without calling it, functions and prototypes included.
 *
 * @param {any} value
 * @param {Set<unknown>} [seen]
 * @returns {unknown}
 */
const describe = (value, seen = new Set()) => {
  if (typeof value === 'symbol') return String(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  if (intrinsics.has(value)) return [...intrinsics].indexOf(value);
  if (value === libraryGetMethodNames) return 'getMethodNames of the library';
  if (seen.has(value)) return 'seen';
  seen.add(value);
  const keys = Reflect.ownKeys(value);
  return {
    type: typeof value,
    frozen: Object.isFrozen(value),
    keys: keys.map(String),
    properties: keys.map(key => {
      const found = Object.getOwnPropertyDescriptor(value, key);
      return { ...found, value: describe(found?.value, seen) };
    }),
    proto: describe(Object.getPrototypeOf(value), seen),
  };
};

/** @type {Record<string, () => any>} */
const candidates = {
  'an empty object': () => ({}),
  'methods of every kind': () => ({
    concise() {},
    arrow: () => {},
    async later() {},
    asyncArrow: async () => {},
    *generate() {},
    function: function named() {},
    [Symbol.iterator]() {},
    [Symbol.for('registered')]: () => {},
    class: class {},
    bound: function bindable() {}.bind(null),
    0: () => {},
  }),
  'a method with a property': () => ({ m: Object.assign(() => {}, { extra: { deep: 1 } }) }),
  'a frozen method with a mutable property': () => ({
    m: Object.freeze(Object.assign(() => {}, { extra: { deep: 1 } })),
  }),
  'a function named by a symbol': () => ({ [Symbol('unique')]: () => {} }),
  'its own __getMethodNames__': () => ({ [GET_METHOD_NAMES]: () => ['mine'] }),
  'a method named then': () => ({ then() {} }),
  'a method named constructor': () => ({ constructor() {} }),
  'a method named toString': () => ({ toString: () => 'me' }),
  'a hidden method': () => Object.defineProperty({}, 'hidden', { value() {} }),
  'no prototype': () => ({ __proto__: null, m() {} }),
  'a far function': () => (/** @type {any} */ x) => x,
  'a far function of two arguments':
    () => async (/** @type {any} */ _x, /** @type {any} */ _y) => {},
  'a classic function': () => function classic() {},
  data: () => ({ a: 1 }),
  'a method and data': () => ({ m() {}, a: undefined }),
  'a getter': () => ({
    get a() {
      return () => {};
    },
  }),
  'a far function for a method': () => ({ m: Far('f', () => {}) }),
  'something hardened': () => harden({ m() {} }),
  'something frozen': () => Object.freeze({}),
  'something sealed': () => Object.seal({ m() {} }),
  'something that cannot grow': () => Object.preventExtensions({ m() {} }),
  'something Far': () => Far('first', {}),
  'its own toStringTag': () => ({ [Symbol.toStringTag]: 'Alleged: other' }),
  'its own data as toStringTag': () => ({ [Symbol.toStringTag]: 5 }),
  'its own pass style': () => ({ [Symbol.for('passStyle')]: 'remotable' }),
  'methods that inherit from nothing': () => ({ __proto__: null, m() {} }),
  'nothing that inherits from nothing': () => Object.create(null),
  'data that inherits from nothing': () => ({ __proto__: null, m: 5 }),
  'an array': () => [],
  'an instance of a class': () => new (class Thing {})(),
  'a child of a remotable': () => ({ __proto__: Far('parent', { a() {} }), b() {} }),
  'a promise': () => Promise.resolve(),
  null: () => null,
  'a number': () => 5,
};

for (const [what, make] of Object.entries(candidates)) {
  test(`Far and Remotable do with ${what} what the library's do`, t => {
    for (const [ours, theirs] of /** @type {[any, any][]} */ ([
      [() => [Far, make()], () => [libraryFar, make()]],
      [() => [Remotable, make()], () => [libraryRemotable, make()]],
    ])) {
      const [our, their] = [ours, theirs].map(pick => {
        const [makeRemotable, candidate] = pick();
        const isFar = makeRemotable === Far || makeRemotable === libraryFar;
        return attempt(() => {
          const made = isFar
            ? makeRemotable('thing', candidate)
            : makeRemotable('Alleged: thing', undefined, candidate);
          t.is(made, candidate);
          return made;
        });
      });
      t.is(our.error?.message, their.error?.message);
      if (their.error) return;
      t.deepEqual(describe(our.value), describe(their.value));
      const [ourStyle, theirStyle] = [our, their].map(({ value }) =>
        attempt(() => passStyleOf(value)),
      );
      t.is(ourStyle.value, theirStyle.value);
      t.is(ourStyle.error?.message, theirStyle.error?.message);
      t.is(getInterfaceOf(our.value), getInterfaceOf(their.value));
      t.is(
        `${attempt(() => String(our.value)).value}`,
        `${attempt(() => String(their.value)).value}`,
      );
    }
  });
}

test('unusual values become remotable or are refused, as by the library', t => {
  for (const make of Object.values(oddities)) {
    const our = attempt(() => Far('odd', /** @type {any} */ (make())));
    const their = attempt(() => libraryFar('odd', /** @type {any} */ (make())));
    t.is(our.error?.message, their.error?.message);
    if (!their.error) t.deepEqual(describe(our.value), describe(their.value));
  }
});

test('Far without an object makes an empty one', t => {
  t.deepEqual(describe(Far('empty')), describe(libraryFar('empty')));
  t.deepEqual(describe(Remotable()), describe(libraryRemotable()));
  t.deepEqual(describe(Remotable('DebugName: x')), describe(libraryRemotable('DebugName: x')));
  t.not(Far('empty'), Far('empty'));
});

test('names and interfaces that the library refuses are refused', t => {
  t.throws(() => Remotable('thing'), { message: /must be "Remotable" or begin with/ });
  t.throws(() => Remotable(/** @type {any} */ (5)), { message: /must be a string/ });
  t.throws(() => Remotable('Remotable', /** @type {any} */ ({})), {
    message: /not yet implemented/,
  });
  t.is(getInterfaceOf(Far(/** @type {any} */ (5), {})), 'Alleged: 5');
});

test('the methods of a far object are listed by the method that the library gives it', t => {
  const far = /** @type {any} */ (Far('x', { b() {}, a() {} }));
  t.deepEqual(far[GET_METHOD_NAMES](), [GET_METHOD_NAMES, 'a', 'b']);
});

test('a refused object stays as it was', t => {
  const candidate = { m() {}, a: 1 };
  t.throws(() => Far('x', candidate));
  t.false(Object.isFrozen(candidate.m));
  t.is(Object.getPrototypeOf(candidate), Object.prototype);
});

test('methods are hardened through and through', t => {
  const deep = { a: {} };
  const method = Object.assign(() => {}, { deep });
  Far('x', { method });
  t.true(Object.isFrozen(method) && Object.isFrozen(deep) && Object.isFrozen(deep.a));
  const constructor = class {
    m() {}
  };
  Far('y', { constructor2: constructor });
  t.true(Object.isFrozen(constructor.prototype));
});

test('far objects of thousands of interfaces stay what they are', t => {
  const made = Array.from({ length: 3000 }, (_, i) => Remotable(`Alleged: presence o-${i}`));
  made.forEach((far, i) => t.is(getInterfaceOf(far), `Alleged: presence o-${i}`));
  t.true(made.every(far => passStyleOf(/** @type {any} */ (far)) === 'remotable'));
});

test('Remotable of 2020 copies the methods that are given beside the object', t => {
  const made = /** @type {any} */ (
    Remotable2020('Alleged: old', { hi: () => 'there' }, { m() {} })
  );
  t.is(made.hi(), 'there');
  t.is(getInterfaceOf(made), 'Alleged: old');
  t.deepEqual(Object.keys(made), ['m']);
  t.is(getInterfaceOf(Remotable2020()), 'Remotable');
  t.throws(() => Remotable2020('Alleged: old', /** @type {any} */ ({ a: 1 })));
});

test('a far object passes under its name, whoever made it', t => {
  const marshal = makeSmallcapsMarshal(
    () => 'o+1',
    () => {},
  );
  t.is(marshal.toCapData(Far('a', {})).body, '#"$0.Alleged: a"');
  t.is(marshal.toCapData(libraryFar('a', {})).body, '#"$0.Alleged: a"');
});

/** @param {unknown} root  everything reachable from it is looked at */
const isHardened = root => {
  const seen = new Set();
  const isDeepFrozen = (/** @type {any} */ value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return true;
    if (seen.has(value)) return true;
    seen.add(value);
    if (!Object.isFrozen(value)) return false;
    for (const key of Reflect.ownKeys(value)) {
      const found = /** @type {any} */ (Object.getOwnPropertyDescriptor(value, key));
      if (![found.value, found.get, found.set].every(isDeepFrozen)) return false;
    }
    return isDeepFrozen(Object.getPrototypeOf(value));
  };
  return isDeepFrozen(root);
};

/**
 * A copy of plain data that is not frozen, with the same leaves.
 *
 * @param {any} value
 * @returns {any}
 */
const thaw = value => {
  if (Array.isArray(value)) return value.map(thaw);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype || passStyleOf(value) !== 'copyRecord') {
    return value;
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, property]) => [name, thaw(property)]));
};

for (const [name, make] of Object.entries({ hardenData, hardenForVat })) {
  test(`${name} hardens whatever harden hardens`, t => {
    fc.assert(
      fc.property(arbPassable, value => {
        const data = thaw(value);
        t.is(make(data), data);
        t.true(isHardened(data));
      }),
      { numRuns: 500 },
    );
    for (const [what, makeOdd] of [...Object.entries(oddities), ...Object.entries(candidates)]) {
      const value = makeOdd();
      t.is(make([value, { value }])[0], value);
      t.is(isHardened(value), isHardened(harden(makeOdd())), what);
    }
    const thing = { deep: [{ m: () => ({}) }, new Map([[{}, {}]]), new Date(0), { get a() { return {}; } }] }; // prettier-ignore
    t.true(isHardened(make(thing)));
    const large = Array.from({ length: 200 }, (_, i) => ({ i, more: [i, { i }] }));
    t.true(isHardened(make(large)));
    /** @type {any} */
    const ring = { more: [] };
    ring.more.push(ring);
    t.true(isHardened(make(ring)));
    for (const primitive of [1, 'a', undefined, null, 5n, true]) t.is(make(primitive), primitive);
  });

  test(`${name} throws where harden throws`, t => {
    const stubborn = () => new Proxy({}, { preventExtensions: () => false });
    t.throws(() => harden([stubborn()]), { instanceOf: TypeError });
    t.throws(() => make([stubborn()]), { instanceOf: TypeError });
  });

  test(`${name} is not deceived by a proxy that changes while it is looked at`, t => {
    const late = { soft: [] };
    /** @type {any} */
    const target = { seen: 1 };
    const proxy = new Proxy(target, {
      preventExtensions: () => {
        target.seen = late;
        Object.preventExtensions(target);
        return true;
      },
    });
    make([proxy]);
    t.is(proxy.seen, late);
    t.true(isHardened(late));
  });
}
