// Values that may pass between vats, and values that may not, for property tests of their encodings. Import
// `#testkit/lockdown.js` before this: values here are hardened.

import fc from 'fast-check';

// This entry of the library does not need a HandledPromise.
import { libraryFar, libraryRemotable, makeTagged } from '../vat/marshal/pass-style.js';

/** References that recur within a value and between values. */
export const references = harden([
  libraryFar('alice', { hello: () => 'hi', goodbye() {} }),
  libraryFar('with "quotes", a \\ and a . dot', {}),
  libraryFar('ünï¢ode \u{1f600} \ud800', {}),
  libraryFar('', {}),
  libraryFar('function', () => {}),
  libraryRemotable(),
  libraryRemotable('DebugName: bob'),
  Promise.resolve(),
  new Promise(() => {}),
  new Promise(() => {}),
]);

export const arbReference = fc.constantFrom(...references);

/** All UTF-16 strings, lone surrogates too, with more of the strings that encodings treat specially. */
export const arbText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
      .map(codes => String.fromCharCode(...codes)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...'!"#$%&\'()*+,-./@'), fc.string({ maxLength: 4 }))
      .map(parts => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '',
        '#undefined',
        '#tag',
        '#error',
        '$0',
        '&0',
        '$0.Alleged: x',
        '+1',
        '-1',
        '!',
        '\\',
        '"',
      ],
      ...[
        '@qclass',
        '@@iterator',
        '\u2028',
        '\u0000',
        '\u007f',
        'x'.repeat(50),
        '\ud83d',
        '\ude00',
      ],
    ),
  },
);

/** Property names, including those that objects treat specially. */
export const arbName = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }) },
  { weight: 2, arbitrary: arbText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['0', '1', '10', '9', '007', '4294967294', '4294967295', '4294967296', '-0', '1.5', '1e3'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', 'message'],
      ...[
        'payload',
        'name',
        'errorId',
        'toJSON',
        'valueOf',
        'a',
        'b',
        'B',
        'é',
        '\u{1f600}',
        '\uffff',
      ],
    ),
  },
);

export const arbNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 2 ** 53, 1e21, 1e-7, 5e-324, 0.1),
);

export const arbSymbol = fc.oneof(
  arbText.map(text => Symbol.for(text)),
  fc.constantFrom(
    Symbol.iterator,
    Symbol.asyncIterator,
    Symbol.for('@@iterator'),
    Symbol.for('@@'),
  ),
);

const makeError = (
  /** @type {number} */ which,
  /** @type {string} */ message,
  /** @type {Error | undefined} */ cause,
) => {
  const options = cause === undefined ? undefined : { cause };
  if (which === 0) return harden(AggregateError(cause ? [cause] : [], message, options));
  const constructors = [Error, TypeError, RangeError, SyntaxError, URIError, EvalError];
  return harden(constructors[which % constructors.length](message, options));
};

/** Errors, which also pass inside other values. */
export const arbError = fc
  .tuple(
    fc.nat({ max: 6 }),
    arbText,
    fc.option(fc.tuple(fc.nat({ max: 6 }), arbText), { nil: undefined }),
  )
  .map(([which, message, cause]) =>
    makeError(which, message, cause && makeError(cause[0], cause[1], undefined)),
  );

/**
 * Make a record in the library's form, without null prototypes and symbols as names.
 *
 * @param {[string, unknown][]} entries
 */
const makeRecord = entries => {
  const record = {};
  for (const [name, value] of entries) {
    // A function named `then` makes a thenable, which may not pass.
    if (name !== 'then' || typeof value !== 'function') {
      Object.defineProperty(record, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return harden(record);
};

const arbPrimitive = fc.oneof(
  { weight: 4, arbitrary: arbText },
  { weight: 3, arbitrary: arbNumber },
  { weight: 1, arbitrary: fc.bigInt() },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, true, false) },
  { weight: 1, arbitrary: arbSymbol },
);

/**
 * @param {{ errors?: boolean, tagged?: boolean, extra?: import('fast-check').Arbitrary<unknown> }} [options]  additional
 *   kinds of leaves
 * @returns {import('fast-check').Arbitrary<unknown>}
 */
export const makeArbPassable = ({ errors = true, tagged = true, extra } = {}) =>
  fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: arbPrimitive },
      { weight: 2, arbitrary: arbReference },
      ...(errors ? [{ weight: 1, arbitrary: arbError }] : []),
      ...(extra ? [{ weight: 2, arbitrary: extra }] : []),
      { weight: 3, arbitrary: fc.array(tie('value'), { maxLength: 6 }).map(harden) },
      {
        weight: 3,
        arbitrary: fc.array(fc.tuple(arbName, tie('value')), { maxLength: 6 }).map(makeRecord),
      },
      ...(tagged
        ? [
            {
              weight: 1,
              arbitrary: fc
                .tuple(arbText, tie('value'))
                .map(([tag, payload]) => makeTagged(tag, /** @type {any} */ (payload))),
            },
          ]
        : []),
    ),
  })).value;

/** Every kind of value that @endo/marshal passes, hardened. */
export const arbPassable = makeArbPassable();

