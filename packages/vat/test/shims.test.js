import '#testkit/lockdown.js';
import test from 'ava';
import { shims } from './shims-used.js';

/** Names that vat code imports, by module: 2020's and today's. @type {Record<string, string>} */
const usedNames = {
  '@endo/errors':
    'assert Fail X q b makeError annotateError note bare quote details redacted throwRedacted hideAndHardenFunction',
  '@endo/eventual-send': 'E HandledPromise',
  '@endo/far': 'E Far getInterfaceOf passStyleOf',
  '@endo/harden': 'default',
  '@endo/marshal':
    'Far Remotable makeMarshal makeTagged passStyleOf getInterfaceOf QCLASS compareRank deeplyFulfilled stringify parse GET_METHOD_NAMES ToFarFunction assertPassable isPassable',
  '@endo/nat': 'Nat isNat',
  '@endo/pass-style': 'Far Remotable makeTagged passStyleOf getTag deeplyFulfilled',
  '@endo/promise-kit': 'makePromiseKit racePromises isPromise',
  '@agoric/assert': 'assert details q an Fail X quote openDetail NonNullish',
  '@agoric/eventual-send': 'E HandledPromise',
  '@agoric/harden': 'default',
  '@agoric/kmarshal': 'kser kunser kslot krefOf makeError',
  '@agoric/marshal':
    'Remotable getInterfaceOf makeMarshal QCLASS sameValueZero mustPassByPresence mustPassByRemote pureCopy passStyleOf REMOTE_STYLE getErrorConstructor Far',
  '@agoric/nat': 'default Nat isNat',
  '@agoric/produce-promise': 'producePromise isPromise',
  '@agoric/promise-kit': 'makePromiseKit isPromise',
  '@agoric/same-structure': 'sameStructure mustBeSameStructure allComparable mustBeComparable',
  '@agoric/store':
    'default makeStore makeWeakStore makeScalarMapStore makeScalarSetStore makeScalarWeakMapStore makeScalarWeakSetStore makeLegacyMap makeLegacyWeakMap provideLazy makeAtomicProvider',
  '@agoric/time': 'TimeMath',
  '@agoric/vat-data':
    'VatData defineKind defineDurableKind makeKindHandle prepareExo prepareExoClass prepareExoClassKit provide provideDurableMapStore makeScalarBigMapStore makeScalarMapStore pickFacet partialAssign watchPromise M',
  '@agoric/weak-store': 'default',
};

for (const [specifier, names] of Object.entries(usedNames)) {
  test(`${specifier} exports ${names.split(' ').length} names that vats use`, t => {
    for (const name of names.split(' ')) t.true(Object.hasOwn(shims[specifier], name), name);
  });
}

test('no module is left out of the table above', t => {
  t.deepEqual(Object.keys(shims).sort(), Object.keys(usedNames).sort());
});

test('everything that is exported is hardened, so that no vat can change it for another', t => {
  for (const [specifier, exports] of Object.entries(shims)) {
    t.true(Object.isFrozen(exports), specifier);
    for (const [name, value] of Object.entries(exports)) {
      if (Object(value) !== value) continue;
      t.true(Object.isFrozen(value), `${specifier} ${name}`);
      for (const key of Reflect.ownKeys(value)) {
        const found = /** @type {PropertyDescriptor} */ (
          Object.getOwnPropertyDescriptor(value, key)
        );
        if (Object(found.value) === found.value && typeof value !== 'function') {
          t.true(Object.isFrozen(found.value), `${specifier} ${name}.${String(key)}`);
        }
      }
    }
  }
});

test('all modules share one E, one Far and one HandledPromise', t => {
  t.is(shims['@endo/far'].E, shims['@agoric/eventual-send'].E);
  t.is(shims['@endo/far'].Far, shims['@endo/marshal'].Far);
  t.is(shims['@endo/pass-style'].Far, shims['@agoric/marshal'].Far);
  t.is(shims['@endo/eventual-send'].HandledPromise, shims['@agoric/eventual-send'].HandledPromise);
  t.is(shims['@endo/far'].passStyleOf, shims['@endo/pass-style'].passStyleOf);
});

