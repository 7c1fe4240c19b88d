import { makeReasons } from '../hostile-everywhere/reasons.js';

const explode = () => {
  throw Error('a trap');
};
const explosive = new Proxy({}, { get: () => explode });

let chain;

// Deeper than a recursion on it may go. It is made once, since each of its errors takes the time of a stack trace.
const deep = () => {
  if (chain === undefined) {
    chain = Error('innermost');
    for (let i = 0; i < 12_000; i += 1) chain = Error('around it', { cause: chain });
  }
  return Error('outermost', { cause: chain });
};

export const reasons = makeReasons({ deep, characters: 1_000_000, errors: 10_000 });

/** A rejected promise that is itself hard to touch. */
export const promises = [
  reason => Object.defineProperty(Promise.reject(reason), 'constructor', { get: explode }),
  reason => Object.defineProperty(Promise.reject(reason), 'then', { get: explode }),
  reason => Object.setPrototypeOf(Promise.reject(reason), null),
  reason => Object.setPrototypeOf(Promise.reject(reason), new Proxy(Promise.prototype, explosive)),
  reason => Promise.reject(reason),
  reason => new HandledPromise((_, reject) => reject(reason)),
  reason =>
    (async () => {
      throw reason;
    })(),
  reason =>
    Promise.resolve().then(() => {
      throw reason;
    }),
  reason =>
    new (class Mine extends Promise {
      static get [Symbol.species]() {
        return explode();
      }
    })((_, reject) => reject(reason)),
];
