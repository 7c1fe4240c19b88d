// Mistakes that newcomers make in a program that embeds vats, and what each is told.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  buildBridge,
  buildCommand,
  buildLoopbox,
  buildMailbox,
  handOutTo,
  loadConfig,
  makeMemoryStore,
  makeRealTime,
  makeSimulation,
  openLmdbStore,
  replayRecording,
} from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { testVat } from '../../packages/testing/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const baseDir = fileURLToPath(new URL('../../examples/bank', import.meta.url));
const vatFile = `${baseDir}/vat-bank.js`;
const make = (/** @type {any} */ options = {}) =>
  makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore(), ...options });

/** @type {any} */
const ring = {};
ring.ring = ring;

/** @type {[title: string, act: (simulation: any) => unknown, told: RegExp][]} */
const mistakes = [
  [
    'run() beside start()',
    it => it.run(),
    /run\(\) runs the simulation, which start\(\) does already/,
  ],
  ['runCranks() beside start()', it => it.runCranks(1), /runCranks\(\) runs the simulation, which/],
  [
    'a URL as the directory',
    () => loadConfig({ baseDir: new URL('.', import.meta.url).href }),
    /^no directory "file:.*; give a path and no URL, as fileURLToPath\(\)/,
  ],
  ['start() twice', it => it.start(), /the simulation is started already/],
  [
    'a vat that is not there',
    it => it.call('bnak', 'x', []),
    /no vat "bnak"; did you mean "bank"\?/,
  ],
  ['arguments in no array', it => it.call('bank', 'x', 'a'), /are an array, got string; write \[/],
  [
    'a target that is nothing',
    it => it.call(undefined, 'x'),
    /^what the message goes to is no name of a vat and is no handle .*, got undefined;/,
  ],
  [
    'a promise of a handle as the target',
    it => it.call(it.call('bank', 'account', ['ann']), 'pay', []),
    /is no handle of this simulation, got a promise, which must be awaited;/,
  ],
  [
    'a vat with its method',
    it => it.call('bank.balance', 'ann'),
    /^there is no vat "bank\.balance"; the method's name comes second: "bank", "balance"$/,
  ],
  [
    'arguments without brackets',
    it => it.call('bank', 'balance', 1, 2),
    /^the arguments of bank\.balance\(\) are an array, got number; write \[/,
  ],
  [
    'an array with a hole',
    it => it.call('bank', 'balance', [[1, , 2]]), // eslint-disable-line no-sparse-arrays
    /^argument 1 of bank\.balance\(\) at \["?1"?\] is a hole of an array; write undefined/,
  ],
  [
    'a method that holds itself',
    it => it.call('bank', ring, []),
    /^[^\n]*method[^\n]*, got an (object|array)/,
  ],
  [
    'a number of threads in an object',
    () => make({ workers: Object.create(null) }),
    /^the option "workers" must be "auto" or a whole number from 0 to 64, got an object$/,
  ],
  [
    'a recording that is none',
    () => make({ recording: {} }),
    /^option "recording" of makeSimulation\(\) has a wrong value, got an object; give none:/,
  ],
  [
    'a NUL in a path',
    () => loadConfig({ baseDir: 'a\0b' }),
    /no path has the character NUL; name another \(ERR_INVALID_ARG_VALUE\)$/,
  ],
  [
    'a device that is not there',
    it => it.deviceInput('vatAdmn', ''),
    /^there is no device "vatAdmn"; did you mean "vatAdmin"\?$/,
  ],
  [
    'data of a device that is no string',
    it => it.deviceInput('vatAdmin', {}),
    /^the data of deviceInput\(\) is a string, got an object; JSON\.stringify/,
  ],
  [
    'a device hook that is no function',
    it => it.addDeviceHook('vatAdmin', 'hook'),
    /^addDeviceHook\(\) takes the device, the hook's name and a function, got undefined$/,
  ],
  ['a name that keeps no handle', it => it.keep('x', 5), /^what keep\(\) is given is no handle/],
  [
    'a function as an argument',
    it => it.call('bank', 'x', [() => 1]),
    /is a function, which no vat/,
  ],
  ['a Map as an argument', it => it.call('bank', 'x', [new Map()]), /is a Map, .* its entries/],
  [
    'a bound in words',
    it => it.call('bank', 'x', [], { timeoutMs: '5 s' }),
    /option "timeoutMs" of call\(\) has a wrong value, got the string "5 s"; give a number/,
  ],
  [
    'an option of testVat() that there is not',
    () => testVat(vatFile, /** @type {any} */ ({ params: {} })),
    /option "params" of testVat\(\) does not exist, got an object; /,
  ],
  [
    'an observer that there is not',
    () => make({ observer: { onconsole() {} } }),
    /"onconsole" .* did you mean "onConsole"\?/,
  ],
  [
    'a number of workers as a text',
    () => make({ workers: '2' }),
    /the option "workers" must be "auto" or a whole number from 0 to 64, got the string "2"/,
  ],
  [
    'the store of a simulation that is closed',
    async () => {
      const store = makeMemoryStore();
      await (await make({ store })).close();
      await makeSimulation(undefined, { store, resume: true });
    },
    /^the store is closed, as close\(\) of a simulation does; open it again, or let leave\(\) end/,
  ],
  [
    'nothing to resume',
    () => make({ resume: true }),
    /no state to resume in the store; leave "resume" out/,
  ],
  [
    'a simulation of nothing',
    () => makeSimulation(undefined, { store: makeMemoryStore() }),
    /needs a config, loadConfig\(\{ baseDir: DIRECTORY \}\)/,
  ],
];

/**
 * Mistakes in a simulation that is not started, and in functions that need none.
 *
 * @type {[title: string, act: (simulation: any) => unknown, told: RegExp][]}
 */
const otherMistakes = [
  ['a number of steps', it => it.step(5), /^step\(\) runs one crank .*, got 5; runCranks\(limit\)/],
  [
    'a limit in words',
    it => it.runCranks('x'),
    /^the limit of runCranks\(\) must be a number from 0, got "x"$/,
  ],
  ['half a crank', it => it.run({ blockSize: 1.5 }), /^blockSize must be a whole number from 1/],
  ['no clock', it => it.run({ realTime: {} }), /"realTime" of run\(\) .*makeRealTime\(\)$/],
  [
    'no clock either',
    it => it.start({ realTime: {} }),
    /"realTime" of start\(\) .*an object; give/,
  ],
  [
    'a bank of a number',
    it => it.outlines(5),
    /the options of outlines\(\) are not an object, got 5/,
  ],
  [
    'a config that nobody awaited',
    () => makeSimulation(/** @type {any} */ (Promise.resolve()), { store: makeMemoryStore() }),
    /got a promise, which must be awaited; give loadConfig/,
  ],
  ['a clock', () => make({ clock: { now: 5 } }), /"clock" of makeSimulation\(\) has a wrong value/],
  ['a look back', () => make({ lookahead: -1 }), /"lookahead" must be a number from 0, got -1/],
  [
    'a directory of a store in memory',
    () => /** @type {any} */ (makeMemoryStore)({ dir: 'x' }),
    /^makeMemoryStore\(\) takes nothing, got an object; openLmdbStore\(/,
  ],
  [
    'a store without a directory',
    () => openLmdbStore({ dir: '', durability: 'commit', create: true }),
    /^option "dir" of openLmdbStore\(\) is empty/,
  ],
  [
    'a log of no bytes',
    () => openLmdbStore({ dir: 'x', durability: 'commit', create: true, logBytes: NaN }),
    /^option "logBytes" of openLmdbStore\(\) has a wrong value, got NaN/,
  ],
  [
    'a time of 5',
    () => makeRealTime(/** @type {any} */ (5)),
    /the options of makeRealTime\(\) are/,
  ],
  [
    'a recording of nothing',
    () => replayRecording(/** @type {any} */ ('state')),
    /^the store of replayRecording\(\) .* got the string "state"; give an opened store$/,
  ],
  ['no hosts', () => handOutTo(/** @type {any} */ (5)), /handOutTo\(\) has a wrong value, got 5/],
  [
    'a host that is none',
    () => handOutTo(/** @type {any} */ ({ mailbox: {} })),
    /^host "mailbox" of handOutTo\(\) .*, as buildMailbox\(\) makes one$/,
  ],
  [
    'an option of a mailbox that there is not',
    () => buildMailbox(/** @type {any} */ ({ name: 'm' })),
    /^option "name" of buildMailbox\(\) does not exist/,
  ],
  [
    'a mailbox that joins nothing',
    () => buildMailbox().join(/** @type {any} */ (5)),
    /^the simulation that the host of device "mailbox" joins has a wrong value, got 5/,
  ],
  [
    'a command that nobody gets',
    () => buildCommand(/** @type {any} */ (undefined)),
    /buildCommand\(\) .* give a function, which gets what the device broadcasts$/,
  ],
  [
    'a bridge to nowhere',
    () => buildBridge(/** @type {any} */ ({})),
    /buildBridge\(\) .* got an object; give a function, which gets the vats' calls$/,
  ],
  [
    'a loopbox of a string',
    () => buildLoopbox(/** @type {any} */ ('x')),
    /^the options of buildLoopbox\(\) are not an object, got the string "x"/,
  ],
];

test('mistakes in other functions are answered with a remedy', async t => {
  const simulation = await make();
  for (const [title, act, told] of otherMistakes)
    await t.throwsAsync(async () => act(simulation), { message: told }, title);
  await simulation.close();
});

test('each mistake is answered with a remedy', async t => {
  const simulation = await make();
  simulation.start();
  for (const [title, act, told] of mistakes)
    await t.throwsAsync(async () => act(simulation), { message: told }, title);
  await simulation.stop();
  await simulation.close();
});

test('a store that another simulation is using is refused', async t => {
  const store = makeMemoryStore();
  const first = make({ store });
  const told = {
    message: /the store is in use by another simulation of this process; .* close\(\)/,
  };
  await t.throwsAsync(make({ store }), told);
  const simulation = await first;
  await t.throwsAsync(make({ store }), told);
  await simulation.run();
  simulation.start();
  await t.throwsAsync(makeSimulation(undefined, { store, resume: true }), told);
  await simulation.stop();
  const next = await makeSimulation(undefined, { store, resume: true });
  await next.close();
});

test('a mistake in a call has its hint in the stack', async t => {
  const simulation = await make();
  const error = await t.throwsAsync(simulation.call('bank', 'blance', ['ann']));
  t.regex(String(error.stack), /has no method "blance".*; did you mean balance\(\)\?/);
  t.is(/** @type {any} */ (error).hint, 'did you mean balance()?');
  await simulation.close();
});

test('a second simulation of a store that has one is refused', async t => {
  const store = makeMemoryStore();
  const simulation = await make({ store });
  await simulation.run();
  await t.throwsAsync(make({ store }), {
    message: /holds a state already; .*\(the option "resume"\)/,
  });
  await simulation.close();
});

test("errors of a host program's calls have the lines that waited for them", t => {
  const file = join(temporaryDirectory(t), 'program.mjs');
  const host = new URL('../../packages/host/public.js', import.meta.url).href;
  writeFileSync(
    file,
    `import { buildMailbox, loadConfig, makeMemoryStore, makeSimulation, openLmdbStore } from '${host}';
import { testVat } from '${host.replace('host/public', 'testing/index')}';
const make = (options = {}) => makeSimulation(loadConfig({ baseDir: process.argv[2] }), { store: makeMemoryStore(), ...options });
const simulation = await make();
const tell = async (target, method, args, options) => {
  await simulation.call(target, method, args, options);
};
for (const given of [['bank', 'balance', ['eve']], ['bnak', 'balance', []], ['bank', 'balance', 5], ['bank', 'balance', ['ann'], { timeout: 5 }]])
  await tell(...given).catch(error => console.log(error.stack));
try {
  await make({ wokers: 2 });
} catch (error) {
  console.log(error.stack);
}
for (const act of [
  async () => void (await simulation.run({ cranks: 5 })),
  async () => void (await simulation.start(5)),
  async () => void (await simulation.status(5)),
  async () => void (await simulation.queueToVatRoot('bnak', 'x', [])),
  async () => void (await testVat('./nothing.js')),
  async () => void loadConfig({ baseDir: './nothing' }),
  async () => void openLmdbStore({ dir: './nothing' }),
  async () => void makeMemoryStore({ dir: './nothing' }),
  async () => void buildMailbox().join({}),
])
  await act().catch(error => console.log(error.stack));
const late = simulation.call('bank', 'balance', ['ann']);
await Promise.all([simulation.close(), late]);
`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, baseDir], {
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').map(line => line.replace(/file:\S*\//, '').trim());
  const titles = lines.map((line, at) => ({ line, at })).filter(({ line }) => /Error: /.test(line));
  t.deepEqual(
    titles.map(({ line }) => line.slice(0, 40)),
    [
      'Error: nobody called eve has an account',
      'UserError: there is no vat "bnak"; did yo',
      'UserError: the arguments of bank.balance(',
      'TypeError: option "timeout" of call() doe',
      'TypeError: option "wokers" of makeSimulat',
      'TypeError: option "cranks" of run() does ',
      'TypeError: the options of start() are not',
      'UserError: status() takes a result as que',
      'UserError: there is no vat "bnak"; did yo',
      'UserError: there is no vat file "./nothin',
      'UserError: no directory "./nothing"',
      'TypeError: option "durability" of openLm',
      'TypeError: makeMemoryStore() takes nothi',
      'TypeError: the simulation that the host ',
    ].map(line => line.slice(0, 40)),
  );
  t.is(lines.filter(line => /^at async tell \(program\.mjs:6:\d+\)$/.test(line)).length, 4);
  t.true(lines.some(line => /^at (async )?program\.mjs:11:\d+$/.test(line)));
  for (let line = 16; line <= 24; line += 1)
    t.true(stdout.includes(`program.mjs:${line}:`), `line ${line}`);
  t.false(lines.some(line => line.includes('packages/')));
  t.is(status, 1);
  t.regex(
    stderr,
    /CallError: the simulation is closed\n( +at .*\n)*? +at async .*program\.mjs:28:\d+/,
  );
});

test("a host program's E() says how a handle is sent to", t => {
  const file = join(root, 'test/fixtures/host-sends.mjs');
  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  t.is(
    stdout,
    'UserError: a host program does not send to a handle by E(); call simulation.call(handle, "balance", [arguments])\n',
  );
});
