// Strings that a machine was not entitled to send: each is refused with its reason, changes nothing, and ends nobody.

import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';
import { E, Far } from '#vat';
import { carry, makePair } from './comms-machines.js';
import {
  afterRefusal,
  continueScene,
  makeScene,
  notGiven,
  receive,
  refusalOf,
} from './comms-scene.js';
import { formatString, parseString } from '#system-vats/comms/wire.js';

/** @import { Delivery, Syscall } from '#model' */

/** @type {[what: string, text: string, why: string | RegExp][]} */
const attacks = [
  ['nothing', '', 'it does not begin with "SEQUENCE:ACK:"'],
  ['no acknowledgement', '2:deliver', 'it does not begin with "SEQUENCE:ACK:"'],
  ['no number', 'x:0:deliver:ro+0:;#["a",[]]', 'its sequence number "x" is no whole number'],
  ['a negative ack', '2:-1:deliver:ro+0:;#["a",[]]', 'its acknowledgement "-1" is no whole number'],
  ['no command', '2:0:', 'its command is ""; there are "deliver", "resolve" and "gc"'],
  [
    'an unknown command',
    '2:0:fetch:ro+0',
    'its command is "fetch"; there are "deliver", "resolve" and "gc"',
  ],
  ['half a surrogate', '2:0:deliver:ro+0:;#["\ud800",[]]', 'it is not well-formed Unicode'],
  ['a string again', '1:0:deliver:ro+0:;#["a",[]]', 'its sequence number is 1; the next one is 2'],
  [
    'a string too soon',
    '3:0:deliver:ro+0:;#["a",[]]',
    'its sequence number is 3; the next one is 2',
  ],
  [
    'an acknowledgement of what was not sent',
    '2:9:deliver:ro+0:;#["a",[]]',
    'it acknowledges 9 strings; 3 were sent to it, and 0 acknowledged before',
  ],
  ['no body', '2:0:deliver:ro+0:', 'a deliver has no ";" before its body'],
  [
    'too few fields',
    '2:0:deliver:ro+0;#["a",[]]',
    'a deliver has 2 fields; it begins with "deliver:TARGET:RESULT", where RESULT may be empty',
  ],
  [
    'a target that is no reference',
    '2:0:deliver:o+0:;#["a",[]]',
    'the target "o+0" is no reference; one is like "ro+20" or "rp-40"',
  ],
  [
    'a reference with a leading zero',
    '2:0:deliver:ro+00:;#["a",[]]',
    'the target "ro+00" is no reference; one is like "ro+20" or "rp-40"',
  ],
  ['a target that was never given', '2:0:deliver:ro+7:;#["a",[]]', notGiven('ro+7')],
  ['a target that nobody knows', '2:0:deliver:ro-77:;#["a",[]]', notGiven('ro-77')],
  ['a target of its own', '2:0:deliver:ro-5:;#["a",[]]', 'the target "ro-5" is its own object'],
  ['a slot that was never given', '2:0:deliver:ro+0::ro+9;#["a",["$0"]]', notGiven('ro+9')],
  ['a promise that was never given', '2:0:deliver:ro+0::rp+50;#["a",["&0"]]', notGiven('rp+50')],
  [
    'a result that is an object',
    '2:0:deliver:ro+0:ro-9;#["a",[]]',
    'the result "ro-9" is no promise; one is like "rp+40"',
  ],
  ['a result that was never given', '2:0:deliver:ro+0:rp+50;#["a",[]]', notGiven('rp+50')],
  [
    "a result of the kernel's",
    '2:0:deliver:ro+0:rp+41;#["a",[]]',
    'promise "rp+41" is not its to decide',
  ],
  [
    'a result that it gave away',
    '2:0:deliver:ro+0:rp-71;#["a",[]]',
    'promise "rp-71" is not its to decide',
  ],
  [
    'a result that is settled',
    '2:0:deliver:ro+0:rp+42;#["a",[]]',
    'promise "rp+42" is settled already',
  ],
  [
    'a message to its own result',
    '2:0:deliver:rp-70:rp-70;#["a",[]]',
    'the target "rp-70" is also the result',
  ],
  [
    'a body cut off',
    '2:0:deliver:ro+0:;#["a",[',
    'a body is not readable as smallcaps (SyntaxError)',
  ],
  ['a body without its sign', '2:0:deliver:ro+0:;["a",[]]', /^a body is not readable as smallcaps/],
  ['a body that is no message', '2:0:deliver:ro+0:;#"a"', /^a body is not readable as smallcaps/],
  [
    'a body with too few slots',
    '2:0:deliver:ro+0::ro+0;#["a",["$1"]]',
    'a body is not readable as smallcaps (RangeError)',
  ],
  [
    'a body that takes a promise for an object',
    '2:0:deliver:ro+0::rp-70;#["a",["$0"]]',
    /^a body is not readable as smallcaps/,
  ],
  ['a resolve without a body', '2:0:resolve:fulfill:rp-70', 'a resolve has no ";" before its body'],
  [
    'a resolve of neither kind',
    '2:0:resolve:data:rp-70;#1',
    'a line of a resolve begins with "resolve:data"; it begins with "resolve:fulfill:" or "resolve:reject:"',
  ],
  [
    'a second line of another kind',
    '2:0:resolve:fulfill:rp-70;#1\ndeliver:ro+0:;#["a",[]]',
    'a line of a resolve begins with "deliver:ro+0"; it begins with "resolve:fulfill:" or "resolve:reject:"',
  ],
  [
    'a resolve of nothing',
    '2:0:resolve:fulfill;#1',
    'what is settled, "" is no reference; one is like "ro+20" or "rp-40"',
  ],
  [
    'a resolve of an object',
    '2:0:resolve:fulfill:ro+0;#1',
    'what is settled, "ro+0" is no promise; one is like "rp+40"',
  ],
  ['a resolve of what was never given', '2:0:resolve:fulfill:rp+50;#1', notGiven('rp+50')],
  ['a resolve of what nobody knows', '2:0:resolve:fulfill:rp-90;#1', notGiven('rp-90')],
  [
    "a resolve of the kernel's promise",
    '2:0:resolve:fulfill:rp+41;#1',
    'promise "rp+41" is not its to decide',
  ],
  [
    'a resolve of what it gave away',
    '2:0:resolve:reject:rp-71;#1',
    'promise "rp-71" is not its to decide',
  ],
  [
    'a resolve of what is settled',
    '2:0:resolve:fulfill:rp+42;#1',
    'promise "rp+42" is settled already',
  ],
  [
    'a resolve of what it acknowledges to be settled',
    '2:3:resolve:fulfill:rp+42;#1',
    notGiven('rp+42'),
  ],
  [
    'a promise settled twice in one string',
    '2:0:resolve:fulfill:rp-70;#1\nresolve:fulfill:rp-70;#2',
    'promise "rp-70" is settled twice',
  ],
  [
    'one good line and a bad one',
    '2:0:resolve:fulfill:rp-70;#1\nresolve:fulfill:rp+41;#2',
    'promise "rp+41" is not its to decide',
  ],
  ['a slot in data that was never given', '2:0:resolve:fulfill:rp-70:ro+9;#"$0"', notGiven('ro+9')],
  [
    'a collection of no kind',
    '2:0:gc:forget:ro+0',
    'a line of a gc is "gc:forget:ro+0"; it is "gc:ACTION:OBJECT", and ACTION one of dropExport, retireExport, retireImport',
  ],
  [
    'a collection with more than its object',
    '2:0:gc:dropExport:ro+0\ngc:retireExport:ro+0:ro+1',
    'a line of a gc is "gc:retireExport:ro+0:ro+1"; it is "gc:ACTION:OBJECT", and ACTION one of dropExport, retireExport, retireImport',
  ],
  [
    'a collection of a promise',
    '2:0:gc:dropExport:rp+40',
    'what is collected, "rp+40" is no object; one is like "ro+20"',
  ],
  [
    'a collection of nothing',
    '2:0:gc:retireImport',
    'what is collected, "" is no reference; one is like "ro+20" or "rp-40"',
  ],
  [
    'data cut off',
    '2:0:resolve:fulfill:rp-70;#"sev',
    'a body is not readable as smallcaps (SyntaxError)',
  ],
];

