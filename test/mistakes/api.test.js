// Mistakes that newcomers make in a program that embeds vats, and what each is told.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { testVat } from '../../packages/testing/index.js';

const baseDir = fileURLToPath(new URL('../../examples/bank', import.meta.url));
const vatFile = `${baseDir}/vat-bank.js`;
const make = (/** @type {any} */ options = {}) =>
  makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore(), ...options });

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
    /^what the message goes to, .* no handle/,
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
    `import { loadConfig, makeMemoryStore, makeSimulation, openLmdbStore } from '${host}';
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
    ].map(line => line.slice(0, 40)),
  );
  t.is(lines.filter(line => /^at async tell \(program\.mjs:6:\d+\)$/.test(line)).length, 4);
  t.true(lines.some(line => /^at (async )?program\.mjs:11:\d+$/.test(line)));
  for (let line = 16; line <= 22; line += 1)
    t.true(stdout.includes(`program.mjs:${line}:`), `line ${line}`);
  t.false(lines.some(line => line.includes('packages/')));
  t.is(status, 1);
  t.regex(
    stderr,
    /CallError: the simulation is closed\n( +at .*\n)*? +at async .*program\.mjs:26:\d+/,
  );
});
