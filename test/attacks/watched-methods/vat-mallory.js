import { E, Far } from '@endo/far';

let seen = 0;
const count = () => {
  seen += 1;
  return 'looked at';
};
const traps = [
  'get',
  'has',
  'ownKeys',
  'getPrototypeOf',
  'getOwnPropertyDescriptor',
  'isExtensible',
];
const counting = target =>
  new Proxy(
    target,
    Object.fromEntries(
      traps.map(trap => [
        trap,
        (...args) => {
          seen += 1;
          return Reflect[trap](...args);
        },
      ]),
    ),
  );
const friend = Far('friend', { take: () => 'taken' });

const kinds = [
  () => Object.defineProperty(Error('x'), 'message', { get: count }),
  () => Object.defineProperty(Error('x'), 'name', { get: count }),
  () => Object.defineProperty(Error('x'), 'stack', { get: count }),
  () => Object.defineProperty(Error('x'), 'cause', { get: count }),
  () => counting(Error('x')),
  () => counting({}),
  () => counting([]),
  () => counting(() => {}),
  () => ({
    get a() {
      return count();
    },
  }),
  () => ({ toString: count, toJSON: count, [Symbol.toPrimitive]: count }),
  () =>
    new (class Odd {
      get [Symbol.toStringTag]() {
        return count();
      }
    })(),
  () =>
    new (class extends Error {
      get message() {
        return count();
      }
    })(),
  () => Object.assign(Error('x'), { extra: counting({}) }),
  () => Error('x', { cause: counting(Error('y')) }),
  () => AggregateError([counting(Error('y'))], 'z'),
  () => null.x,
  () =>
    (function f() {
      f();
    })(),
];

export const buildRootObject = () =>
  Far('mallory', {
    count: () => kinds.length,
    seen: () => seen,
    throws(kind) {
      throw kinds[kind]();
    },
    returns: kind => kinds[kind](),
    sends: kind => E(friend).take(kinds[kind](), harden([kinds[kind]()])),
  });
