// Node looks at a promise that was rejected while nobody listened, by symbols of its own, before it tells of it. A proxy in
// the promise's prototype chain learns the symbols, or throws in the midst of Node's loop; and a promise that has a number
// under such a symbol ends a process with async hooks, for their stack is "corrupted".
import { E, Far } from '@endo/far';

const seen = new Set();

const explode = () => {
  throw Error('a trap');
};

const note = (_target, key) => {
  if (typeof key === 'symbol') seen.add(String(key.description));
  return 1;
};

/** Every way to a proxy with a trap of one's own. */
const makeProxies = get => {
  const handlers = [
    { get },
    Object.create({ get }),
    new Proxy({ get }, {}),
    new Proxy({}, { get: (_target, name) => (name === 'get' ? get : undefined) }),
  ];
  const made = handlers.flatMap(handler => [
    new Proxy({}, handler),
    new Proxy(() => {}, handler),
    Proxy.revocable({}, handler).proxy,
    Reflect.construct(Proxy, [{}, handler]),
    new new Compartment().globalThis.Proxy({}, handler),
    new (new Compartment({}).evaluate('Proxy'))({}, handler),
    new (new Compartment().evaluate('new Compartment().evaluate("Proxy")'))({}, handler),
    new (Function('return Proxy')())({}, handler),
    new ((0, eval)('Proxy'))({}, handler),
  ]);
  for (const handler of handlers) {
    new HandledPromise((_resolve, _reject, resolveWithPresence) => {
      made.push(resolveWithPresence({}, { proxy: { target: {}, handler } }));
    });
    new HandledPromise((_resolve, _reject, resolveWithPresence) => {
      const revokerCallback = () => {};
      made.push(resolveWithPresence({}, { proxy: { target: {}, handler, revokerCallback } }));
    });
  }
  return made;
};

/** Every way to a rejected promise that inherits from something. */
const ways = [
  prototype => Object.setPrototypeOf(Promise.reject(1), prototype),
  prototype => Object.setPrototypeOf(Promise.reject(1), Object.create(prototype)),
  prototype => {
    const of = function () {};
    of.prototype = prototype;
    return Reflect.construct(Promise, [(_, reject) => reject(1)], of);
  },
  prototype => {
    class Mine extends Promise {}
    Object.setPrototypeOf(Mine.prototype, prototype);
    return new Mine((_, reject) => reject(1));
  },
  prototype => {
    const promise = Promise.reject(1);
    // eslint-disable-next-line no-proto
    promise.__proto__ = prototype;
    return promise;
  },
];

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap() {
      const prototypes = [
        ...makeProxies(note),
        ...makeProxies(explode),
        ...makeProxies(() => NaN),
        ...makeProxies(() => ({ valueOf: explode })),
        E(Far('it', {})),
        E.get(Far('it', {})),
        E.sendOnly(Far('it', {})),
        E.when,
      ];
      for (const prototype of prototypes) {
        for (const way of ways) {
          try {
            way(prototype);
          } catch {
            // Some cannot be made.
          }
        }
        await null;
      }
    },
    // In the crank after all of them.
    async runBenchmarkRound() {
      console.log(`symbols: ${[...seen].join() || 'none'}`);
    },
  });
