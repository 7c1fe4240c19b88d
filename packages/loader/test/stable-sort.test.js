import test from 'ava';
import { createHash } from 'node:crypto';

import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

/** Notes each call of comparators and conversions, and each trap that a sorted proxy gets. */
const sorts = `() => {
  const notes = [];
  const note = text => notes.push(text);
  const kinds = [i => -i, i => i, () => 1, i => (i % 2 ? -i : i), i => (i % 3 ? -i : undefined), i => (i * 7919) % 101];
  const comparators = [
    (x, y) => { note(x + ',' + y); return x - y; },
    (x, y) => { note(x + '.' + y); return x > y; },
    (x, y) => { note(x + ':' + y); return String(x - y); },
    () => 1, () => NaN, () => -1,
    undefined,
  ];
  const items = (length, kind) => Array.from({ length }, (_, i) => kind(i));
  const noted = items => items.map(item => (item === undefined ? item : { toString() { note('text ' + item); return String(item); }, valueOf: () => item }));
  const show = value => notes.push([...value].map(item => (item === undefined ? '-' : Number(item))).join(' '));
  for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 31, 32, 33, 63, 64, 65, 130])
    for (const kind of kinds)
      for (const comparator of comparators) {
        show(items(length, kind).sort(comparator));
        show(items(length, kind).toSorted(comparator));
        show(noted(items(length, kind)).sort(comparator));
        show(Array.from(Array.prototype.sort.call({ length, ...items(length, kind) }, comparator)));
      }
  for (const length of [3, 6, 40]) {
    const watch = target => new Proxy(target, {
      has: (it, key) => { note('has ' + String(key)); return Reflect.has(it, key); },
      get: (it, key) => { note('get ' + String(key)); return Reflect.get(it, key); },
      set: (it, key, value) => { note('set ' + String(key)); return Reflect.set(it, key, value); },
      deleteProperty: (it, key) => { note('delete ' + String(key)); return Reflect.deleteProperty(it, key); },
    });
    const holes = items(length, kinds[5]);
    delete holes[1];
    holes[2] = undefined;
    Array.prototype.sort.call(watch(holes), comparators[0]);
    Array.prototype.toSorted.call(watch(holes), comparators[0]);
    Array.prototype.sort.call(watch({ length: String(length + 0.5), 0: 'b', 2: 'a' }));
    const grows = items(length, kinds[0]);
    grows.sort((x, y) => { if (grows.length < 50) grows.push(9); return x - y; });
    show(grows);
    for (const wrong of [() => { throw Error('mine'); }, () => 1n, () => Symbol('none'), 5, null, {}]) {
      for (const method of ['sort', 'toSorted']) {
        try { items(length, kinds[0])[method](wrong); note('sorted'); } catch (error) { note(error.name); }
      }
    }
    try { Object.freeze(items(length, kinds[0])).sort(); note('sorted'); } catch (error) { note(error.name); }
    try { [Symbol('a'), 1, 2].sort(); note('sorted'); } catch (error) { note(error.name); }
    for (const like of [undefined, null, 'cba', 5, { length: -1 }, { length: 2 ** 32 + 1 }]) {
      try { note(String(Array.prototype.toSorted.call(like))); } catch (error) { note(error.name); }
    }
    try { Array.prototype.sort.call('cba'); note('sorted'); } catch (error) { note(error.name); }
  }
  return notes.join('\\n');
}`;

/** SHA-256 of the notes of Node 20's own methods. */
const pinned = '2a7c7f3ecd59db79299627c6ac545dca11f3444271174e9836522f11e1d952c5';

test('arrays are sorted by the same calls on every Node', t => {
  const notes = evaluate(`(${sorts})()`);
  t.is(createHash('sha256').update(notes).digest('hex'), pinned);
  t.true(notes.length > 10_000);
});

test('the methods look like the engine’s', t => {
  for (const name of ['sort', 'toSorted'])
    t.deepEqual(
      evaluate(`(({ value: { name, length, prototype }, ...rest }) => ({ name, length, prototype, ...rest }))
        (Object.getOwnPropertyDescriptor(Array.prototype, '${name}'))`),
      { name, length: 1, prototype: undefined, ...descriptorOf('map') },
    );
});

/** @param {string} name  of a method of arrays */
const descriptorOf = name => {
  const { value: _, ...rest } = evaluate(
    `({ ...Object.getOwnPropertyDescriptor(Array.prototype, '${name}') })`,
  );
  return rest;
};
