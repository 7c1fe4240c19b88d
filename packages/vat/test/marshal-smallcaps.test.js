import '#testkit/lockdown.js';

import fc from 'fast-check';
import test from 'ava';
import { arbName, arbOdd, arbPassable, makeArbPassable, oddities } from '#testkit/passable.js';
import {
  Far,
  getInterfaceOf,
  makeSmallcapsMarshal,
  makeTagged,
  passStyleOf,
} from '../marshal/index.js';

const { makeMarshal } = await import('@endo/marshal');

/** @import { CapData } from '#model' */

const runs = { numRuns: 3000 };

/** A table of slots as a vat has it, with a promise as `p+N` and anything else as `o+N`. */
const makeTable = () => {
  /** @type {Map<unknown, string>} */
  const slots = new Map();
  /** @type {Map<string, unknown>} */
  const values = new Map();
  /** @type {[string, string | undefined][]} */
  const asked = [];
  const slotOf = (/** @type {unknown} */ value) => {
    let slot = slots.get(value);
    if (slot === undefined) {
      slot = `${value instanceof Promise ? 'p' : 'o'}+${slots.size}`;
      slots.set(value, slot);
      values.set(slot, value);
    }
    return slot;
  };
  const valOf = (/** @type {string} */ slot, /** @type {string | undefined} */ iface) => {
    asked.push([slot, iface]);
    if (!values.has(slot)) throw Error(`no slot ${slot}`);
    return values.get(slot);
  };
  return { slotOf, valOf, asked };
};

const makePair = (options = {}) => {
  /** @type {[string, string | undefined][]} */
  const logged = [];
  const ourTable = makeTable();
  const theirTable = makeTable();
  const ours = makeSmallcapsMarshal(ourTable.slotOf, ourTable.valOf, {
    onError: (error, errorId) => logged.push([error.message, errorId]),
    ...options,
  });
  const theirs = makeMarshal(theirTable.slotOf, theirTable.valOf, {
    serializeBodyFormat: 'smallcaps',
    marshalName: 'liveSlots:v1',
    errorIdNum: 70_000,
    marshalSaveError: () => {},
    ...options,
  });
  return { ours, theirs, ourTable, theirTable, logged };
};

const attempt = (/** @type {() => any} */ thunk) => {
  try {
    return { value: thunk() };
  } catch (error) {
    return { error: /** @type {Error} */ (error) };
  }
};

/**
 * The same to whoever receives it: kinds, prototypes, names in order, numbers by `Object.is`, references by identity.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {any} left
 * @param {any} right
 */
const assertSame = (t, left, right) => {
  if (Object.is(left, right)) return;
  const style = passStyleOf(left);
  t.is(style, passStyleOf(right));
  t.true(Object.isFrozen(left));
  t.is(Object.getPrototypeOf(left), Object.getPrototypeOf(right));
  switch (style) {
    case 'copyArray':
      t.is(left.length, right.length);
      left.forEach((/** @type {unknown} */ value, /** @type {number} */ i) =>
        assertSame(t, value, right[i]),
      );
      break;
    case 'copyRecord':
      t.deepEqual(Reflect.ownKeys(left), Reflect.ownKeys(right));
      for (const name of Object.keys(left)) assertSame(t, left[name], right[name]);
      break;
    case 'tagged':
      t.is(left[Symbol.toStringTag], right[Symbol.toStringTag]);
      assertSame(t, left.payload, right.payload);
      break;
    case 'error':
      t.is(left.name, right.name);
      t.is(left.message, right.message);
      t.is(left.cause === undefined, right.cause === undefined);
      if (left.cause) assertSame(t, left.cause, right.cause);
      break;
    default:
      t.fail(`two different values of style ${style}`);
  }
};

test('bodies and slots of passable values are those of @endo/marshal', t => {
  const { ours, theirs } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      t.deepEqual(ours.toCapData(value), theirs.toCapData(/** @type {any} */ (value)));
    }),
    runs,
  );
});

test('bodies decode to the values that @endo/marshal makes of them, and ask for the same slots', t => {
  const { ours, theirs, ourTable, theirTable } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      const data = theirs.toCapData(/** @type {any} */ (value));
      ours.toCapData(value);
      ourTable.asked.length = 0;
      theirTable.asked.length = 0;
      assertSame(t, ours.fromCapData(data), theirs.fromCapData(data));
      t.deepEqual(ourTable.asked, theirTable.asked);
    }),
    runs,
  );
});