for (const [what, text, why] of attacks) {
  test(`refused, without a trace: ${what}`, t => {
    const scene = makeScene();
    const told = refusalOf(scene.deliver(receive(text)));
    if (typeof why === 'string') t.is(told, why);
    else t.regex(told, why);
    const { steps, expected } = afterRefusal(text, scene);
    t.deepEqual(steps, expected);
  });
}

test('the sender of a string is answered before the string takes effect, as in SwingSet', t => {
  const kinds = (/** @type {Syscall[]} */ syscalls) => syscalls.map(([kind]) => kind);
  const { deliver } = makeScene();
  const sent = deliver(receive('2:3:deliver:ro+20:rp-72;#["go",[]]'));
  t.deepEqual(kinds(sent), ['resolve', 'send', 'subscribe']);
  t.deepEqual(sent[0], ['resolve', [['p-99', false, { body: '#"#undefined"', slots: [] }]]]);
  t.deepEqual(kinds(deliver(receive('3:3:resolve:fulfill:rp+40;#1'))), ['resolve', 'resolve']);
});

test('a message that is not a string is refused', t => {
  const scene = makeScene();
  const { deliver } = scene;
  const odd = (/** @type {string} */ body) =>
    refusalOf(deliver(['message', 'o+10', { body, slots: [] }, 'p-99']));
  t.is(
    odd('#["receive",[5]]'),
    'a receiver of comms takes receive(string), got "receive" with a number',
  );
  t.is(
    odd('#["receive",[]]'),
    'a receiver of comms takes receive(string), got "receive" with a undefined',
  );
  t.is(
    odd('#["transmit",["x"]]'),
    'a receiver of comms takes receive(string), got "transmit" with a string',
  );
  t.is(odd('#["receive"'), 'a message to comms is not readable as smallcaps');
  t.deepEqual(continueScene(scene), continueScene(makeScene()));
});

