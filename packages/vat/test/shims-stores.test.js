// Modules that vats of 2020 import: stores, and reckoning with times.

import '#testkit/lockdown.js';
import test from 'ava';
import { shims } from './shims-used.js';

test('legacy maps iterate', t => {
  const { makeLegacyMap, makeLegacyWeakMap } = shims['@agoric/store'];
  const map = makeLegacyMap('seat');
  map.init('a', 1);
  t.deepEqual([...map.keys()], ['a']);
  t.deepEqual([...map.values()], [1]);
  t.deepEqual([...map.entries()], [['a', 1]]);
  t.is(map.getSize(), 1);
  map.clear();
  t.throws(() => map.get('a'), { message: '"seat" not found: (a string)' });
  t.throws(() => makeLegacyWeakMap('seat').set({}, 1), {
    message: '"seat" not found: (an object)',
  });
});

test('a scalar map store keeps keys in rank order', t => {
  const { makeScalarMapStore } = shims['@agoric/store'];
  const { Far, passStyleOf } = shims['@endo/far'];
  const store = makeScalarMapStore('name');
  t.is(passStyleOf(store), 'remotable');
  const thing = Far('thing', {});
  for (const key of ['b', 3, thing, 'a', 1n]) store.init(key, harden([key]));
  const keys = [...store.keys()];
  t.is(keys.length, 5);
  t.true(keys.indexOf('a') < keys.indexOf('b'));
  t.deepEqual(
    [...store.values()],
    keys.map(key => [key]),
  );
  t.deepEqual(
    [...store.entries()],
    keys.map(key => [key, [key]]),
  );
  t.is(store.getSize(), 5);
  const snapshot = store.snapshot();
  t.is(passStyleOf(snapshot), 'tagged');
  const copy = makeScalarMapStore();
  copy.addAll(snapshot);
  t.deepEqual([...copy.entries()], [...store.entries()]);
  copy.addAll([['b', 'changed']]);
  t.is(copy.get('b'), 'changed');
  store.clear();
  t.is(store.getSize(), 0);
  t.deepEqual([...store.keys()], []);
});

test('a scalar map store checks keys and values', t => {
  const { makeScalarMapStore } = shims['@agoric/store'];
  const store = makeScalarMapStore('name');
  t.throws(() => store.init(harden([]), 1), { message: /"copyArray" cannot be a scalar key/ });
  t.throws(() => store.init('a', () => {}));
  t.throws(() => store.get('a'), { message: '"name" not found: (a string)' });
  store.init('a', {});
  t.true(Object.isFrozen(store.get('a')));
  t.throws(() => store.init('a', 1), { message: '"name" already registered: (a string)' });
  t.throws(() => store.set('a', () => {}));
  t.deepEqual(store.get('a'), {});
  t.throws(() => store.set('b', 1), { message: '"name" not found: (a string)' });
  t.throws(() => store.delete('b'), { message: '"name" not found: (a string)' });
  t.throws(() => store.addAll(harden({})), { message: /not iterable/ });
  t.throws(() => makeScalarMapStore('name', { valueShape: 'x' }), { message: /patterns/ });
  t.throws(() => store.keys('x'), { message: /patterns/ });
});

test('an iteration over a store survives deletions and not additions', t => {
  const { makeScalarMapStore } = shims['@agoric/store'];
  const store = makeScalarMapStore('name');
  for (const key of ['a', 'b', 'c']) store.init(key, 0);
  /** @type {string[]} */
  const met = [];
  for (const key of store.keys()) {
    met.push(key);
    if (key === 'a') store.delete('b');
  }
  t.deepEqual(met, ['a', 'c']);
  t.throws(
    () => {
      for (const key of store.keys()) store.init(`${key}${key}`, 0);
    },
    { message: 'Store "name" cursor stale' },
  );
});

test('a scalar set store holds each key once', t => {
  const { makeScalarSetStore, makeScalarWeakSetStore } = shims['@agoric/store'];
  const { Far } = shims['@endo/far'];
  const set = makeScalarSetStore('name');
  set.add('b');
  set.add('a');
  set.add('a');
  t.deepEqual([...set.keys()], ['a', 'b']);
  t.deepEqual([...set.values()], ['a', 'b']);
  t.is(set.getSize(), 2);
  const other = makeScalarSetStore();
  other.addAll(set.snapshot());
  t.deepEqual([...other.keys()], ['a', 'b']);
  set.delete('a');
  t.false(set.has('a'));
  t.throws(() => set.delete('a'), { message: '"name" not found: (a string)' });
  t.throws(() => set.add(harden({})), { message: /scalar key/ });
  const weak = makeScalarWeakSetStore();
  const thing = Far('thing', {});
  weak.add(thing);
  t.true(weak.has(thing));
  t.throws(() => weak.add('a'), { message: /Only remotables/ });
});

test('a scalar weak map store takes remotables', t => {
  const { makeScalarWeakMapStore } = shims['@agoric/store'];
  const { Far } = shims['@endo/far'];
  const store = makeScalarWeakMapStore('thing');
  const thing = Far('thing', {});
  store.init(thing, 1);
  t.is(store.get(thing), 1);
  t.false(store.has('a'));
  t.throws(() => store.init('a', 1), { message: /Only remotables/ });
  t.false('keys' in store);
});