test('what does not pass is refused, with the error of @endo/marshal, and allocates no slot', t => {
  let refused = 0;
  fc.assert(
    fc.property(arbOdd, value => {
      const { ours, theirs, ourTable } = makePair();
      const our = attempt(() => ours.toCapData(value));
      const their = attempt(() => theirs.toCapData(/** @type {any} */ (value)));
      t.is(our.error?.message, their.error?.message);
      t.is(our.error?.constructor, their.error?.constructor);
      t.deepEqual(our.value, their.value);
      if (our.error) {
        refused += 1;
        t.is(ourTable.slotOf({}), 'o+0');
      }
    }),
    runs,
  );
  t.true(refused > 300);
});

for (const [name, make] of Object.entries(oddities)) {
  test(`${name} passes, or does not, as with @endo/marshal`, t => {
    for (const wrap of [
      (/** @type {any} */ value) => value,
      (/** @type {any} */ value) => Object.freeze([value]),
      (/** @type {any} */ value) => Object.freeze({ a: value, b: 1 }),
    ]) {
      const { ours, theirs } = makePair();
      const value = wrap(make());
      const our = attempt(() => ours.toCapData(value));
      const their = attempt(() => theirs.toCapData(value));
      t.is(our.error?.message, their.error?.message);
      t.deepEqual(our.value, their.value);
    }
  });
}

test('a proxy that was revoked is refused', t => {
  const { ours } = makePair();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  t.throws(() => ours.toCapData(proxy), { instanceOf: TypeError });
  t.throws(() => ours.toCapData(Object.freeze([proxy])), { instanceOf: TypeError });
});

test('slots in records are numbered in the order of sorted names, even where indexes are written first', t => {
  const { ours, theirs } = makePair();
  const value = harden({
    b: Far('b', {}),
    9: Far('nine', {}),
    10: Far('ten', {}),
    '!': Error('x'),
  });
  const data = ours.toCapData(value);
  t.true(data.body.startsWith('#{"9":"$1.Alleged: nine","10":"$0.Alleged: ten","!!":{'));
  t.deepEqual(data, theirs.toCapData(/** @type {any} */ (value)));
});

test('messages are the same as their method and arguments in an array', t => {
  const { ours, theirs, ourTable, theirTable } = makePair();
  const arbMethod = fc.oneof(arbName, fc.constant(undefined), fc.constant(Symbol.asyncIterator));
  fc.assert(
    fc.property(arbMethod, fc.array(arbPassable, { maxLength: 4 }), (method, args) => {
      const expected = theirs.toCapData(harden(/** @type {any} */ ([method, [...args]])));
      const data = ours.messageToCapData(method, args);
      t.deepEqual(data, expected);
      ourTable.asked.length = 0;
      theirTable.asked.length = 0;
      const message = ours.messageFromCapData(data);
      const decoded = /** @type {any} */ (theirs.fromCapData(data));
      t.is(message.method, decoded[0]);
      assertSame(t, harden(message.args), decoded[1]);
      t.deepEqual(ourTable.asked, theirTable.asked);
    }),
    { numRuns: 1000 },
  );
});

test('arguments are hardened before they are sent', t => {
  const { ours } = makePair();
  const inner = { a: [1, { b: Promise.resolve() }] };
  const thing = { deep: inner };
  t.is(ours.messageToCapData('m', [thing]).body, '#["m",[{"deep":{"a":[1,{"b":"&0"}]}}]]');
  t.true(Object.isFrozen(thing));
  t.true(Object.isFrozen(inner.a));
  t.true(Object.isFrozen(inner.a[1]));
  const value = { a: [1] };
  t.is(ours.hardenToCapData(value).body, '#{"a":[1]}');
  t.true(Object.isFrozen(value.a));
});

