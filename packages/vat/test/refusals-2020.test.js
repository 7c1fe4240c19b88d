// How objects of a vat of 2020 refuse its messages. The words are those that the kernel of 2020-09-30 printed for these
// calls, with `@agoric/eventual-send` of that date.

import '#testkit/lockdown.js';
import test from 'ava';
import { HandledPromise, refusals2020, setRefusals } from '../eventual-send/index.js';

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
