import '#testkit/lockdown.js';

import fc from 'fast-check';
import test from 'ava';
import { Far, Remotable2020, makeQclassMarshal, makeTagged } from '../marshal/index.js';
import { makeArbPassable } from '#testkit/passable.js';

// The bodies here are what @agoric/marshal 0.2.6 (of September 2020) writes; the tables were held against it.

const makeTable = () => {
  /** @type {unknown[]} */
  const values = [];
  /** @type {[string, string | undefined][]} */
  const asked = [];
  const slotOf = (/** @type {object} */ value) => {
    if (!values.includes(value)) values.push(value);
    return `o+${values.indexOf(value)}`;
  };
  const valOf = (/** @type {string} */ slot, /** @type {string | undefined} */ iface) => {
    asked.push([slot, iface]);
    return values[Number(slot.slice(2))];
  };
  return { values, asked, marshal: makeQclassMarshal(slotOf, valOf) };
};

const once = harden({ a: 1 });
const old = harden({ m() {} });
const promise = harden(Promise.resolve());

/** @type {unknown[]} */
const cycle = [1];
cycle.push({ cycle });
harden(cycle);

/** @type {[string, unknown, string][]} */
const bodies = [
  ['undefined', undefined, '{"@qclass":"undefined"}'],
  ['null', null, 'null'],
  ['booleans', [true, false], '[true,false]'],
  ['numbers', [0, 1.5, -3, 1e21, 5e-324], '[0,1.5,-3,1e+21,5e-324]'],
  ['-0 as 0', -0, '0'],
  ['NaN', NaN, '{"@qclass":"NaN"}'],
  ['Infinity', [Infinity, -Infinity], '[{"@qclass":"Infinity"},{"@qclass":"-Infinity"}]'],
  ['bigints', [5n, -7n], '[{"@qclass":"bigint","digits":"5"},{"@qclass":"bigint","digits":"-7"}]'],
  [
    'texts as they are',
    ['#x', '@qclass', '!', 'é"\n\ud800'],
    '["#x","@qclass","!","é\\"\\n\\ud800"]',
  ],
  ['an empty array', [], '[]'],
  ['records in the order of their names', { b: 1, a: { c: [] } }, '{"b":1,"a":{"c":[]}}'],
  ['array indexes first', { b: 1, 10: 2, 9: 3 }, '{"9":3,"10":2,"b":1}'],
  ['undefined in a record', { a: undefined }, '{"a":{"@qclass":"undefined"}}'],
  ['a name __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ['an object of methods', old, '{"@qclass":"slot","index":0}'],
  ['an empty object by reference', {}, '{"@qclass":"slot","index":0}'],
  [
    'two empty objects as two',
    [{}, {}],
    '[{"@qclass":"slot","index":0},{"@qclass":"slot","index":1}]',
  ],
  ['no prototype by reference', { __proto__: null }, '{"@qclass":"slot","index":0}'],
  ['an instance of a class of methods', new (class { m() {} })(), '{"@qclass":"slot","index":0}'], // prettier-ignore
  ['only symbols by reference', { [Symbol.for('x')]: 1 }, '{"@qclass":"slot","index":0}'],
  ['data without its symbols', { [Symbol.for('x')]: 1, a: 2 }, '{"a":2}'],
  ['an array without its symbols', Object.assign([1], { [Symbol.for('x')]: 1 }), '[1]'],
  ['a promise', [promise], '[{"@qclass":"slot","index":0}]'],
  ['a remotable under its interface', Remotable2020('Alleged: presence o-51'),
    '{"@qclass":"slot","iface":"Alleged: presence o-51","index":0}'], // prettier-ignore
  [
    'a far object',
    [Far('a "b"', {})],
    '[{"@qclass":"slot","iface":"Alleged: a \\"b\\"","index":0}]',
  ],
  [
    'a far function',
    { f: Far('f', () => {}) },
    '{"f":{"@qclass":"slot","iface":"Alleged: f","index":0}}',
  ],
  [
    'an error',
    TypeError('no "m"'),
    '{"@qclass":"error","name":"TypeError","message":"no \\"m\\""}',
  ],
  ['an error without message', Error(), '{"@qclass":"error","name":"Error","message":""}'],
  ['a repeated record', [once, once], '[{"a":1},{"@qclass":"ibid","index":1}]'],
  [
    'a repeated reference',
    [old, [old]],
    '[{"@qclass":"slot","index":0},[{"@qclass":"ibid","index":1}]]',
  ],
  ['objects numbered as they are met', [[], { a: promise }, promise, [once], once],
    '[[],{"a":{"@qclass":"slot","index":0}},{"@qclass":"ibid","index":3},[{"a":1}],{"@qclass":"ibid","index":5}]'], // prettier-ignore
  ['cyclic data', cycle, '[1,{"cycle":{"@qclass":"ibid","index":0}}]'],
  ['what toJSON answers', [{ toJSON: (/** @type {string} */ key) => `at ${key}` }], '["at 0"]'],
  ['a date as text', new Date(0), '"1970-01-01T00:00:00.000Z"'],
];

for (const [what, value, body] of bodies) {
  test(`writes ${what}`, t => {
    const { marshal } = makeTable();
    t.is(marshal.toCapData(harden(value)).body, body);
  });
}

/** @type {[string, () => unknown, RegExp][]} */
const refused = [
  ['an unhardened object', () => ({ m() {} }), /non-frozen objects like \[object Object\]/],
  ['an unhardened array', () => [], /non-frozen/],
  ['an unhardened error', () => Error('x'), /non-frozen objects like Error: x/],
  ['a symbol', () => Symbol.iterator, /^Cannot pass symbols$/],
  [
    'a function',
    () => harden(() => {}),
    /^(Bare functions like \(\) => \{\} are disabled for now|Arrays must not contain methods: 1)$/,
  ],
  [
    'methods and data',
    () => harden({ m() {}, a: 1 }),
    /^cannot serialize objects with non-methods like the \.a in \[object Object\]$/,
  ],
  [
    'data without prototype',
    () => harden({ __proto__: null, a: 1 }),
    /^Cannot convert object to primitive value$/,
  ],
  ['inherited data', () => harden({ __proto__: { a: 1 } }), /non-methods like the \.a in/],
  ['a record with an accessor', () => harden({ get a() { return 1; } }), /^Records must not contain accessors: a$/], // prettier-ignore
  [
    'a hidden property',
    () => harden(Object.defineProperty({}, 'a', { value: 1 })),
    /^Record fields must be enumerable: a$/,
  ],
  ['a reserved name', () => harden({ '@qclass': 1 }), /^property "@qclass" reserved$/],
  ['an array with a hole', () => harden([1, , 2]), /^Arrays must not contain holes: 1$/], // eslint-disable-line no-sparse-arrays
  ['an array with a function', () => harden([() => {}]), /^Arrays must not contain methods: 0$/],
  [
    'an array with a name',
    () => harden(Object.assign([1], { a: 1 })),
    /^Arrays must not have non-indexes: 1$/,
  ],
  ['an array of a class', () => harden(new (class extends Array {})()), /^Malformed array: $/],
  ['a thenable', () => harden({ then() {} }), /^Cannot pass non-promise thenables$/],
  [
    'an error with a cause',
    () => harden(Error('x', { cause: Error('y') })),
    /^Unexpected own properties in error: cause$/,
  ],
  [
    'an error of a class',
    () => harden(new (class extends Error {})('x')),
    /^Errors must inherit from an error class \.prototype /,
  ],
  [
    'an AggregateError',
    () => harden(AggregateError([])),
    /^Errors must inherit from an error class \.prototype /,
  ],
  ['tagged data', () => makeTagged('t', 1), /tagged data cannot pass/],
  ['a map', () => harden(new Map()), /./],
];

for (const [what, make, message] of refused) {
  test(`refuses ${what}`, t => {
    const { marshal } = makeTable();
    t.throws(() => marshal.toCapData(make()), { message });
    t.throws(() => marshal.toCapData(Object.freeze(['a', make()])), { message });
  });
}

test('slots are asked for as references are met, even if the value is refused in the end', t => {
  const { marshal, values } = makeTable();
  t.throws(() => marshal.toCapData(harden([{ b: old, a: promise }, Symbol.iterator])));
  t.deepEqual(values, [old, promise]);
});

test('a written body is read back', t => {
  const { marshal, values, asked } = makeTable();
  const far = Far('far', {});
  const value = harden([undefined, NaN, -Infinity, 5n, 'x', { b: old, a: [far, promise] }]);
  const data = marshal.toCapData(value);
  t.deepEqual(data.slots, ['o+0', 'o+1', 'o+2']);
  t.deepEqual(values, [old, far, promise]);
  t.true(Object.isFrozen(data) && Object.isFrozen(data.slots));
  t.deepEqual(marshal.fromCapData(data), value);
  t.deepEqual(asked, [
    ['o+0', undefined],
    ['o+1', 'Alleged: far'],
    ['o+2', undefined],
  ]);
});

test('repeated objects are one object again', t => {
  const { marshal } = makeTable();
  const empty = harden({});
  const value = harden([once, { again: once }, empty, [empty], promise, promise]);
  const read = /** @type {any} */ (marshal.fromCapData(marshal.toCapData(value)));
  t.is(read[0], read[1].again);
  t.is(read[2], empty);
  t.is(read[3][0], empty);
  t.is(read[5], promise);
  t.true(Object.isFrozen(read) && Object.isFrozen(read[1]));
});

test('an object repeated within itself is refused', t => {
  const { marshal } = makeTable();
  t.throws(() => marshal.fromCapData(marshal.toCapData(cycle)), {
    instanceOf: TypeError,
    message: 'Ibid cycle at 0',
  });
});

test('errors are read as errors of the standard classes', t => {
  const { marshal } = makeTable();
  const read = (/** @type {string} */ name) =>
    /** @type {any} */ (
      marshal.fromCapData({ body: `{"@qclass":"error","name":"${name}","message":"m"}`, slots: [] })
    );
  t.is(Object.getPrototypeOf(read('RangeError')), RangeError.prototype);
  t.is(Object.getPrototypeOf(read('Mine')), Error.prototype);
  t.is(Object.getPrototypeOf(read('AggregateError')), Error.prototype);
  t.is(read('Error').message, 'm');
  t.true(Object.isFrozen(read('Error')));
});

/** @type {[string, RegExp][]} */
const malformed = [
  ['', /JSON/],
  ['{"@qclass":5}', /^invalid qclass typeof number$/],
  ['{"@qclass":"hilbert"}', /^unrecognized @qclass hilbert$/],
  ['{"@qclass":"bigint","digits":5}', /^invalid digits typeof number$/],
  ['{"@qclass":"bigint","digits":"x"}', /./],
  ['[{"@qclass":"ibid","index":1}]', /^ibid out of range: 1$/],
  ['[{"@qclass":"ibid","index":"0"}]', /must be a whole number from 0, got a string/],
  ['{"@qclass":"slot"}', /must be a whole number from 0, got a undefined/],
  ['{"@qclass":"slot","index":1}', /refers to slot 1, and there are 1 slots/],
  ['{"@qclass":"error","message":"m"}', /^invalid error name typeof undefined$/],
  ['{"@qclass":"error","name":"Error"}', /^invalid error message typeof undefined$/],
];

test('malformed bodies are refused', t => {
  const { marshal } = makeTable();
  for (const [body, message] of malformed) {
    t.throws(() => marshal.fromCapData({ body, slots: ['o+0'] }), { message }, body);
  }
  t.throws(() => marshal.fromCapData(/** @type {any} */ ({ body: '1' })), { message: /capdata/ });
  t.throws(() => marshal.messageFromCapData({ body: '["m"]', slots: [] }), {
    message: /of a message/,
  });
});

test('a name __proto__ is a name like others', t => {
  const { marshal } = makeTable();
  const read = /** @type {any} */ (
    marshal.fromCapData({ body: '{"__proto__":{"a":{"@qclass":"NaN"}},"b":1}', slots: [] })
  );
  t.is(Object.getPrototypeOf(read), Object.prototype);
  t.deepEqual(Object.keys(read), ['__proto__', 'b']);
});

test('messages are the same as their method and arguments in an array', t => {
  const args = [once, old, [once], old];
  const { marshal } = makeTable();
  const data = marshal.messageToCapData('m', args);
  t.is(
    data.body,
    '["m",[{"a":1},{"@qclass":"slot","index":0},[{"@qclass":"ibid","index":2}],{"@qclass":"ibid","index":3}]]',
  );
  t.deepEqual(data, marshal.toCapData(harden(['m', [...args]])));
  t.deepEqual(data, marshal.messageToCapData('m', harden([...args])));
  for (const list of [[() => {}], harden([() => {}])])
    t.throws(() => marshal.messageToCapData('m', list), {
      message: /^Arrays must not contain methods: 0$/,
    });
  const read = marshal.messageFromCapData(data);
  t.is(read.method, 'm');
  t.deepEqual(read.args, args);
  t.deepEqual([read.method, read.args], marshal.fromCapData(data));
  t.is(marshal.messageToCapData(undefined, []).body, '[{"@qclass":"undefined"},[]]');
});

test('arguments are hardened before they are sent', t => {
  const { marshal } = makeTable();
  const thing = { m: [{ a: 1 }] };
  marshal.messageToCapData('m', [thing]);
  t.true(Object.isFrozen(thing) && Object.isFrozen(thing.m) && Object.isFrozen(thing.m[0]));
  const method = { m() {} };
  t.is(marshal.hardenToCapData(method).body, '{"@qclass":"slot","index":0}');
  t.true(Object.isFrozen(method.m));
});

test('an error policy decides what is told of an error, and every error sent is reported', t => {
  /** @type {unknown[]} */
  const reported = [];
  const marshal = makeQclassMarshal(
    () => 'o+1',
    () => {},
    {
      onError: (error, errorId) => reported.push(error.message, errorId),
      errorPolicy: ({ name }) => ({ name, message: 'secret' }),
    },
  );
  t.is(
    marshal.hardenToCapData([RangeError('x')]).body,
    '[{"@qclass":"error","name":"RangeError","message":"secret"}]',
  );
  t.deepEqual(reported, ['x', undefined]);
});

/**
 * @param {any} value
 * @returns {boolean}  whether a far function would be asked what to write instead
 */
const answersToJSON = value =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Promise) &&
  (typeof value.toJSON === 'function' || Object.values(value).some(answersToJSON));