test('slots are asked for in order of first appearance, once for each value', t => {
  /** @type {object[]} */
  const asked = [];
  const marshal = makeSmallcapsMarshal(
    value => `o+${asked.push(value)}`,
    () => {},
  );
  const things = Array.from({ length: 20 }, (_, i) => Far(`t${i}`, {}));
  const data = marshal.toCapData(harden([...things, ...things.toReversed()]));
  t.deepEqual(asked, things);
  t.deepEqual(
    data.slots,
    things.map((_, i) => `o+${i + 1}`),
  );
  t.true(data.body.endsWith(',"$2","$1","$0"]'));
  t.true(Object.isFrozen(data) && Object.isFrozen(data.slots));
});

test('errors are numbered in order and reported with their ids', t => {
  const { ours, theirs, logged } = makePair();
  t.is(
    ours.toCapData(Error('unhardened')).body,
    '#{"#error":"unhardened","errorId":"error:liveSlots:v1#70001","name":"Error"}',
  );
  t.throws(() => ours.toCapData(harden([Error('kept back'), () => {}])));
  t.is(
    ours.toCapData(harden([TypeError('a'), RangeError('!b')])).body,
    '#[{"#error":"a","errorId":"error:liveSlots:v1#70002","name":"TypeError"},' +
      '{"#error":"!!b","errorId":"error:liveSlots:v1#70003","name":"RangeError"}]',
  );
  t.deepEqual(logged, [
    ['unhardened', 'error:liveSlots:v1#70001'],
    ['a', 'error:liveSlots:v1#70002'],
    ['!b', 'error:liveSlots:v1#70003'],
  ]);
  theirs.toCapData(Error('a'));
  t.throws(() => theirs.toCapData(/** @type {any} */ (harden([Error('b'), () => {}]))));
  t.is(
    theirs.toCapData(Error('c')).body,
    '#{"#error":"c","errorId":"error:liveSlots:v1#70002","name":"Error"}',
  );
});

test('error ids can be named, numbered and left out', t => {
  for (const options of [
    { errorTagging: /** @type {const} */ ('off') },
    { marshalName: 'liveSlots:v27', errorIdNum: 5 },
  ]) {
    const { ours, theirs } = makePair(options);
    t.deepEqual(ours.toCapData(Error('x')), theirs.toCapData(Error('x')));
  }
  t.throws(
    () =>
      makeSmallcapsMarshal(
        () => '',
        () => {},
        { errorTagging: /** @type {any} */ ('maybe') },
      ),
    { message: 'errorTagging is "maybe"; it can be "on" or "off"' },
  );
});

test('an error policy decides what is told of an error', t => {
  const { ours, logged } = makePair({
    errorPolicy: (/** @type {Error} */ error) =>
      error instanceof TypeError ? { name: 'TypeError', message: 'an engine error' } : undefined,
  });
  t.is(
    ours.toCapData(harden([TypeError('x is not a function'), Error('mine')])).body,
    '#[{"#error":"an engine error","errorId":"error:liveSlots:v1#70001","name":"TypeError"},' +
      '{"#error":"mine","errorId":"error:liveSlots:v1#70002","name":"Error"}]',
  );
  t.is(logged[0][0], 'x is not a function');
});

