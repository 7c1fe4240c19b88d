import { E, Far } from '@endo/far';

const explode = () => {
  throw Error('a getter');
};

class Mine extends Promise {}

const pass = async value => value;

/** Promises of every origin. */
const makePromises = bob => {
  const settled = Promise.resolve(1);
  const rejected = Promise.reject(Error('nobody listens'));
  const promises = [
    settled,
    rejected,
    new Promise(() => {}),
    settled.then(() => 2),
    settled.finally(() => {}),
    rejected.catch(() => 3),
    pass(4),
    (async function* () {
      yield 5;
    })().next(),
    Promise.all([settled, pass(6)]),
    Promise.any([settled]),
    Promise.race([settled]),
    Promise.allSettled([rejected]),
    new Mine(resolve => resolve(7)),
    new Mine(resolve => resolve(7)).then(() => 8),
    HandledPromise.resolve(9),
    new HandledPromise(resolve => resolve(10)),
    E(bob).give(),
    E.get(bob).nothing,
    E.when(settled, () => 11),
    new new Compartment().globalThis.Promise(() => {}),
    new Compartment().evaluate('(async () => 12)()'),
  ];
  for (const promise of promises) promise.catch(() => {});
  return promises;
};

const marksOf = promise => {
  const { ...rest } = promise;
  const set = [];
  const noting = new Proxy(
    {},
    {
      defineProperty: (target, key, descriptor) => {
        set.push(key);
        return Reflect.defineProperty(target, key, descriptor);
      },
    },
  );
  Object.assign(noting, promise);
  return [
    ...set,
    ...Reflect.ownKeys(promise),
    ...Object.getOwnPropertySymbols({ ...promise }),
    ...Object.getOwnPropertySymbols(rest),
    ...Reflect.ownKeys(Object.getOwnPropertyDescriptors(promise)),
    ...(Object.isFrozen(Object.preventExtensions(promise)) ? [] : ['not frozen']),
  ].map(key => `${String(key)}=${typeof promise[key]}`);
};

export const buildRootObject = () => {
  const early = [];
  return Far('mallory', {
    async look(bob) {
      const seen = new Set();
      const promises = makePromises(bob);
      early.push(...promises);
      // When they are made, and when their jobs have run.
      for (let turn = 0; turn < 3; turn += 1) {
        for (const promise of turn === 2 ? promises : makePromises(bob))
          marksOf(promise).forEach(mark => seen.add(mark));
        await null;
      }
      await E(bob).give();
      for (const promise of early) marksOf(promise).forEach(mark => seen.add(mark));
      return [...seen].sort().join();
    },
    async spoil(bob) {
      const symbols = new Set(
        [...early, ...makePromises(bob)].flatMap(each => Reflect.ownKeys(each)),
      );
      const spoilers = [
        { value: NaN },
        { value: -1 },
        { value: {} },
        { get: explode },
        { value: Symbol('x') },
      ];
      for (const descriptor of spoilers) {
        for (const promise of makePromises(bob)) {
          for (const symbol of symbols) Reflect.defineProperty(promise, symbol, descriptor);
          promise.then(
            () => {},
            () => {},
          );
        }
      }
      // Promises that Node cannot mark when their jobs run.
      for (const promise of makePromises(bob)) {
        const next = Object.freeze(promise.then(() => 1));
        Object.freeze(next.then(() => 2)).catch(() => {});
        next.catch(() => {});
      }
      await null;
      return symbols.size;
    },
  });
};