test('values that passed in 2020 and pass today are read back as they were', t => {
  const { marshal } = makeTable();
  const same = (/** @type {any} */ left, /** @type {any} */ right) => {
    if (Object.is(left, right) || left === 0) return;
    t.is(Object.getPrototypeOf(left), Object.getPrototypeOf(right));
    t.deepEqual(Reflect.ownKeys(left), Reflect.ownKeys(right));
    for (const key of Reflect.ownKeys(left)) same(left[key], right[key]);
  };
  fc.assert(
    fc.property(makeArbPassable({ errors: false, tagged: false }), value => {
      fc.pre(!answersToJSON(value));
      let data;
      try {
        data = marshal.toCapData(value);
      } catch (error) {
        t.regex(/** @type {Error} */ (error).message, /Cannot pass symbols|"@qclass" reserved/);
        return;
      }
      same(value, marshal.fromCapData(data));
    }),
    { numRuns: 1500 },
  );
});

test('a long string is written and read as JSON, again and after others', t => {
  const { marshal } = makeTable();
  // More than are kept, of one length, and shorter and longer ones than those.
  const texts = [15_000, 30_000, 600_000].flatMap(length =>
    Array.from({ length: 10 }, (_, i) => `${i}"\\\n\ud800é`.padEnd(length, 'a"')),
  );
  for (const round of [1, 2]) {
    for (const text of texts) {
      for (const time of [1, 2]) {
        const { body } = marshal.toCapData(text);
        t.true(body === JSON.stringify(text), `${text.length} ${text[0]} ${round} ${time}`);
      }
    }
  }
});