/** Bodies that are almost right: each a text after the `#`. */
const oddBodies = [
  ...[
    '',
    ' ',
    '#',
    '[',
    '[1,]',
    '{"a":1,}',
    'undefined',
    'NaN',
    '-0',
    '[-0]',
    '1e400',
    '"',
    '"\\u',
  ],
  ...['"#"', '"#NaN "', '"#Undefined"', '"#tag"', '"#-0"', '"!"', '"!!x"', '"!#undefined"'],
  ...['"+"', '"-"', '"+ 1"', '"+1.5"', '"+0x10"', '"-0"', '"+-1"', '"--1"', '"+1n"', '"+00012"'],
  ...['"%"', '"%x"', '"%@@iterator"', '"%@@nope"', '"%@@"', '"%@@@@x"', '"%@@@@"', '"%@@a\\nb"'],
  ...['"$"', '"$0"', '"$1"', '"$2"', '"$0.x"', '"$0."', '"$.x"', '"$00"', '"$0x1"', '"$1e0"'],
  ...['"$-0"', '"$-1"', '"$0.5"', '"$ 1"', '"$9"', '"$999999999999999999"', '"$x"', '"$NaN"'],
  ...['"&0"', '"&1"', '"&1.x"', '"&2"', '"&"', '["$0","$0.late","&1","&1"]', '["$0.early","$0"]'],
  ...['"\\""', '"(x"', '"*x"', '",x"', '")"', '"\'x"', '"/x"', '".x"'],
  ...['{"#tag":"a","payload":1}', '{"payload":1,"#tag":"a"}', '{"#tag":"!#a","payload":1}'],
  ...[
    '{"#tag":"#a","payload":1}',
    '{"#tag":1,"payload":1}',
    '{"#tag":"a"}',
    '{"#tag":"+1","payload":1}',
  ],
  ...[
    '{"#tag":"a","payload":1,"x":1}',
    '{"#tag":"a","payload":"#undefined"}',
    '{"#tag":"a","#error":"b"}',
  ],
  ...[
    '{"#tag":"a","payload":"$0"}',
    '{"#tag":"a","payload":["&1"]}',
    '{"#tag":"#undefined","payload":1}',
  ],
  ...['{"#error":"a"}', '{"#error":"a","name":"TypeError"}', '{"#error":1,"name":"Error"}'],
  ...['{"#error":"a","name":"#undefined"}', '{"#error":"a","name":"Mine","errorId":"e1"}'],
  ...['{"#error":"a","name":"Error","errorId":5}', '{"#error":"a","name":"Error","errorId":"%x"}'],
  ...[
    '{"#error":"a","name":"Error","message":"b"}',
    '{"#error":"!!a","name":"!Error","errorId":""}',
  ],
  ...['{"#error":"a","name":"Error","cause":{"#error":"b","name":"RangeError"}}'],
  ...['{"#error":"a","name":"Error","cause":5}', '{"#error":"a","name":"Error","cause":"(x"}'],
  ...['{"#error":"a","name":"AggregateError","errors":[{"#error":"b","name":"Error"}]}'],
  ...['{"#error":"a","name":"Error","errors":[{"#error":"b","name":"Error"}]}'],
  ...[
    '{"#error":"a","name":"AggregateError","errors":5}',
    '{"#error":"a","name":"Error","x":"(y"}',
  ],
  ...['{"#error":"a","name":"Error","x":"$0"}', '{"#error":"a","name":"Error","stack":"mine"}'],
  ...['{"#error":"a","name":"Error","__proto__":1}', '{"#error":"a","name":"Error","toString":1}'],
  ...[
    '{"#x":1}',
    '{"#":1}',
    '{"!#x":1}',
    '{"!a":1,"a":2}',
    '{"a":1,"!a":2}',
    '{"%x":1}',
    '{"+1":1}',
  ],
  ...['{"-1":1}', '{"!-1":1}', '{"$0":1}', '{"&1":1}', '{"(":1}', '{"!":1}', '{"":1}'],
  ...['{"__proto__":{"a":1}}', '{"__proto__":null}', '{"!__proto__":1}', '{"__proto__":"$0"}'],
  ...['{"!a":1,"__proto__":"+1"}', '{"constructor":1,"toString":"#undefined","hasOwnProperty":[]}'],
  ...[
    '{"then":"$0"}',
    '{"then":"$2"}',
    '{"then":1}',
    '{"!then":"$2"}',
    '{"a":{"then":"$2"}}',
    '["$2"]',
  ],
  ...[
    '{"b":1,"a":2}',
    '{"10":1,"9":2,"a":3}',
    '{"a":1,"a":"#NaN"}',
    '[[[[[]]]]]',
    '{"@qclass":"slot"}',
  ],
  ...['null', 'true', 'false', '0', '"x"', '[]', '{}', '" #x"', '"\\u0023undefined"', '"\\ud800"'],
];

const makeReader = () => {
  const values = [Far('a', {}), harden(Promise.resolve()), Far('f', () => {})];
  const slots = harden(['o+0', 'p+1', 'o+2']);
  /** @type {[string, string | undefined][][]} */
  const asked = [[], []];
  const valOf =
    (/** @type {number} */ who) => (/** @type {string} */ slot, /** @type {any} */ iface) => {
      asked[who].push([slot, iface]);
      const index = slots.indexOf(slot);
      if (index < 0) throw RangeError(`no slot ${slot}`);
      return /** @type {any} */ (values[index]);
    };
  const ours = makeSmallcapsMarshal(() => 'o+0', valOf(0));
  const theirs = makeMarshal(() => 'o+0', valOf(1), { serializeBodyFormat: 'smallcaps' });
  return { ours, theirs, slots, asked };
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} text
 */
