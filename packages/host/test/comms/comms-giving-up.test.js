// Strings about objects that are given up: what they do, and what no other machine may do by them.

import '#testkit/lockdown.js';
import test from 'ava';
import { makeLoneComms } from './comms-machines.js';
import { afterRefusal, makeScene, notGiven, receive, refusalOf } from './comms-scene.js';

/** @import { Syscall } from '#model' */

const answered = ['resolve', [['p-99', false, { body: '#"#undefined"', slots: [] }]]];

test('what the other side gives up is dropped and retired here, and has a new name when it is sent again', t => {
  const { deliver, send } = makeScene();
  t.deepEqual(deliver(receive('2:3:gc:dropExport:ro+20\ngc:retireExport:ro+20')), [
    answered,
    ['dropImports', ['o-61']],
    ['retireImports', ['o-61']],
  ]);
  const used = deliver(receive('3:3:deliver:ro+20:;#["go",[]]'));
  t.is(refusalOf(used), notGiven('ro+20'));
  const [again] = send('o+11', ['look', ['$0']], ['o-63'], null);
  t.regex(again[0] === 'send' ? again[2].body : '', /deliver:ro\+5::ro-21;/);
  t.is(deliver(receive('4:4:deliver:ro+21:;#["go",[]]')).at(-1)?.[0], 'send');
});

test('an object that was dropped, or never given, cannot be used, and giving it up again changes nothing', t => {
  const { deliver } = makeScene();
  t.deepEqual(deliver(receive('2:3:gc:dropExport:ro+20')), [answered, ['dropImports', ['o-61']]]);
  const target = deliver(receive('3:3:deliver:ro+20:;#["go",[]]'));
  t.is(refusalOf(target), '"ro+20" was dropped by it');
  const slot = deliver(receive('4:3:deliver:ro+0::ro+20;#["go",["$0"]]'));
  t.is(refusalOf(slot), '"ro+20" was dropped by it');
  t.deepEqual(deliver(receive('5:3:gc:dropExport:ro+20\ngc:dropExport:ro+20')), [answered]);
  t.deepEqual(deliver(receive('6:3:gc:dropExport:ro+77\ngc:retireExport:ro+77')), [answered]);
  t.deepEqual(deliver(receive('7:3:gc:retireExport:ro+20\ngc:retireExport:ro+20')), [
    answered,
    ['retireImports', ['o-61']],
  ]);
});

test('a conversation goes on behind a string that was refused, as SwingSet sends it only once', t => {
  const { deliver } = makeScene();
  t.is(refusalOf(deliver(receive('2:3:deliver:ro+7:;#["go",[]]'))), notGiven('ro+7'));
  t.is(
    refusalOf(deliver(receive('2:3:deliver:ro+0:;#["go",[]]'))),
    'its sequence number is 2; the next one is 3',
  );
  t.is(deliver(receive('3:3:deliver:ro+0:;#["go",[]]')).at(-1)?.[0], 'send');
});

test('an object that is retired without having been dropped is dropped as well', t => {
  const { deliver } = makeScene();
  t.deepEqual(deliver(receive('2:3:gc:retireExport:ro+20')), [
    answered,
    ['dropImports', ['o-61']],
    ['retireImports', ['o-61']],
  ]);
});

test('what is said of an object that is on its way to the other side again is not taken for the last word', t => {
  const { deliver, send } = makeScene();
  send('o+11', ['look', ['$0']], ['o-61'], null);
  t.deepEqual(deliver(receive('2:3:gc:dropExport:ro+20\ngc:retireExport:ro+20')), [answered]);
  t.is(deliver(receive('3:4:deliver:ro+20:;#["go",[]]')).at(-1)?.[0], 'send');
});

test('another machine can neither take away what is in use here nor give up what is not its own', t => {
  const refused = (/** @type {string} */ command) => {
    const scene = makeScene();
    const text = `2:3:${command}`;
    const told = refusalOf(scene.deliver(receive(text)));
    const { steps, expected } = afterRefusal(text, scene);
    t.deepEqual(steps, expected);
    return told;
  };
  t.is(refused('gc:retireImport:ro-5'), '"ro-5" cannot be retired: it is in use');
  t.is(refused('gc:dropExport:ro-5'), 'dropExport is for objects of the reader; "ro-5" is none');
  t.is(
    refused('gc:retireExport:ro-5'),
    'retireExport is for objects of the reader; "ro-5" is none',
  );
  t.is(
    refused('gc:retireImport:ro+20'),
    'retireImport is for objects of the writer; "ro+20" is none',
  );
  t.is(
    refused('gc:dropExport:ro+20\ngc:retireImport:ro-5'),
    '"ro-5" cannot be retired: it is in use',
  );
});

test('the transmitter stays when the object was given to the other side as well, and given up there', t => {
  const { deliver, send } = makeScene();
  send('o+11', ['look', ['$0']], ['o-50'], null);
  t.deepEqual(deliver(receive('2:4:gc:dropExport:ro+21\ngc:retireExport:ro+21')), [answered]);
  const [again] = send('o+11', ['look', ['$0']], ['o-50'], null);
  t.is(again[1], 'o-50');
});

test('a transmitter that is an object of another machine is not given up, nor taken away', t => {
  const { deliver, send } = makeScene();
  send('o+0', ['addRemote', ['far', '$0', '$1']], ['o+11', 'o-52'], 'p-68');
  send('o+0', ['addIngress', ['far', 1]], [], 'p-69');
  // No vat holds it any more.
  t.deepEqual(deliver(['dropExports', ['o+11']]), []);
  const taken = deliver(receive('2:3:gc:retireImport:ro-5'));
  t.is(refusalOf(taken), '"ro-5" cannot be retired: it is in use');
  t.deepEqual(deliver(['retireExports', ['o+11']]), []);
  // The kernel has forgotten it, so it has a new name.
  const [again] = send('o+13', ['look', []], [], null);
  t.deepEqual(again.slice(0, 2), ['send', 'o+14']);
  const [passed] = send('o+14', ['transmit', ['text']], [], null);
  t.deepEqual(passed.slice(0, 2), ['send', 'o-50']);
});

