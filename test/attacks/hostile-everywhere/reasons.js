const explode = () => {
  throw Error('a trap');
};
const explosive = new Proxy({}, { get: () => explode });

const withGetter = (key, get) => Object.defineProperty(Error('x'), key, { get });

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable(Error('x'), {});
  revoke();
  return proxy;
};

const circular = () => {
  const error = Error('circular');
  error.cause = error;
  error.errors = [error];
  return error;
};

/**
 * Reasons that are hard to look at; each is made anew.
 *
 * @param {object} options
 * @param {() => Error} options.deep  makes an error with a long chain of causes
 * @param {number} options.characters  of long strings
 * @param {number} options.errors  of an aggregate
 */
export const makeReasons = ({ deep, characters, errors }) => [
  () => new Proxy(Error('p'), { getPrototypeOf: explode }),
  () => new Proxy(Error('p'), explosive),
  () => new Proxy(() => {}, explosive),
  () => revoked(),
  () => withGetter('message', explode),
  () => withGetter('name', explode),
  () => withGetter('stack', explode),
  () => withGetter('cause', explode),
  () => withGetter('constructor', explode),
  () => withGetter(Symbol.toStringTag, explode),
  () => withGetter('message', () => Symbol('x')),
  () => Object.create(Error.prototype, { message: { get: explode }, name: { get: explode } }),
  () => Object.setPrototypeOf(Error('x'), null),
  () => Object.setPrototypeOf(Error('x'), new Proxy(Error.prototype, explosive)),
  () => ({ toString: explode, [Symbol.toPrimitive]: explode, message: Symbol('x') }),
  () => ({
    get message() {
      return explode();
    },
    get name() {
      return explode();
    },
  }),
  () => ({ then: explode }),
  () => ({
    get then() {
      return explode();
    },
  }),
  () => Symbol('a symbol'),
  () => Object(Symbol('a symbol')),
  () => 10n ** 3000n,
  () => undefined,
  () => null,
  () => '',
  () => '\ud800',
  () => 'x'.repeat(characters),
  () => Error('x'.repeat(characters)),
  () => AggregateError([revoked(), new Proxy({}, explosive)], 'many'),
  () => AggregateError(new Array(errors).fill(Error('x')), 'very many'),
  () => Error('x', { cause: revoked() }),
  deep,
  circular,
  () => Promise.resolve(1),
  () => function named() {},
  () =>
    class Strange extends Error {
      get name() {
        return explode();
      }
      static get [Symbol.species]() {
        return explode();
      }
    },
  () =>
    new (class Strange extends Error {
      get message() {
        return explode();
      }
    })(),
  () =>
    new (class extends Error {
      static [Symbol.hasInstance]() {
        return explode();
      }
    })(),
  () => [[[[[[Error('nested')]]]]]],
  () => new Date(NaN),
  () => new Map([[{}, revoked()]]),
  () => new Uint8Array(10),
  () => globalThis,
  () => new Compartment(),
  () => Object.assign(Error('x'), { message: { toString: explode } }),
  () => Object.defineProperty(Error('x'), 'message', { value: Error('y') }),
  () => Object.defineProperty([], 'length', { value: 2 ** 32 - 1 }),
  () => Object.assign(() => {}, { message: 'm', name: 'n' }),
];

const deep = () => {
  let error = Error('innermost');
  for (let i = 0; i < 5_000; i += 1) error = Error('around it', { cause: error });
  return error;
};

export const reasons = makeReasons({ deep, characters: 50_000, errors: 1_000 });