test('the modules work from within a compartment', t => {
  const { E, Far, passStyleOf } = shims['@endo/far'];
  const { makeStore } = shims['@agoric/store'];
  const { Fail, q } = shims['@endo/errors'];
  const compartment = new Compartment(
    /** @type {any} */ ({
      __options__: true,
      globals: { E, Far, passStyleOf, makeStore, Fail, q },
    }),
  );
  harden(compartment.globalThis);
  t.is(compartment.evaluate(`passStyleOf(Far('thing', { get: () => 1 }))`), 'remotable');
  t.true(compartment.evaluate(`E(Far('thing', { get: () => 1 })).get() instanceof Promise`));
  t.is(
    compartment.evaluate(`const s = makeStore('name'); s.init('a', 1); s.set('a', 2); s.get('a')`),
    2,
  );
  t.throws(() => compartment.evaluate('Fail`no ${q("thing")} with ${1}`'), {
    message: 'no "thing" with (a number)',
  });
  t.throws(() => compartment.evaluate(`E.when = 1`), { instanceOf: TypeError });
});

test('a promise kit settles once and takes messages meanwhile', async t => {
  const { E, Far } = shims['@endo/far'];
  const { makePromiseKit } = shims['@endo/promise-kit'];
  const { promise, resolve, reject } = makePromiseKit();
  t.true(Object.isFrozen(promise));
  const answer = E(promise).double(21);
  const doubler = Far('doubler', { double: (/** @type {number} */ n) => 2 * n });
  t.is(resolve(doubler), undefined);
  resolve('again');
  reject(Error('late'));
  t.is(await promise, doubler);
  t.is(await answer, 42);

  const refused = makePromiseKit();
  refused.reject(Error('no'));
  refused.resolve(1);
  await t.throwsAsync(refused.promise, { message: 'no' });
});

test('only promises are promises', t => {
  for (const specifier of ['@endo/promise-kit', '@agoric/promise-kit', '@agoric/produce-promise']) {
    const { isPromise } = shims[specifier];
    t.true(isPromise(Promise.resolve()));
    t.false(isPromise({ then() {} }));
    t.false(isPromise(undefined));
  }
});

test('a race is won by the first to settle, whoever that is', async t => {
  const { makePromiseKit, racePromises } = shims['@endo/promise-kit'];
  const slow = makePromiseKit();
  const quick = makePromiseKit();
  const race = racePromises([slow.promise, quick.promise]);
  t.true(Object.isFrozen(race));
  quick.resolve('quick');
  t.is(await race, 'quick');
  t.is(await racePromises([slow.promise, 'at once']), 'at once');
  slow.reject(Error('slow'));
  await t.throwsAsync(racePromises([slow.promise]), { message: 'slow' });
  await t.throwsAsync(racePromises([slow.promise, makePromiseKit().promise]), { message: 'slow' });
});

test('deeplyFulfilled replaces promises at every depth', async t => {
  const { Far, Remotable, deeplyFulfilled, makeTagged, passStyleOf } = shims['@endo/marshal'];
  const thing = Far('thing', {});
  const found = await deeplyFulfilled(
    harden({
      list: [1, Promise.resolve(harden([Promise.resolve('deep')]))],
      tagged: makeTagged('pair', harden([Promise.resolve(1n), thing])),
      nothing: undefined,
    }),
  );
  t.deepEqual(found.list, [1, ['deep']]);
  t.is(passStyleOf(found.tagged), 'tagged');
  t.deepEqual(found.tagged.payload, [1n, thing]);
  t.true('nothing' in found);
  await t.throwsAsync(deeplyFulfilled(harden({ a: Promise.reject(Error('lost')) })), {
    message: 'lost',
  });
  await t.throwsAsync(deeplyFulfilled(harden({ a: () => {} })));
  t.is(await deeplyFulfilled(Remotable('Alleged: x')).then(passStyleOf), 'remotable');
});