const compareReading = (t, text) => {
  const { ours, theirs, slots, asked } = makeReader();
  const data = harden({ body: `#${text}`, slots });
  const our = attempt(() => ours.fromCapData(data));
  const their = attempt(() => theirs.fromCapData(data));
  t.is(
    our.error === undefined,
    their.error === undefined,
    `${text}: ${our.error} / ${their.error}`,
  );
  if (their.error === undefined) {
    assertSame(t, our.value, their.value);
    t.deepEqual(asked[0], asked[1], text);
  } else {
    t.is(our.error?.constructor, their.error.constructor, `${text}: ${our.error} / ${their.error}`);
  }
};

test('odd bodies are read, or refused, as @endo/marshal does', t => {
  for (const text of oddBodies) {
    compareReading(t, text);
    compareReading(t, `[${text}]`);
    compareReading(t, `{"a":${text},"b":"$0.Alleged: b"}`);
  }
});

test('bodies with a few characters changed are read, or refused, as @endo/marshal does', t => {
  const { theirs } = makePair();
  const arbBody = fc.oneof(
    arbPassable.map(value => theirs.toCapData(/** @type {any} */ (value)).body.slice(1)),
    fc.constantFrom(...oddBodies),
  );
  const arbChange = fc.tuple(
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom(...'!#%$&+-"[]{}:,.01\\ae', '"$0"', '"#tag":', '"#error":', '"name":'),
  );
  let readable = 0;
  fc.assert(
    fc.property(arbBody, fc.array(arbChange, { minLength: 1, maxLength: 3 }), (body, changes) => {
      let text = body;
      for (const [where, removed, added] of changes) {
        const at = where % (text.length + 1);
        text = text.slice(0, at) + added + text.slice(at + removed);
      }
      compareReading(t, text);
      if (!attempt(() => JSON.parse(text)).error) readable += 1;
    }),
    runs,
  );
  t.true(readable > 100);
});

test('what is no smallcaps capdata is refused', t => {
  const { ours } = makePair();
  t.throws(() => ours.fromCapData({ body: '[]', slots: [] }), {
    message: 'the body is not smallcaps, which begins with "#"',
  });
  t.throws(() => ours.fromCapData(/** @type {any} */ ({ body: 5, slots: [] })), {
    message: 'capdata must be {body: string, slots: string[]}, got number and object',
  });
  t.throws(() => ours.fromCapData(/** @type {any} */ ({ body: '#[]' })));
  t.throws(() => ours.messageFromCapData({ body: '#["a"]', slots: [] }), {
    message: 'the body of a message must be [method, [arguments]]',
  });
  t.throws(() => ours.messageFromCapData({ body: '#["a",[],[]]', slots: [] }));
  t.throws(() => ours.messageFromCapData({ body: '#["a",{}]', slots: [] }));
});

test('a slot that turns out to be of the other kind is refused', t => {
  const remotable = Far('r', {});
  const promise = harden(Promise.resolve());
  const marshal = makeSmallcapsMarshal(
    () => 'o+0',
    slot => (slot.startsWith('p') ? promise : remotable),
  );
  t.throws(() => marshal.fromCapData({ body: '#"&0"', slots: ['o-1'] }), {
    message: 'slot 0 is no promise, and the body says that it is one',
  });
  t.throws(() => marshal.fromCapData({ body: '#"$0"', slots: ['p-1'] }), {
    message: 'slot 0 is no remotable, and the body says that it is one',
  });
  t.throws(() => marshal.fromCapData({ body: '#"$1"', slots: ['p-1'] }), {
    message: 'a body refers to slot 1, and there are 1 slots',
  });
});

test('deep data passes', t => {
  const { ours, theirs } = makePair();
  /** @type {any} */
  let deep = harden([Far('bottom', {})]);
  for (let i = 0; i < 500; i += 1) deep = harden({ a: [deep] });
  const data = ours.toCapData(deep);
  t.deepEqual(data, theirs.toCapData(deep));
  assertSame(t, ours.fromCapData(data), deep);
});

// Lenient: both generations of programs.

test('a strict marshal refuses hardened objects of methods that are not Far', t => {
  const { ours } = makePair();
  t.throws(() => ours.toCapData(harden({ foo() {} })), {
    message: /Remotables must be explicitly declared/,
  });
});