test('a value of a vat that cannot be passed on is refused, and its promise rejected', t => {
  const scene = makeScene();
  const { send, deliver } = scene;
  const why = (/** @type {Syscall[]} */ syscalls) => refusalOf(syscalls);
  t.is(
    why(send('o+11', ['a', ['$0']], ['d-70'], 'p-99')),
    'a device cannot be passed to another machine; pass an object that uses it',
  );
  t.is(
    why(send('o+11', ['a', ['$0']], ['o+10'], 'p-99')),
    'the comms vat\'s own object "o+10" cannot be passed to another machine',
  );
  t.is(why(send('o+99', ['a', []], [], 'p-99')), 'comms has no object "o+99"');
  t.regex(why(send('o+11', 'no message', [], 'p-99')), /^a body is not readable as smallcaps/);
  t.deepEqual(send('o+11', ['a', ['$0']], ['d-70'], null), []);
  // An outcome that cannot be told is told as a rejection.
  const [told] = deliver(['notify', [['p-64', false, { body: '#"$0"', slots: ['d-70'] }]]]);
  t.is(
    told[0] === 'send' && told[2].body,
    `#${JSON.stringify(['transmit', ['4:1:resolve:reject:rp-41;#{"#error":"a device cannot be passed to another machine; pass an object that uses it","name":"Error"}']])}`,
  );
});

test('a line break in a body does not make a line', t => {
  const { deliver } = makeScene();
  const body = '#{"a":\n"b"\n}';
  const [told] = deliver(['notify', [['p-64', false, { body, slots: [] }]]]);
  const [text] = told[0] === 'send' ? JSON.parse(told[2].body.slice(1))[1] : [];
  t.is(text, '4:1:resolve:fulfill:rp-41;#{"a": "b" }');
});

const ref = fc
  .tuple(fc.constantFrom('ro', 'rp'), fc.constantFrom('+', '-'), fc.nat(10 ** 9))
  .map(parts => parts.join(''));
const promiseRef = ref.map(text => `rp${text.slice(2)}`);
const methargs = fc.record({
  body: fc.string({ unit: 'grapheme' }).map(text => JSON.stringify(text)),
  slots: fc.array(ref, { maxLength: 3 }),
});
const envelope = fc.record({
  seq: fc.nat(),
  ack: fc.nat(),
  command: fc.oneof(
    fc.record({
      kind: fc.constant(/** @type {const} */ ('deliver')),
      target: ref,
      result: fc.option(promiseRef),
      methargs,
    }),
    fc.record({
      kind: fc.constant(/** @type {const} */ ('resolve')),
      resolutions: fc.array(fc.tuple(promiseRef, fc.boolean(), methargs), { minLength: 1 }),
    }),
  ),
});