test('the marshaller of @endo/marshal passes objects that are declared with our Far', t => {
  const { Far, makeMarshal } = shims['@endo/marshal'];
  const thing = Far('thing', {});
  const { toCapData, fromCapData } = makeMarshal(
    () => 'slot',
    () => thing,
    { serializeBodyFormat: 'smallcaps' },
  );
  const data = toCapData(harden([thing, 1n]));
  t.deepEqual(data, { body: '#["$0.Alleged: thing","+1"]', slots: ['slot'] });
  t.deepEqual(fromCapData(data), [thing, 1n]);
});

test('an assertion of 2020 fails with an Error that hides what is not quoted', t => {
  const { assert, details, q } = shims['@agoric/assert'];
  assert(true);
  t.throws(() => assert(false), { name: 'Error', message: 'Check failed' });
  t.throws(() => assert(0, 'a plain text'), { message: 'a plain text' });
  t.throws(() => assert(false, details`no values`), { message: 'no values' });
  t.throws(() => assert(false, details`${q('color')} was ${'blue'}`), {
    name: 'Error',
    message: '"color" was (a string)\nSee console for error data.',
  });
  const grow = (/** @type {string} */ size) => details`${q(size)} is ${1}`;
  t.deepEqual(
    ['small', 'big'].map(size => `${grow(size)}`),
    ['small', 'big'].map(size => `"${size}" is (a number)\nSee console for error data.`),
  );
  // A list that is no template may change between calls.
  const list = ['', ' first'];
  t.is(`${details(list, q(1))}`, '1 first\nSee console for error data.');
  list[1] = ' second';
  t.is(`${details(list, q(1))}`, '1 second\nSee console for error data.');
  t.throws(() => assert.fail(), { message: 'Assert failed' });
  t.throws(() => assert.equal(1, {}), {
    name: 'Error',
    message: 'Expected (a number) is same as (an object)\nSee console for error data.',
  });
  assert.equal(NaN, NaN);
  assert.typeof('x', 'string');
  t.throws(() => assert.typeof(1, 'object'), {
    name: 'Error',
    message: '(a number) must be an object\nSee console for error data.',
  });
  t.throws(() => assert.typeof(1, 5), {
    message: '5 must be a string\nSee console for error data.',
  });
  // Later additions are there too.
  assert.string('x');
  t.throws(() => assert(false, 'wrong kind', RangeError), { name: 'RangeError' });
});

test('a noun gets its article', t => {
  const { an } = shims['@agoric/assert'];
  t.is(an('object'), 'an object');
  t.is(an('String'), 'a String');
  t.is(an(''), 'a ');
});

test('NonNullish gives the value or throws', t => {
  const { NonNullish } = shims['@agoric/assert'];
  t.is(NonNullish(0), 0);
  t.throws(() => NonNullish(undefined), { message: 'unexpected "[undefined]"' });
  t.throws(() => NonNullish(null, 'nothing'), { message: 'nothing' });
});

test('the Nat of 2020 keeps numbers, the named one makes bigints', t => {
  const { default: Nat2020, Nat } = shims['@agoric/nat'];
  t.is(Nat2020(5), 5);
  t.throws(() => Nat2020(5n), { instanceOf: RangeError, message: 'not a safe integer' });
  t.throws(() => Nat2020(1.5), { instanceOf: RangeError, message: 'not a safe integer' });
  t.throws(() => Nat2020(-1), { instanceOf: RangeError, message: 'negative' });
  t.is(Nat(5), 5n);
  t.is(shims['@endo/nat'].Nat(5n), 5n);
  t.throws(() => shims['@endo/nat'].Nat(-1n), { instanceOf: RangeError });
  t.true(shims['@endo/nat'].isNat(3));
});

test('pass styles of 2020 have their names', t => {
  const { Remotable, passStyleOf } = shims['@agoric/marshal'];
  /** @type {[unknown, string][]} */
  const cases = [
    [null, 'null'],
    [undefined, 'undefined'],
    ['', 'string'],
    [1, 'number'],
    [1n, 'bigint'],
    [true, 'boolean'],
    [[], 'copyArray'],
    [{ a: 1 }, 'copyRecord'],
    [{}, 'presence'],
    [{ a() {} }, 'presence'],
    [Remotable('Alleged: x'), 'presence'],
    [Error('x'), 'copyError'],
    [Promise.resolve(), 'promise'],
  ];
  for (const [value, style] of cases) t.is(passStyleOf(harden(value)), style);
  t.throws(() => passStyleOf(Symbol.iterator), { message: 'Cannot pass symbols' });
  t.throws(() => passStyleOf({ a: 1 }), { message: /^Cannot pass non-frozen objects/ });
  t.throws(() => passStyleOf(() => {}));
});

