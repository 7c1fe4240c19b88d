// Marshals that let objects of methods pass, and messages that are read at once.

import '#testkit/lockdown.js';
import fc from 'fast-check';
import test from 'ava';
import { arbPassable, makeArbPassable } from '#testkit/passable.js';
import { Far, getInterfaceOf, makeTagged } from '../marshal/index.js';
import { runs, makePair, assertSame } from './smallcaps-pairs.js';

// Lenient: both generations of programs.

test('a strict marshal refuses hardened objects of methods that are not Far', t => {
  const { ours } = makePair();
  t.throws(() => ours.toCapData(harden({ foo() {} })), {
    message: /Remotables must be explicitly declared/,
  });
});

test('a lenient marshal takes hardened objects of methods for remotables without interface', t => {
  const { ours, ourTable } = makePair({ lenient: true });
  const old = harden({ foo() {}, bar: () => {} });
  t.deepEqual(ours.toCapData(old), { body: '#"$0"', slots: ['o+0'] });
  t.deepEqual(ours.toCapData(harden([old, { old }, makeTagged('t', 1)])), {
    body: '#["$0",{"old":"$0"},{"#tag":"t","payload":1}]',
    slots: ['o+0'],
  });
  t.is(ours.fromCapData({ body: '#"$0"', slots: ['o+0'] }), old);
  t.deepEqual(ourTable.asked, [['o+0', undefined]]);
  const tagged = ours.fromCapData({ body: '#{"#tag":"t","payload":["$0"]}', slots: ['o+0'] });
  t.is(ours.toCapData(tagged).body, '#{"#tag":"t","payload":["$0"]}');
});

test('a lenient marshal takes an empty object for an empty record, as today', t => {
  const { ours } = makePair({ lenient: true });
  t.is(ours.toCapData(harden({})).body, '#{}');
  t.is(ours.toCapData(harden([{}])).body, '#[{}]');
});

test('a lenient marshal refuses what is neither data nor methods', t => {
  const { ours, theirs, ourTable, logged } = makePair({ lenient: true });
  const old = harden({ foo() {} });
  for (const make of [
    () => harden({ foo() {}, a: 1 }),
    () => ({ foo() {} }),
    () => harden([old, () => {}]),
    () => harden([Far('x', {}), Error('lost'), { foo() {}, a: 1 }]),
    () => harden({ then() {} }),
    () => harden({ foo() {}, get bar() { return () => {}; } }), // prettier-ignore
    () => harden({ __proto__: { foo() {} } }),
    () => {
      /** @type {any} */
      const cycle = { old };
      cycle.cycle = cycle;
      return harden(cycle);
    },
  ]) {
    t.throws(() => ours.toCapData(make()));
    t.throws(() => theirs.toCapData(/** @type {any} */ (make())));
  }
  t.deepEqual(logged, []);
  t.is(ourTable.slotOf({}), 'o+0');
});

test('a lenient marshal treats everything that passes without leniency the same', t => {
  const { ours, theirs } = makePair({ lenient: true });
  const { ours: strict } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      const data = theirs.toCapData(/** @type {any} */ (value));
      t.deepEqual(ours.toCapData(value), data);
      strict.toCapData(value);
      assertSame(t, ours.fromCapData(data), theirs.fromCapData(data));
    }),
    { numRuns: 1000 },
  );
});

test('a lenient marshal reads back what it writes, with objects of methods anywhere', t => {
  const old = [harden({ foo() {} }), harden({ foo() {}, bar() {} })];
  const arbMixed = makeArbPassable({
    extra: fc.constantFrom(...old),
    tagged: false,
    errors: false,
  });
  const { ours } = makePair({ lenient: true });
  const sameOrOld = (/** @type {any} */ left, /** @type {any} */ right) => {
    if (old.includes(left)) t.is(left, right);
    else if (Array.isArray(left)) left.forEach((value, i) => sameOrOld(value, right[i]));
    else if (typeof left === 'object' && left && Object.getPrototypeOf(left) === Object.prototype) {
      t.deepEqual(Object.keys(left).sort(), Object.keys(right).sort());
      for (const name of Object.keys(left)) sameOrOld(left[name], right[name]);
    } else if (left !== 0) {
      // -0 is sent as 0.
      t.is(left, right);
    }
  };
  fc.assert(
    fc.property(arbMixed, value => sameOrOld(value, ours.fromCapData(ours.toCapData(value)))),
    { numRuns: 1000 },
  );
});