test('an object that comes with a message that is refused is let go of again', t => {
  const { deliver, send } = makeScene();
  t.deepEqual(deliver(receive('2:3:gc:dropExport:ro+20')), [answered, ['dropImports', ['o-61']]]);
  const dropped = (/** @type {Syscall[]} */ syscalls) =>
    syscalls.filter(([kind]) => kind !== 'resolve' && kind !== 'send');
  // The kernel must not hold it as reachable when it is retired.
  const ways = [
    () => send('o+11', ['look', ['$0', '$1']], ['o-61', 'd-70'], 'p-68'),
    () => send('o+0', ['addEgress', ['nobody', 3, '$0']], ['o-61'], 'p-69'),
    () => deliver(['notify', [['p-64', false, { body: '#["$0","$1"]', slots: ['o-61', 'd-70'] }]]]),
    () => deliver(['message', 'o+10', { body: '#["x",["$0"]]', slots: ['o-61'] }, 'p-99']),
  ];
  for (const way of ways) t.deepEqual(dropped(way()), [['dropImports', ['o-61']]]);
  t.deepEqual(deliver(receive('3:3:gc:retireExport:ro+20')), [
    answered,
    ['retireImports', ['o-61']],
  ]);
});

test('a machine that knows that it decides a promise cannot send its messages here', t => {
  const { deliver } = makeScene();
  const own = (/** @type {number} */ seq, /** @type {number} */ ack, /** @type {string} */ ref) =>
    deliver(receive(`${seq}:${ack}:deliver:${ref}:;#["go",[]]`));
  // It has not taken the string that gave it the decision: the message goes back.
  t.is(own(2, 0, 'rp+40').at(-1)?.[0], 'send');
  t.is(refusalOf(own(3, 1, 'rp+40')), 'the target "rp+40" is its own to decide');
  t.is(refusalOf(own(4, 1, 'rp-70')), 'the target "rp-70" is its own to decide');
  t.is(own(5, 1, 'rp+41').at(-1)?.[0], 'send');
});

test('what vats give up is told to the other side, and to the kernel what the other side retires', t => {
  const { deliver, send } = makeScene();
  const textOf = (/** @type {Syscall[]} */ syscalls) =>
    syscalls.map(it => (it[0] === 'send' ? JSON.parse(it[2].body.slice(1))[1][0] : it));
  t.deepEqual(textOf(deliver(['dropExports', ['o+11']])), ['4:1:gc:dropExport:ro+5']);
  t.deepEqual(deliver(receive('2:4:gc:retireImport:ro-5')), [
    answered,
    ['retireExports', ['o+11']],
  ]);
  t.deepEqual(deliver(receive('3:4:gc:retireImport:ro-5')), [answered]);
  // Objects of comms itself are not shared.
  t.deepEqual(deliver(['dropExports', ['o+0', 'o+10']]), []);
  t.deepEqual(deliver(['retireExports', ['o+0', 'o+10']]), []);
  send('o+0', ['addIngress', ['bot', 6]], [], 'p-68');
  t.deepEqual(textOf(deliver(['retireExports', ['o+12']])), [
    '5:3:gc:dropExport:ro+6\ngc:retireExport:ro+6',
  ]);
});

test('comms of 2020 takes strings about collected objects, and collects nothing', t => {
  const { deliver, comms } = makeLoneComms('2020-09');
  const send = (/** @type {string} */ body, /** @type {string[]} */ slots) =>
    deliver(['message', 'o+0', { body, slots }, null]);
  const slot = (/** @type {number} */ index) => `{"@qclass":"slot","index":${index}}`;
  send(`["addRemote",["bot",${slot(0)},${slot(1)}]]`, ['o-50', 'o-51']);
  send(`["addEgress",["bot",0,${slot(0)}]]`, ['o-60']);
  const before = comms.nameCounts;
  const text = JSON.stringify(['receive', ['1:0:gc:dropExport:ro+0\ngc:retireExport:ro+0']]);
  deliver(['message', 'o+10', { body: text, slots: [] }, null]);
  t.deepEqual(comms.nameCounts, before);
  t.deepEqual(deliver(['dropExports', ['o+10']]), []);
});

test('comms of 2020 does not answer who hands it a string, but says what it refuses', t => {
  const { deliver } = makeLoneComms('2020-09');
  const send = (/** @type {string} */ body, /** @type {string[]} */ slots) =>
    deliver(['message', 'o+0', { body, slots }, null]);
  const slot = (/** @type {number} */ index) => `{"@qclass":"slot","index":${index}}`;
  send(`["addRemote",["bot",${slot(0)},${slot(1)}]]`, ['o-50', 'o-51']);
  send(`["addEgress",["bot",0,${slot(0)}]]`, ['o-60']);
  const receive = (/** @type {string} */ text) =>
    deliver(['message', 'o+10', { body: JSON.stringify(['receive', [text]]), slots: [] }, 'p-90']);
  const [sent, ...more] = receive('1:0:deliver:ro+0:;["greet",[]]');
  t.deepEqual([sent[0], sent[1], more], ['send', 'o-60', []]);
  const [[type, resolutions]] = /** @type {any[]} */ (receive('2:0:deliver:ro+9:;["greet",[]]'));
  t.is(type, 'resolve');
  t.deepEqual(resolutions[0].slice(0, 2), ['p-90', true]);
});