test('provideLazy makes a value once, and so does an atomic provider', async t => {
  const { makeAtomicProvider, makeScalarMapStore, provideLazy } = shims['@agoric/store'];
  const store = makeScalarMapStore();
  let made = 0;
  const make = () => {
    made += 1;
    return made;
  };
  t.is(provideLazy(store, 'a', make), 1);
  t.is(provideLazy(store, 'a', make), 1);
  const { provideAsync } = makeAtomicProvider(store);
  /** @type {unknown[]} */
  const finished = [];
  const finish = async (/** @type {unknown} */ key, /** @type {unknown} */ value) => {
    finished.push([key, value]);
  };
  const both = await Promise.all([
    provideAsync('b', async () => make(), finish),
    provideAsync('b', async () => make(), finish),
  ]);
  t.deepEqual(both, [2, 2]);
  t.deepEqual(finished, [['b', 2]]);
  await t.throwsAsync(
    provideAsync('c', async () => {
      throw Error('not yet');
    }),
    { message: 'not yet' },
  );
  t.is(await provideAsync('c', async () => 3), 3);
});

test('stores that one vat makes are its own', t => {
  for (const name of ['makeStore', 'makeScalarMapStore', 'makeLegacyMap']) {
    const first = shims['@agoric/store'][name]();
    const second = shims['@agoric/store'][name]();
    first.init('a', 1);
    t.false(second.has('a'), name);
  }
});

test('kmarshal writes krefs and reads them back', t => {
  const { krefOf, kser, kslot, kunser, makeError } = shims['@agoric/kmarshal'];
  const data = kser([kslot('ko20', 'Alleged: thing'), kslot('kp40'), 'x']);
  t.deepEqual(data, { body: '#["$0.Alleged: thing","&1","x"]', slots: ['ko20', 'kp40'] });
  const [object, promise] = kunser(data);
  t.is(krefOf(object), 'ko20');
  t.is(object.iface(), 'thing');
  t.is(krefOf(promise), 'kp40');
  t.deepEqual(makeError('lost'), { body: '#{"#error":"lost","name":"Error"}', slots: [] });
  t.throws(() => krefOf(5), { message: 'krefOf requires a promise or remotable' });
  t.throws(() => krefOf(harden(Promise.resolve())), { message: /no kref/ });
  t.throws(() => krefOf(shims['@endo/far'].Far('x', {})), { message: /no kref/ });
  t.throws(() => kslot(5), { message: /a kref is a string/ });
});

test('TimeMath reckons with bare and branded times', t => {
  const { TimeMath } = shims['@agoric/time'];
  const timerBrand = shims['@endo/far'].Far('TimerBrand', {});
  const at = TimeMath.coerceTimestampRecord(10, timerBrand);
  const span = TimeMath.coerceRelativeTimeRecord(3n, timerBrand);
  t.deepEqual(at, { absValue: 10n, timerBrand });
  t.is(TimeMath.addAbsRel(10n, 3n), 13n);
  t.deepEqual(TimeMath.addAbsRel(at, 3n), { timerBrand, absValue: 13n });
  t.deepEqual(TimeMath.addRelRel(span, span), { timerBrand, relValue: 6n });
  t.deepEqual(TimeMath.subtractAbsAbs(at, 4n), { timerBrand, relValue: 6n });
  t.deepEqual(TimeMath.subtractAbsRel(at, span), { timerBrand, absValue: 7n });
  t.is(TimeMath.subtractRelRel(3n, 1n), 2n);
  t.is(TimeMath.clampedSubtractAbsAbs(1n, 5n), 0n);
  t.is(TimeMath.clampedSubtractAbsAbs(5n, 1n), 4n);
  t.true(TimeMath.isRelZero(0n));
  t.deepEqual(TimeMath.multiplyRelNat(span, 2n), { timerBrand, relValue: 6n });
  t.is(TimeMath.divideRelNat(7n, 2n), 3n);
  t.is(TimeMath.divideRelRel(span, 2n), 1n);
  t.is(TimeMath.modAbsRel(10n, 4n), 2n);
  t.deepEqual(TimeMath.modRelRel(span, 2n), { timerBrand, relValue: 1n });
  t.is(TimeMath.compareAbs(at, 11n), -1);
  t.is(TimeMath.compareRel(span, span), 0);
  t.is(TimeMath.compareAbs(12n, at), 1);
});

test('TimeMath refuses what is no time', t => {
  const { TimeMath } = shims['@agoric/time'];
  const { Far } = shims['@endo/far'];
  const timerBrand = Far('TimerBrand', {});
  const other = Far('TimerBrand', {});
  const at = TimeMath.coerceTimestampRecord(10n, timerBrand);
  t.throws(() => TimeMath.subtractAbsAbs(1n, 2n), { instanceOf: RangeError });
  t.throws(() => TimeMath.addAbsRel(at, TimeMath.coerceRelativeTimeRecord(1n, other)), {
    message: /^TimerBrands must match/,
  });
  t.throws(() => TimeMath.coerceTimestampRecord(at, other), { message: /must match/ });
  t.is(TimeMath.coerceTimestampRecord(at, timerBrand), at);
  t.throws(() => TimeMath.coerceTimestampRecord(1n), { message: 'must have a brand' });
  t.throws(() => TimeMath.relValue(at), { message: /"relative time" is a bigint or/ });
  t.throws(() => TimeMath.absValue(5), { message: /"timestamp" is a bigint or/ });
  t.throws(() => TimeMath.absValue(harden({ timerBrand: 1, absValue: 1n })), {
    message: /timerBrand/,
  });
  t.throws(() => TimeMath.absValue(harden({ timerBrand, absValue: 1 })), { message: /"absValue"/ });
  t.throws(() => TimeMath.absValue(-1n), { instanceOf: RangeError });
});
