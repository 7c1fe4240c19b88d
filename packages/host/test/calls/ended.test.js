// Calls to what has ended: a run whose bootstrap failed, and a vat.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import test from 'ava';
import { CallError, loadConfig, makeMemoryStore, makeSimulation, UserError } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

v8.setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = vm.runInNewContext('gc');

/** @param {import('ava').ExecutionContext} t @param {Record<string, string>} files */
const simulate = (t, files) => {
  const baseDir = join(temporaryDirectory(t), 'vats');
  mkdirSync(baseDir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(baseDir, name), text);
  return makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore() });
};

test('a call behind a failed bootstrap has the reason with its place', async t => {
  const simulation = await simulate(t, {
    'bootstrap.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () => Far('b', { bootstrap: vats => E(vats.a).hi() });`,
    'vat-a.js': 'export const buildRootObject = () =>\n  undefind.x;',
  });
  const error = await t.throwsAsync(simulation.call('a', 'hi'), { instanceOf: CallError });
  t.is(/** @type {CallError} */ (error).code, 'FAILED');
  t.regex(
    error.message,
    /^bootstrap has failed, so that nothing runs any more: Error: vat terminated; vat "a" has failed: .*vat-a.js:2:\d+: .*undefind/,
  );
  await simulation.close();
});

test('a call to a vat that has failed has its last error', async t => {
  const simulation = await simulate(t, {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('b', { bootstrap() {} });`,
    'vat-a.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = ({ exitVatWithFailure }) =>
        Far('a', { end: () => exitVatWithFailure(Error('enough')) });`,
  });
  await simulation.call('a', 'end').catch(() => {});
  await t.throwsAsync(simulation.call('a', 'end'), {
    instanceOf: UserError,
    message: /^vat "a" has ended; nothing can be sent to it any more: vat "a" has failed: .*enough/,
  });
  await simulation.close();
});

test('a simulation may be started in any job behind an answer, and stopped at once', async t => {
  const simulation = await simulate(t, {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('b', { bootstrap() {}, echo: it => it, wait: () => new Promise(() => {}) });`,
  });
  for (let jobs = 0; jobs < 24; jobs += 1) {
    await simulation.call('bootstrap', 'echo', [1]);
    for (let i = 0; i < jobs; i += 1) await null;
    simulation.start();
    const waits = simulation.call('bootstrap', 'wait');
    const [stopped] = await Promise.allSettled([waits, simulation.stop({ withinMs: 0 })]);
    t.is(stopped.status === 'rejected' && stopped.reason.code, 'STOPPED', `${jobs} jobs`);
  }
  await simulation.close();
});

test('a closed simulation is collected, although the time of its last call is not over', async t => {
  /** @type {unknown[]} */
  const found = [];
  const registry = new FinalizationRegistry(name => found.push(name));
  const run = async () => {
    const simulation = await simulate(t, {
      'bootstrap.js': `
        import { Far } from '@endo/far';
        export const buildRootObject = () => Far('b', { bootstrap() {}, echo: it => it });`,
    });
    registry.register(simulation, 'it');
    simulation.start();
    t.is(await simulation.call('bootstrap', 'echo', [1], { timeoutMs: 1e9 }), 1);
    await simulation.stop();
    await simulation.close();
  };
  await run();
  for (let i = 0; i < 100 && found.length === 0; i += 1) {
    await sleep(20);
    collect();
  }
  t.deepEqual(found, ['it']);
});

test('a closed simulation refuses calls, also where stop() came behind close() or beside it', async t => {
  /** @type {Record<string, (s: import('#host').Simulation) => Promise<unknown>>} */
  const stops = {
    'stop after close': async s => (await s.close(), s.stop()),
    'stop after close, started': async s => (s.start(), await s.close(), s.stop()),
    'close beside stop': s => (s.start(), Promise.all([s.stop(), s.close()])),
    'close after stop': async s => (s.start(), await s.stop(), s.close()),
    'stop after leave': async s => (s.start(), await s.leave(), s.stop()),
  };
  for (const [title, end] of Object.entries(stops)) {
    const simulation = await simulate(t, {
      'bootstrap.js': `
        import { Far } from '@endo/far';
        export const buildRootObject = () => Far('b', { bootstrap() {} });`,
    });
    await end(simulation);
    const error = await t.throwsAsync(
      simulation.call('bootstrap', 'hi', [], { timeoutMs: 5_000 }),
      { instanceOf: CallError },
      title,
    );
    t.is(error.message, 'the simulation is closed', title);
  }
});
