// Eventual sends of a vat of 2020. What the tests expect, and the words of refusals, are what the kernel of 2020-09-30
// printed for these calls, with `@agoric/eventual-send` of that date.

import '#testkit/lockdown.js';
import test from 'ava';
import { E, HandledPromise, refusals2020, setRefusals } from '../eventual-send/index.js';

test.before(() => setRefusals(refusals2020));

const thing = harden({ a: () => 1, b: 1, nan: () => NaN, later: async () => NaN });

const { applyFunction, applyMethod } = HandledPromise;

/** @type {[title: string, send: () => Promise<unknown>, message: string][]} */
const refused = [
  [
    'a missing method',
    () => applyMethod(thing, 'c', []),
    'target["c"] does not exist, has a,b,later,nan',
  ],
  [
    'a symbol that is missing',
    () => applyMethod(thing, Symbol.asyncIterator, []),
    'target[undefined] does not exist, has a,b,later,nan',
  ],
  [
    'a property that is no method',
    () => applyMethod(thing, 'b', []),
    'target["b"] is not a function, typeof is number, has a,b,later,nan',
  ],
  [
    'a method of undefined',
    () => applyMethod(undefined, 'c', []),
    'target cannot contain ["c"], typeof is undefined',
  ],
  ['a method of 0', () => applyMethod(0, 'c', []), 'target cannot contain ["c"], typeof is number'],
  [
    'a method that a number has',
    () => applyMethod(3, 'toString', []),
    "Cannot use 'in' operator to search for 'toString' in 3",
  ],
  [
    'a method that a string has, in a promise',
    () => applyMethod(Promise.resolve('abc'), 'slice', [1]),
    "Cannot use 'in' operator to search for 'slice' in abc",
  ],
  [
    'a missing method of an array',
    () => applyMethod(harden([1, 2]), 'nope', []),
    'target["nope"] does not exist, has 0,1,length',
  ],
  [
    'a method that returns NaN',
    () => applyMethod(thing, 'nan', []),
    'Invalid value used as weak map key',
  ],
  [
    'a promise of messages that is resolved to NaN',
    () => new HandledPromise((/** @type {any} */ resolve) => resolve(NaN)),
    'Invalid value used as weak map key',
  ],
  [
    'an object that is called',
    () => applyFunction(thing, []),
    'target is not a function, typeof is object',
  ],
];

for (const [title, send, message] of refused) {
  test(`2020: ${title}`, async t => {
    await t.throwsAsync(send(), { instanceOf: TypeError, message });
  });
}

test('2020: what has the method takes the message', async t => {
  t.is(await applyMethod(thing, 'a', []), 1);
  t.is(await applyMethod(harden([1, 2]), 'join', ['-']), '1-2');
});

test('2020: a trap that throws is what the message is rejected with', async t => {
  const bad = new Proxy(harden({}), {
    has: () => {
      throw Error('trapped');
    },
  });
  await t.throwsAsync(applyMethod(Object.freeze({ __proto__: bad }), 'c', []), {
    message: 'trapped',
  });
});

test('2020: a promise that becomes NaN is no refusal', async t => {
  t.is(await applyMethod(thing, 'later', []), NaN);
  t.is(
    await new HandledPromise((/** @type {any} */ resolve) => resolve(Promise.resolve(NaN))),
    NaN,
  );
});

test('2020: arguments of a send stay as they were and are read when its turn comes', async t => {
  /** @type {unknown[]} */
  const list = [1];
  const result = E({ last: (/** @type {unknown[]} */ l) => l.push('seen') && l }).last(list);
  list.push(2);
  t.deepEqual(await result, [1, 2, 'seen']);
  t.is(await result, list);
  const args = [1];
  const sum = applyMethod({ sum: (/** @type {number[]} */ ...l) => l.length }, 'sum', args);
  args.push(2);
  t.is(await sum, 2);
});

test('2020: what a send of a vat to its own objects gives or throws is not frozen', async t => {
  const own = {
    make: () => ({ parts: [] }),
    fail: () => {
      throw Error('unfrozen');
    },
  };
  t.false(Object.isFrozen(await E(own).make()));
  t.false(Object.isFrozen(await t.throwsAsync(E(own).fail(), { message: 'unfrozen' })));
  t.false(Object.isFrozen(own));
});

test('2020: a method of a proxy of E is sent wherever it is called from', async t => {
  const { echo } = E(harden({ echo: (/** @type {unknown} */ x) => x }));
  t.is(await echo(3), 3);
  t.is(await Reflect.apply(echo, null, [4]), 4);
  t.throws(() => E(thing)[Symbol.iterator], {
    instanceOf: TypeError,
    message: 'Cannot convert a Symbol value to a string',
  });
});

test('2020: a method that is undefined or null calls the target itself', async t => {
  const fn = harden((/** @type {number} */ x) => x + 1);
  t.is(await applyMethod(fn, undefined, [1]), 2);
  t.is(await applyMethod(fn, null, [2]), 3);
  t.is(await E(fn)(3), 4);
});

test('2020: a promise whose handler takes no method calls holds them until it is settled', async t => {
  let settle;
  const promise = new HandledPromise(
    (/** @type {any} */ resolve) => {
      settle = resolve;
    },
    { get: () => t.fail('the method was asked for') },
  );
  const sent = E(promise).m(1);
  await null;
  await null;
  /** @type {any} */ (settle)({ m: (/** @type {number} */ x) => `got ${x}` });
  t.is(await sent, 'got 1');
});

test('2020: a presence whose handler takes no method calls is asked itself', async t => {
  let presence;
  void new HandledPromise(
    (/** @type {any} */ _resolve, /** @type {any} */ _reject, /** @type {any} */ present) => {
      presence = present({ get: () => t.fail('the method was asked for') });
    },
  );
  await t.throwsAsync(E(presence).m(), { message: 'target["m"] does not exist, has ' });
});

test('2020: handlers get function calls and sends without a result as method calls', async t => {
  /** @type {unknown[]} */
  const seen = [];
  const handler = {
    applyMethod: (
      /** @type {unknown} */ _target,
      /** @type {unknown} */ method,
      /** @type {unknown[]} */ args,
      /** @type {unknown} */ returned,
    ) => {
      seen.push([method, args.length, returned instanceof Promise]);
      return 'taken';
    },
    applyFunction: () => t.fail(),
    applyMethodSendOnly: () => t.fail(),
    applyFunctionSendOnly: () => t.fail(),
  };
  const promise = new HandledPromise(() => {}, handler);
  t.is(await E(promise)(1, 2), 'taken');
  HandledPromise.applyMethodSendOnly(promise, 'm', []);
  HandledPromise.applyFunctionSendOnly(promise, [1]);
  await null;
  await null;
  t.deepEqual(seen, [
    [undefined, 2, true],
    ['m', 0, true],
    [undefined, 1, true],
  ]);
});

test('2020: resolving with a handler is refused, and no handler may be null', async t => {
  await t.throwsAsync(new HandledPromise((/** @type {any} */ resolve) => resolve({}, {}), null), {
    message: 'resolveHandled no longer accepts a handler; use resolveWithPresence',
  });
  t.throws(() => HandledPromise(() => {}), { message: 'must be invoked with "new"' });
});

test('2020: a proxy that denies a method refuses the message', async t => {
  const proxy = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => 'called') });
  await t.throwsAsync(E(proxy).zip(), { message: 'target["zip"] does not exist, has ' });
});