/** Functions that make values that do not pass, or are at the limit: a new value in each call. */
export const oddities = harden({
  'an unhardened array': () => [1],
  'an unhardened record': () => ({ a: 1 }),
  'a record with an unhardened one inside': () => Object.freeze({ a: {} }),
  'a function': () => harden(() => {}),
  'an unhardened function': () => () => {},
  'an object of methods': () => harden({ foo() {} }),
  'an object with a method and data': () => harden({ foo() {}, a: 1 }),
  'a getter': () =>
    harden({
      get a() {
        return 1;
      },
    }),
  'a getter in an array': () => {
    const array = [1, 2];
    Object.defineProperty(array, 0, { get: () => 1, enumerable: true });
    return harden(array);
  },
  'a hidden property': () => harden(Object.defineProperty({ a: 1 }, 'b', { value: 2 })),
  'a hidden element': () => harden(Object.defineProperty([1], 0, { value: 2, enumerable: false })),
  'a symbol-named property': () => harden({ [Symbol.for('a')]: 1, b: 2 }),
  'a hole': () => harden([1, , 2]), // eslint-disable-line no-sparse-arrays
  'an array with a name': () => harden(Object.assign([1], { name: 2 })),
  'an array with a name for a hole': () => harden(Object.assign([1, ,], { name: 2 })), // eslint-disable-line no-sparse-arrays
  'an array with a symbol': () => harden(Object.assign([1], { [Symbol.iterator]: 2 })),
  'an array with another prototype': () => harden(Object.setPrototypeOf([1], Object.prototype)),
  'an array of a class': () => {
    class List extends Array {}
    return harden(new List());
  },
  'a record without prototype': () => harden({ __proto__: null, a: 1 }),
  'an instance of a class': () => {
    class Point {
      x = 1;
    }
    return harden(new Point());
  },
  'a date': () => harden(new Date(0)),
  'a map': () => harden(new Map()),
  'a regular expression': () => harden(/x/),
  'a typed array': () => harden(new Uint8Array(2)),
  'an array buffer': () => harden(new ArrayBuffer(2)),
  'a boxed string': () => harden(Object('abc')),
  'a unique symbol': () => Symbol('unique'),
  'a thenable': () => harden({ then() {} }),
  'a record with a far function named then': () => harden({ then: libraryFar('f', () => {}) }),
  'a remotable with a method named then': () => libraryFar('x', { then() {} }),
  'an unhardened promise': () => Promise.resolve(),
  'a promise with a property': () => harden(Object.assign(Promise.resolve(), { a: 1 })),
  'a promise with another name': () =>
    harden(Object.defineProperty(Promise.resolve(), Symbol.toStringTag, { value: 'Promise?' })),
  'a promise of a class': () => {
    /** @extends {Promise<unknown>} */
    class Vow extends Promise {}
    return harden(new Vow(() => {}));
  },
  'what inherits from a promise': () =>
    harden(Object.create(Promise.prototype, { then: { value: 1 } })),
  'an unhardened error': () => Error('unhardened'),
  'an error with data': () => harden(Object.assign(Error('data'), { code: 5 })),
  'an error with another name': () => harden(Object.assign(Error('named'), { name: 'Renamed' })),
  'an error with an odd cause': () => harden(Error('caused', { cause: 'a string' })),
  'an error of a class': () => {
    class Mistake extends Error {}
    return harden(new Mistake('classy'));
  },
  'an error without message': () => harden(Error()),
  'cyclic data': () => {
    /** @type {unknown[]} */
    const array = [];
    array.push({ array });
    return harden(array);
  },
  'deep data': () => {
    /** @type {unknown} */
    let deep = harden([]);
    for (let i = 0; i < 150; i += 1) deep = harden(i % 2 ? [deep] : { deep });
    return deep;
  },
  'a proxy of a record': () => harden(new Proxy(harden({ a: 1 }), {})),
  'a proxy of an array': () => harden(new Proxy(harden([1, 'a']), {})),
  'a proxy of a remotable': () => harden(new Proxy(libraryFar('p', {}), {})),
  'what says it is tagged': () =>
    harden({ [Symbol.for('passStyle')]: 'tagged', [Symbol.toStringTag]: 'x', payload: 1 }),
  'what says it is remotable': () => harden({ [Symbol.for('passStyle')]: 'remotable' }),
  'what inherits from a remotable': () => harden(Object.create(libraryFar('parent', { a() {} }))),
  'a remotable with data': () =>
    harden(Object.create(libraryFar('parent', {}), { a: { value: 1 } })),
  'tagged data with more': () =>
    harden(
      Object.create(Object.prototype, {
        ...Object.getOwnPropertyDescriptors(/** @type {any} */ (makeTagged('t', 1))),
        more: { value: 1, enumerable: true },
      }),
    ),
});

export const arbOddity = fc
  .constantFrom(...Object.values(oddities))
  .map(make => /** @type {unknown} */ (make()));

/** Passable values with some odd leaves, frozen at every level above them. */
export const arbOdd = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: arbOddity },
    { weight: 2, arbitrary: makeArbPassable() },
    {
      weight: 2,
      arbitrary: fc.array(tie('value'), { maxLength: 4 }).map(value => Object.freeze(value)),
    },
    {
      weight: 2,
      arbitrary: fc
        .dictionary(arbName, tie('value'), { maxKeys: 4, noNullPrototype: true })
        .map(value => Object.freeze(value)),
    },
  ),
})).value;