test('errors beside objects of methods are numbered once', t => {
  const { ours, logged } = makePair({ lenient: true });
  const { body } = ours.toCapData(harden([{ foo() {} }, Error('one')]));
  t.is(body, '#["$0",{"#error":"one","errorId":"error:liveSlots:v1#70001","name":"Error"}]');
  t.is(logged.length, 1);
});

test('interfaces stand where a reference appears first', t => {
  const { ours } = makePair();
  const alice = Far('alice', {});
  t.is(getInterfaceOf(alice), 'Alleged: alice');
  t.is(
    ours.toCapData(harden({ b: alice, a: [alice] })).body,
    '#{"a":["$0.Alleged: alice"],"b":"$0"}',
  );
});

test('a message that is written again is the same, whatever was written in between', t => {
  const { ours } = makePair({ isTrusted: true });
  const { ours: plain } = makePair();
  const messages = [['a'], ['a', 1], [0], [-0], [NaN], [undefined], [null], ['a'], [{ x: 1 }]];
  for (const args of [...messages, ...messages]) {
    const expected = plain.messageToCapData('m', harden(args));
    t.deepEqual(ours.messageToCapData('m', harden(args)), expected);
    t.deepEqual(ours.messageToCapData('m', harden(args)), expected);
    t.notDeepEqual(ours.messageToCapData('n', harden(args)), expected);
  }
});

test('a message that is read for a call at once is the same the first and the second time', t => {
  const { ours } = makePair();
  for (const args of [[], ['a', 1, null, undefined, 5n, true], [{ a: 1 }], [['x']]]) {
    const data = ours.messageToCapData('m', harden(args));
    const fresh = ours.messageFromCapData(data);
    t.deepEqual(ours.messageFromCapData(data), fresh);
    t.deepEqual(ours.messageFromCapData(data), fresh);
    t.deepEqual(ours.messageFromCapData({ ...data, body: `${data.body} ` }), fresh);
  }
});

test('a body that comes again is read as @endo/marshal reads it, each time anew', t => {
  const { ours, theirs, ourTable, theirTable } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      const data = theirs.toCapData(/** @type {any} */ (value));
      ours.toCapData(value);
      const message = { ...data, body: `#["m",[${data.body.slice(1)}]]` };
      for (let time = 0; time < 3; time += 1) {
        ourTable.asked.length = 0;
        theirTable.asked.length = 0;
        const expected = theirs.fromCapData(data);
        assertSame(t, ours.fromCapData(data), expected);
        t.deepEqual(ourTable.asked, theirTable.asked);
        ourTable.asked.length = 0;
        const { method, args } = ours.messageFromCapData(message);
        t.is(method, 'm');
        assertSame(t, args[0], expected);
        t.deepEqual(ourTable.asked, theirTable.asked);
      }
    }),
    runs,
  );
  const record = ours.toCapData(harden({ a: { b: [Far('x', {})] } }));
  const values = [0, 1, 2, 3].map(() => /** @type {any} */ (ours.fromCapData(record)));
  t.is(new Set(values).size, 4);
  t.is(new Set(values.map(({ a }) => a)).size, 4);
  t.is(new Set(values.map(({ a }) => a.b)).size, 4);
});

test('a body that comes again with other slots is refused as the first time', t => {
  const { ours } = makePair();
  const { body, slots } = ours.messageToCapData('m', harden([{ a: Far('x', {}) }]));
  const promise = ours.messageToCapData('m', harden([Promise.resolve()]));
  for (let time = 0; time < 3; time += 1) {
    t.notThrows(() => ours.messageFromCapData({ body, slots }));
    t.throws(() => ours.messageFromCapData({ body, slots: [] }), {
      message: 'a body refers to slot 0, and there are 0 slots',
    });
    t.throws(() => ours.messageFromCapData({ body, slots: promise.slots }), {
      message: 'slot 0 is no remotable, and the body says that it is one',
    });
    t.throws(() => ours.messageFromCapData({ body: promise.body, slots }), {
      message: 'slot 0 is no promise, and the body says that it is one',
    });
  }
});

test('many bodies of one form are read each as itself', t => {
  const { ours } = makePair();
  const one = Far('x', {});
  for (let time = 0; time < 3; time += 1) {
    for (let i = 0; i < 200; i += 1) {
      const data = ours.toCapData(harden({ one, count: BigInt(i) }));
      t.deepEqual(ours.fromCapData(data), { one, count: BigInt(i) });
      const message = ours.messageToCapData('m', harden([one, i]));
      t.deepEqual(ours.messageFromCapData(message), { method: 'm', args: [one, i] });
    }
  }
});
