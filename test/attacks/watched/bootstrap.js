// A vat that can tell whether somebody watches acts otherwise then. The host reads errors and printed values when it shows
// them, and does not when nobody is there or while the vat is replayed; getters, traps and conversions count.
import { Far } from '@endo/far';

let seen = 0;

const count = () => {
  seen += 1;
  return 'looked at';
};

const counting = target =>
  new Proxy(target, {
    get(of, key, receiver) {
      seen += 1;
      return Reflect.get(of, key, receiver);
    },
    getPrototypeOf(of) {
      seen += 1;
      return Reflect.getPrototypeOf(of);
    },
    getOwnPropertyDescriptor(of, key) {
      seen += 1;
      return Reflect.getOwnPropertyDescriptor(of, key);
    },
    ownKeys(of) {
      seen += 1;
      return Reflect.ownKeys(of);
    },
    has(of, key) {
      seen += 1;
      return Reflect.has(of, key);
    },
  });

const makeErrors = () => [
  ...[
    'message',
    'name',
    'stack',
    'cause',
    'errors',
    'constructor',
    'toString',
    Symbol.toStringTag,
    Symbol.for('nodejs.util.inspect.custom'),
  ].map(key => Object.defineProperty(Error('x'), key, { get: count })),
  counting(Error('x')),
  counting({ message: 'x' }),
  Error('x', { cause: counting(Error('y')) }),
  AggregateError([counting(Error('x'))], 'x'),
  { toString: count, [Symbol.toPrimitive]: count, toJSON: count },
  Object.setPrototypeOf(Error('x'), counting(Error.prototype)),
  new (class Mine extends Error {
    get name() {
      return count();
    }
  })('x'),
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {},
    async runBenchmarkRound() {
      for (const error of makeErrors()) {
        Promise.reject(error);
        console.log('%s %o %j %d', error, error, error, error);
        console.error(error);
        console.warn({ error }, [error], new Map([[error, error]]));
      }
      await null;
      await null;
      return seen;
    },
    throws(number) {
      throw makeErrors()[number];
    },
  });
