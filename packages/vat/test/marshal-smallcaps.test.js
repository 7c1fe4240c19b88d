import '#testkit/lockdown.js';
import fc from 'fast-check';
import test from 'ava';
import { arbName, arbOdd, arbPassable, oddities } from '#testkit/passable.js';
import { Far, makeSmallcapsMarshal } from '../marshal/index.js';
import { makeMarshal, runs, makePair, assertSame } from './smallcaps-pairs.js';

const attempt = (/** @type {() => any} */ thunk) => {
  try {
    return { value: thunk() };
  } catch (error) {
    return { error: /** @type {Error} */ (error) };
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

test('a value that does not pass is refused, with the error of @endo/marshal, and allocates no slot', t => {
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

test('a body that is no smallcaps capdata is refused', t => {
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
