import test from 'ava';
import fc from 'fast-check';

import {
  compareIds,
  isAllocatedByVat,
  isDeviceKref,
  isObjectKref,
  isPromiseKref,
  isVref,
  numberOfId,
  parseVref,
  typeOfVref,
} from '../index.js';

const arbType = fc.constantFrom(.../** @type {const} */ (['object', 'promise', 'device']));
const arbId = fc.bigInt({ min: 0n, max: 2n ** 70n });

const arbPlain = fc.record({
  type: arbType,
  allocatedByVat: fc.boolean(),
  id: arbId,
  kept: fc.constant(/** @type {const} */ ('none')),
});

const arbKept = fc
  .record({
    type: fc.constant(/** @type {const} */ ('object')),
    allocatedByVat: fc.constant(true),
    id: arbId,
    kept: fc.constantFrom(.../** @type {const} */ (['virtual', 'durable'])),
    instance: fc.bigInt({ min: 1n, max: 2n ** 70n }),
    facet: fc.option(arbId, { nil: undefined }),
  })
  .map(({ facet, ...rest }) => (facet === undefined ? rest : { ...rest, facet }));

const arbVref = fc.oneof(arbPlain, arbKept);

/** Writes what `parseVref` reads. @param {Omit<import('../ids.js').ParsedVref, 'baseRef'>} parts */
const formatVref = ({ type, allocatedByVat, id, kept, instance, facet }) =>
  [
    `${type[0]}${allocatedByVat ? '+' : '-'}${kept === 'none' ? '' : kept[0]}${id}`,
    ...(instance === undefined ? [] : [`/${instance}`]),
    ...(facet === undefined ? [] : [`:${facet}`]),
  ].join('');

test('parseVref reads the parts of each vref, of virtual and durable objects too', t => {
  fc.assert(
    fc.property(arbVref, parts => {
      const vref = formatVref(parts);
      const { baseRef, ...parsed } = parseVref(vref);
      t.deepEqual(parsed, /** @type {any} */ (parts));
      t.is(baseRef, vref.split(':')[0]);
      t.true(isVref(vref));
      t.is(typeOfVref(vref), parts.type);
      t.is(isAllocatedByVat(vref), parts.allocatedByVat);
    }),
  );
});

test('each kind of vref has its form', t => {
  t.like(parseVref('o+0'), { type: 'object', allocatedByVat: true, id: 0n, kept: 'none' });
  t.like(parseVref('p-60'), { type: 'promise', allocatedByVat: false, id: 60n });
  t.like(parseVref('d-70'), { type: 'device', allocatedByVat: false, id: 70n });
  t.like(parseVref('o+v10/3'), { kept: 'virtual', id: 10n, instance: 3n, baseRef: 'o+v10/3' });
  t.like(parseVref('o+d10/3:1'), {
    kept: 'durable',
    id: 10n,
    instance: 3n,
    facet: 1n,
    baseRef: 'o+d10/3',
  });
});

test('a text that is no vref is refused', t => {
  const wrong = [
    ...['', 'o', 'o+', 'o1', '+1', 'o+01', 'o+1 ', ' o+1', 'o+-1', 'o+1.5', 'ko1', 'x+1', 'O+1'],
    // Virtual objects are exports, are objects, have an instance, and that begins with 1.
    ...['o-v10/3', 'p+v10/3', 'd+d10/3', 'o+v10', 'o+10/3', 'o+v10/0', 'o+v10/03', 'o+v10/3:'],
    ...['o+v10/3:01', 'o+10:1', 'o+v/3', 'o+x10/3', 'o+1\n'],
  ];
  for (const text of wrong) {
    t.false(isVref(text), text);
    t.throws(() => parseVref(text), {
      instanceOf: TypeError,
      message: `${JSON.stringify(text)} is not a vref; a vref is like "o+1", "p-60" or "o+d10/3:1"`,
    });
  }
  for (const value of [undefined, null, 7, {}, ['o+1']]) t.false(isVref(value));
});

test('isVref and parseVref agree on every text', t => {
  const arbNear = fc.string({ unit: fc.constantFrom(...'opdkv+-/:0123456789 '), maxLength: 9 });
  fc.assert(
    fc.property(arbNear, text => {
      let parsed = true;
      try {
        t.is(formatVref(parseVref(text)), text);
      } catch {
        parsed = false;
      }
      t.is(isVref(text), parsed);
    }),
    { numRuns: 2000 },
  );
});

test('a kref shows its type by a letter, and its number', t => {
  fc.assert(
    fc.property(arbType, fc.integer({ min: 1 }), (type, id) => {
      const kref = `k${type[0]}${id}`;
      t.is(isObjectKref(kref), type === 'object');
      t.is(isPromiseKref(kref), type === 'promise');
      t.is(isDeviceKref(kref), type === 'device');
      t.is(numberOfId(kref), id);
    }),
  );
});

test('ids are ordered by their numbers, then as text', t => {
  t.deepEqual(['v10', 'v2', 'v1'].sort(compareIds), ['v1', 'v2', 'v10']);
  t.deepEqual(['kp100', 'kp9', 'kp40'].sort(compareIds), ['kp9', 'kp40', 'kp100']);
  const arb = fc
    .tuple(fc.constantFrom('v', 'd', 'ko', 'kp'), fc.nat())
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(arb, arb, arb, (a, b, c) => {
      t.is(compareIds(a, b) + compareIds(b, a), 0);
      t.is(compareIds(a, b) === 0, a === b);
      if (compareIds(a, b) <= 0 && compareIds(b, c) <= 0) t.true(compareIds(a, c) <= 0);
    }),
  );
});