test('a Remotable of 2020 takes its methods from a record', t => {
  const { Remotable, getInterfaceOf } = shims['@agoric/marshal'];
  const made = Remotable('Alleged: counter', { next: () => 1 });
  t.is(made.next(), 1);
  t.is(getInterfaceOf(made), 'Alleged: counter');
  t.is(getInterfaceOf(harden({ next() {} })), undefined);
  t.is(getInterfaceOf(5), undefined);
  t.is(shims['@endo/far'].passStyleOf(made), 'remotable');
});

test('mustPassByPresence refuses data', t => {
  const { mustPassByPresence } = shims['@agoric/marshal'];
  mustPassByPresence(harden({ a() {} }));
  mustPassByPresence(harden({}));
  t.throws(() => mustPassByPresence(harden({ a: 1 })), {
    message: 'cannot serialize objects with non-methods like the .a in [object Object]',
  });
  t.throws(() => mustPassByPresence(5), {
    message: 'cannot serialize non-objects like 5',
  });
  t.throws(() => mustPassByPresence(null), { message: 'null cannot be pass-by-remote' });
  t.throws(() => mustPassByPresence({ a() {} }), {
    message: 'cannot serialize non-frozen objects like [object Object]',
  });
});

test('pureCopy copies data, shared parts once, and nothing else', t => {
  const { pureCopy } = shims['@agoric/marshal'];
  const shared = { b: [1, 'x', null] };
  const original = harden({ one: shared, two: shared, error: RangeError('far') });
  const copy = pureCopy(original);
  t.not(copy, original);
  t.deepEqual(copy.one, original.one);
  t.not(copy.one, original.one);
  t.is(copy.one, copy.two);
  t.true(copy.error instanceof RangeError);
  t.is(copy.error.message, 'far');
  t.true(Object.isFrozen(copy.one.b));
  const odd = JSON.parse('{"__proto__": {"a": 1}}');
  t.deepEqual(Object.keys(pureCopy(harden(odd))), ['__proto__']);
  t.throws(() => pureCopy(harden({ a: { b() {} } })), {
    instanceOf: TypeError,
    message: /presence/,
  });
  t.throws(() => pureCopy(harden([Promise.resolve()])), { message: /promise/ });
});

test('the marshaller of 2020 writes and reads its notation', t => {
  const { makeMarshal, QCLASS } = shims['@agoric/marshal'];
  const thing = harden({ a() {} });
  const { serialize, unserialize } = makeMarshal(
    () => 'o+1',
    () => thing,
  );
  const data = serialize(harden([thing, undefined, 1n, NaN]));
  t.deepEqual(data.slots, ['o+1']);
  t.deepEqual(JSON.parse(data.body), [
    { [QCLASS]: 'slot', index: 0 },
    { [QCLASS]: 'undefined' },
    { [QCLASS]: 'bigint', digits: '1' },
    { [QCLASS]: 'NaN' },
  ]);
  t.deepEqual(unserialize(data), [thing, undefined, 1n, NaN]);

  // By default a slot is the object itself.
  const plain = makeMarshal();
  const own = plain.serialize(thing);
  t.is(own.slots[0], thing);
  t.is(plain.unserialize(own), thing);
  t.throws(() => plain.unserialize(own, 'allowCycles'), { message: /cycles/ });
  t.throws(() => plain.unserialize({ body: 5, slots: [] }), { message: /capdata/ });
});