test('a lenient marshal takes hardened objects of methods for remotables without interface', t => {
  const { ours, ourTable } = makePair({ lenient: true });
  const old = harden({ foo() {}, bar: () => {} });
  t.deepEqual(ours.toCapData(old), { body: '#"$0"', slots: ['o+0'] });
  t.deepEqual(ours.toCapData(harden([old, { old }, makeTagged('t', 1)])), {
    body: '#["$0",{"old":"$0"},{"#tag":"t","payload":1}]',
    slots: ['o+0'],
  });
  t.is(ours.fromCapData({ body: '#"$0"', slots: ['o+0'] }), old);
  t.deepEqual(ourTable.asked, [['o+0', undefined]]);
  const tagged = ours.fromCapData({ body: '#{"#tag":"t","payload":["$0"]}', slots: ['o+0'] });
  t.is(ours.toCapData(tagged).body, '#{"#tag":"t","payload":["$0"]}');
});

test('a lenient marshal takes an empty object for an empty record, as today', t => {
  const { ours } = makePair({ lenient: true });
  t.is(ours.toCapData(harden({})).body, '#{}');
  t.is(ours.toCapData(harden([{}])).body, '#[{}]');
});

test('a lenient marshal refuses what is neither data nor methods', t => {
  const { ours, theirs, ourTable, logged } = makePair({ lenient: true });
  const old = harden({ foo() {} });
  for (const make of [
    () => harden({ foo() {}, a: 1 }),
    () => ({ foo() {} }),
    () => harden([old, () => {}]),
    () => harden([Far('x', {}), Error('lost'), { foo() {}, a: 1 }]),
    () => harden({ then() {} }),
    () => harden({ foo() {}, get bar() { return () => {}; } }), // prettier-ignore
    () => harden({ __proto__: { foo() {} } }),
    () => {
      /** @type {any} */
      const cycle = { old };
      cycle.cycle = cycle;
      return harden(cycle);
    },
  ]) {
    t.throws(() => ours.toCapData(make()));
    t.throws(() => theirs.toCapData(/** @type {any} */ (make())));
  }
  t.deepEqual(logged, []);
  t.is(ourTable.slotOf({}), 'o+0');
});

test('a lenient marshal treats everything that passes without leniency the same', t => {
  const { ours, theirs } = makePair({ lenient: true });
  const { ours: strict } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      const data = theirs.toCapData(/** @type {any} */ (value));
      t.deepEqual(ours.toCapData(value), data);
      strict.toCapData(value);
      assertSame(t, ours.fromCapData(data), theirs.fromCapData(data));
    }),
    { numRuns: 1000 },
  );
});

test('a lenient marshal reads back what it writes, with objects of methods anywhere', t => {
  const old = [harden({ foo() {} }), harden({ foo() {}, bar() {} })];
  const arbMixed = makeArbPassable({
    extra: fc.constantFrom(...old),
    tagged: false,
    errors: false,
  });
  const { ours } = makePair({ lenient: true });
  const sameOrOld = (/** @type {any} */ left, /** @type {any} */ right) => {
    if (old.includes(left)) t.is(left, right);
    else if (Array.isArray(left)) left.forEach((value, i) => sameOrOld(value, right[i]));
    else if (typeof left === 'object' && left && Object.getPrototypeOf(left) === Object.prototype) {
      t.deepEqual(Object.keys(left).sort(), Object.keys(right).sort());
      for (const name of Object.keys(left)) sameOrOld(left[name], right[name]);
    } else if (left !== 0) {
      // -0 is sent as 0.
      t.is(left, right);
    }
  };
  fc.assert(
    fc.property(arbMixed, value => sameOrOld(value, ours.fromCapData(ours.toCapData(value)))),
    { numRuns: 1000 },
  );
});

test('errors beside objects of methods are numbered once', t => {
  const { ours, logged } = makePair({ lenient: true });
  const { body } = ours.toCapData(harden([{ foo() {} }, Error('one')]));
  t.is(body, '#["$0",{"#error":"one","errorId":"error:liveSlots:v1#70001","name":"Error"}]');
  t.is(logged.length, 1);
});