test('a string written by comms can be read', t => {
  fc.assert(
    fc.property(envelope, value => {
      t.deepEqual(/** @type {any} */ (parseString(formatString(value))), value);
    }),
  );
});

/** Strings that the scene takes next. */
const valid = [
  '2:3:deliver:ro+20:rp-72:ro+0:rp-70:ro-6;#["go",["$0","&1","$2"]]',
  '2:0:resolve:fulfill:rp-70;#"seventy"',
  '2:2:resolve:reject:rp+40:ro-7:rp-70;#["$0","&1"]\nresolve:fulfill:rp-70;#{}',
  '2:1:deliver:rp+40:;#["tell",[]]',
];

const piece = fc.oneof(
  ref,
  fc.constantFrom(
    ':',
    ';',
    '\n',
    '#',
    '"',
    '$',
    '&',
    '[',
    ']',
    'deliver',
    'resolve',
    'rp-70',
    'ro+0',
  ),
  fc.string({ maxLength: 3, unit: 'binary' }),
);

const mutated = fc
  .tuple(
    fc.constantFrom(...valid),
    fc.array(fc.tuple(fc.nat(90), fc.nat(6), fc.option(piece)), { minLength: 1, maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [at, length, put]) => {
      const place = at % (now.length + 1);
      return put === null
        ? now.slice(0, place)
        : now.slice(0, place) + put + now.slice(place + length);
    }, text),
  );

test('any string is accepted or refused, and a refused one has no effect but that it counts', t => {
  const runs = 400;
  let taken = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
        { weight: 9, arbitrary: mutated },
      ),
      text => {
        const scene = makeScene();
        const syscalls = scene.deliver(receive(text));
        // The answer comes before what the string asks for.
        const [answer] = syscalls;
        if (answer?.[0] !== 'resolve') return false;
        const [[vref, rejected]] = answer[1];
        if (vref !== 'p-99') return false;
        if (!rejected) {
          taken += 1;
          return true;
        }
        t.is(syscalls.length, 1);
        const { steps, expected } = afterRefusal(text, scene);
        t.deepEqual(steps, expected);
        return true;
      },
    ),
    { numRuns: runs },
  );
  t.log(`${taken} of ${runs} were taken`);
});

test('altered strings end no vat on either side', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(400), fc.nat(4), fc.option(piece)), { minLength: 1, maxLength: 12 }),
      async edits => {
        const bot = Far('bot', {
          echo: (/** @type {any} */ ...args) => args,
          call: (/** @type {any} */ back, /** @type {any} */ promise) =>
            E(back).back(promise, back),
        });
        /** @type {any} */
        let it;
        const user = Far('user', {
          take(/** @type {any} */ given) {
            it = given;
          },
          act: () => {
            const back = Far('back', { back: (/** @type {any} */ ...args) => args });
            const first = E(it).echo(back, E(it).call(back, Promise.resolve(back)));
            return Promise.allSettled([first, E(first).length(), E(it).call(back, first)]);
          },
        });
        const { left, right } = await makePair({ user }, { bot });
        await left.call('user', 'act');
        const machines = { left, right };
        for (const [at, length, put] of edits) {
          // Before each round of true strings comes one that was changed.
          for (const [from, to] of /** @type {const} */ ([
            ['left', 'right'],
            ['right', 'left'],
          ])) {
            const [text] = machines[from].outbox.get(to) ?? [];
            if (text === undefined) continue;
            const place = at % (text.length + 1);
            const changed =
              put === null
                ? text.slice(0, place)
                : text.slice(0, place) + put + text.slice(place + length);
            await machines[to].receive(from, changed);
          }
          await carry(machines);
        }
        for (const machine of [left, right]) {
          t.deepEqual(machine.faults, []);
          t.deepEqual(machine.audit(), []);
        }
      },
    ),
    { numRuns: 15 },
  );
});