test('sameStructure compares contents, and references by identity', t => {
  const { sameStructure, mustBeComparable } = shims['@agoric/same-structure'];
  const thing = harden({ a() {} });
  const same = (/** @type {unknown} */ left, /** @type {unknown} */ right) =>
    sameStructure(harden(left), harden(right));
  t.true(same({ a: [1, { b: thing }] }, { a: [1, { b: thing }] }));
  t.true(same({ a: 1, b: 2 }, { b: 2, a: 1 }));
  t.true(same(NaN, NaN));
  t.true(same(0, -0));
  t.true(same(Error('x'), Error('x')));
  t.false(same(Error('x'), TypeError('x')));
  t.false(same({ a: thing }, { a: { a() {} } }));
  t.false(same([1], [1, 2]));
  t.false(same({ a: 1 }, { b: 1 }));
  t.false(same({ a: 1 }, { toString: 1 }));
  t.false(same([], {}));
  t.throws(() => same([Promise.resolve()], [1]), {
    message: 'Cannot structurally compare promises: (an object)\nSee console for error data.',
  });
  t.notThrows(() => mustBeComparable(harden({ a: 1 })));
  t.throws(() => mustBeComparable(harden([Promise.resolve()])), {
    message: /^"not comparable": "Promise on left" at "top\[0\]"/,
  });
});

test('mustBeSameStructure says where the first difference is', t => {
  const { mustBeSameStructure } = shims['@agoric/same-structure'];
  const differs = (
    /** @type {unknown} */ left,
    /** @type {unknown} */ right,
    /** @type {RegExp} */ message,
  ) =>
    t.throws(() => mustBeSameStructure(harden(left), harden(right), 'payment'), {
      name: 'Error',
      message,
    });
  mustBeSameStructure(harden([1]), harden([1]), 'payment');
  differs(
    { a: { 'b c': [1, 2] } },
    { a: { 'b c': [1, 3] } },
    /^"payment": "different" at "top\.a\[\\"b c\\"\]\[1\]": \(\(a number\)\) vs \(\(a number\)\)/,
  );
  differs([], null, /"different passing style" at "top"/);
  differs([1], [], /"2 vs 1 own properties"/);
  differs({ a: 1 }, { b: 1 }, /"a not found on right"/);
  differs(Error('x'), TypeError('x'), /different error name: Error vs TypeError/);
  differs(Error('x'), Error('y'), /different error message: x vs y/);
  differs([1], [Promise.resolve()], /Promise on right/);
});

test('allComparable waits for promises inside data', async t => {
  const { allComparable } = shims['@agoric/same-structure'];
  t.is(allComparable(5), 5);
  const found = await allComparable(
    harden({ a: [Promise.resolve(harden([Promise.resolve(1)]))], b: 'x' }),
  );
  t.deepEqual(found, { a: [[1]], b: 'x' });
  t.true(Object.isFrozen(found.a));
});

for (const [specifier, name] of [
  ['@agoric/store', 'default'],
  ['@agoric/store', 'makeStore'],
  ['@agoric/store', 'makeWeakStore'],
  ['@agoric/weak-store', 'default'],
]) {
  test(`${specifier} ${name} adds a key once and changes only what is there`, t => {
    const store = shims[specifier][name]('purse');
    const key = harden({ a() {} });
    t.false(store.has(key));
    const absent = {
      name: 'Error',
      message: '"purse" not found: (an object)\nSee console for error data.',
    };
    t.throws(() => store.get(key), absent);
    t.throws(() => store.set(key, 1), absent);
    t.throws(() => store.delete(key), absent);
    store.init(key, 1);
    t.throws(() => store.init(key, 2), {
      message: '"purse" already registered: (an object)\nSee console for error data.',
    });
    store.set(key, 3);
    t.is(store.get(key), 3);
    store.delete(key);
    t.false(store.has(key));
  });
}

test('a store of 2020 lists what it holds as arrays, in the order of addition', t => {
  const store = shims['@agoric/store'].makeStore();
  store.init('b', 1);
  store.init('a', 2);
  t.deepEqual(store.keys(), ['b', 'a']);
  t.deepEqual(store.values(), [1, 2]);
  t.deepEqual(store.entries(), [
    ['b', 1],
    ['a', 2],
  ]);
  t.deepEqual(shims['@agoric/store'].makeStore().keys(), []);
});