test('interfaces stand where a reference appears first', t => {
  const { ours } = makePair();
  const alice = Far('alice', {});
  t.is(getInterfaceOf(alice), 'Alleged: alice');
  t.is(
    ours.toCapData(harden({ b: alice, a: [alice] })).body,
    '#{"a":["$0.Alleged: alice"],"b":"$0"}',
  );
});

test('a message that is written again is the same, whatever was written in between', t => {
  const { ours } = makePair({ isTrusted: true });
  const { ours: plain } = makePair();
  const messages = [['a'], ['a', 1], [0], [-0], [NaN], [undefined], [null], ['a'], [{ x: 1 }]];
  for (const args of [...messages, ...messages]) {
    const expected = plain.messageToCapData('m', harden(args));
    t.deepEqual(ours.messageToCapData('m', harden(args)), expected);
    t.deepEqual(ours.messageToCapData('m', harden(args)), expected);
    t.notDeepEqual(ours.messageToCapData('n', harden(args)), expected);
  }
});

test('a message that is read for a call at once is the same the first and the second time', t => {
  const { ours } = makePair();
  for (const args of [[], ['a', 1, null, undefined, 5n, true], [{ a: 1 }], [['x']]]) {
    const data = ours.messageToCapData('m', harden(args));
    const fresh = ours.messageFromCapData(data);
    t.deepEqual(ours.callFromCapData(data), fresh);
    t.deepEqual(ours.callFromCapData(data), fresh);
    t.deepEqual(ours.callFromCapData({ ...data, body: `${data.body} ` }), fresh);
  }
});

test('a body that comes again is read as @endo/marshal reads it, each time anew', t => {
  const { ours, theirs, ourTable, theirTable } = makePair();
  fc.assert(
    fc.property(arbPassable, value => {
      const data = theirs.toCapData(/** @type {any} */ (value));
      ours.toCapData(value);
      const message = { ...data, body: `#["m",[${data.body.slice(1)}]]` };
      for (let time = 0; time < 3; time += 1) {
        ourTable.asked.length = 0;
        theirTable.asked.length = 0;
        const expected = theirs.fromCapData(data);
        assertSame(t, ours.fromCapData(data), expected);
        t.deepEqual(ourTable.asked, theirTable.asked);
        ourTable.asked.length = 0;
        const { method, args } = ours.callFromCapData(message);
        t.is(method, 'm');
        assertSame(t, args[0], expected);
        t.deepEqual(ourTable.asked, theirTable.asked);
      }
    }),
    runs,
  );
  const record = ours.toCapData(harden({ a: { b: [Far('x', {})] } }));
  const values = [0, 1, 2, 3].map(() => /** @type {any} */ (ours.fromCapData(record)));
  t.is(new Set(values).size, 4);
  t.is(new Set(values.map(({ a }) => a)).size, 4);
  t.is(new Set(values.map(({ a }) => a.b)).size, 4);
});

test('a body that comes again with other slots is refused as the first time', t => {
  const { ours } = makePair();
  const { body, slots } = ours.messageToCapData('m', harden([{ a: Far('x', {}) }]));
  const promise = ours.messageToCapData('m', harden([Promise.resolve()]));
  for (let time = 0; time < 3; time += 1) {
    t.notThrows(() => ours.callFromCapData({ body, slots }));
    t.throws(() => ours.callFromCapData({ body, slots: [] }), {
      message: 'a body refers to slot 0, and there are 0 slots',
    });
    t.throws(() => ours.callFromCapData({ body, slots: promise.slots }), {
      message: 'slot 0 is no remotable, and the body says that it is one',
    });
    t.throws(() => ours.callFromCapData({ body: promise.body, slots }), {
      message: 'slot 0 is no promise, and the body says that it is one',
    });
  }
});

test('many bodies of one form are read each as itself', t => {
  const { ours } = makePair();
  const one = Far('x', {});
  for (let time = 0; time < 3; time += 1) {
    for (let i = 0; i < 200; i += 1) {
      const data = ours.toCapData(harden({ one, count: BigInt(i) }));
      t.deepEqual(ours.fromCapData(data), { one, count: BigInt(i) });
      const message = ours.messageToCapData('m', harden([one, i]));
      t.deepEqual(ours.callFromCapData(message), { method: 'm', args: [one, i] });
    }
  }
});
