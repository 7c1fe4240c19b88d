// The engine that a run rests on, recorded with it.

import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import process from 'node:process';
import test from 'ava';
import { storeContents } from '#store';
import { describeEngines, loadConfig, makeMemoryStore, makeSimulation, readEngines } from '#host';

const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');
const root = join(import.meta.dirname, '../../../..');
const pingpong = join(root, 'demos/pingpong');

const runOne = async () => {
  const store = makeMemoryStore();
  const open = { ...store, close: async () => {} };
  const config = loadConfig({ baseDir: pingpong });
  const simulation = await makeSimulation(config, { store: open, cacheDir });
  await simulation.run();
  await simulation.close();
  return { store, open, simulation };
};

test.serial('a state knows the engine that runs it, under local. alone', async t => {
  const { store, simulation } = await runOne();
  t.deepEqual(simulation.notices, []);
  const [engine, ...others] = readEngines(simulation.kernel);
  t.deepEqual(others, []);
  t.like(engine, {
    node: process.versions.node,
    v8: process.versions.v8,
    icu: process.versions.icu,
    unicode: process.versions.unicode,
    arch: process.arch,
    collectionFlags: 'set',
    crank: 1,
  });
  const told = JSON.stringify(storeContents(store));
  t.false(told.includes(process.versions.v8));
});

test.serial(
  'the same engine adds no record; another engine adds one, and is reported in one line',
  async t => {
    const { store, open } = await runOne();
    const written = store.get('local.engine') ?? '';
    const again = await makeSimulation(undefined, { store: open, resume: true, cacheDir });
    t.deepEqual(again.notices, []);
    await again.commit();
    await again.close();
    t.is(store.get('local.engine'), written);

    const [engine] = JSON.parse(written);
    const older = { ...engine, node: '20.0.0', v8: '1.2.3' };
    store.commit({ puts: new Map([['local.engine', JSON.stringify([older])]]) });
    const other = await makeSimulation(undefined, { store: open, resume: true, cacheDir });
    t.is(other.notices.length, 1);
    t.regex(
      other.notices[0],
      /^the state was run with Node 20\.0\.0, V8 1\.2\.3, .*; now it is Node /,
    );
    t.false(other.notices[0].includes('\n'));
    const cranks = other.cranks.all;
    await other.commit();
    await other.close();
    const engines = readEngines(other.kernel);
    t.deepEqual(
      engines.map(({ node, crank }) => ({ node, crank })),
      [
        { node: '20.0.0', crank: 1 },
        { node: process.versions.node, crank: cranks + 1 },
      ],
    );
    t.regex(describeEngines(other.kernel)[1], new RegExp(`^from crank ${cranks + 1} on: Node `));
  },
);

test.serial('an unreadable record of engines is ignored', async t => {
  const { store, open } = await runOne();
  for (const text of ['', '[', '7', 'null', '[null]', '[{"node":"20.0.0"}]']) {
    store.commit({ puts: new Map([['local.engine', text]]) });
    const again = await makeSimulation(undefined, { store: open, resume: true, cacheDir });
    t.deepEqual(again.notices, [], text);
    const engines = readEngines(again.kernel);
    t.deepEqual(
      engines.map(({ node }) => node),
      [process.versions.node],
      text,
    );
    t.is(describeEngines(again.kernel).length, 1);
    await again.close();
  }
});

/**
 * In a process of its own, whose flags nobody has set.
 *
 * @param {string} options  of the simulation
 * @returns {{ flags: string[], notices: string[], engine: string, steps: number[] }}  `steps`: how far each thread is
 *   behind the first one, on Linux
 */
const runAside = options => {
  const program = `
    import { readdirSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import v8 from 'node:v8';
    const flags = [];
    const { setFlagsFromString } = v8;
    v8.setFlagsFromString = flag => { flags.push(flag); setFlagsFromString(flag); };
    (await import('node:module')).syncBuiltinESMExports();
    const host = await import(${JSON.stringify(pathToFileURL(join(root, 'packages/host/index.js')).href)});
    const config = host.loadConfig({ baseDir: ${JSON.stringify(pingpong)} });
    const simulation = await host.makeSimulation(config, { store: host.makeMemoryStore(), cacheDir: ${JSON.stringify(cacheDir)}, ...${options} });
    const [{ collectionFlags: engine }] = host.readEngines(simulation.kernel);
    const steps = process.platform === 'linux'
      ? readdirSync('/proc/self/task').map(id => getPriority(Number(id)) - getPriority(process.pid))
      : [];
    console.log(JSON.stringify({ flags, notices: simulation.notices, engine, steps }));
  `;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

const knowsMaglev = Number.parseInt(process.versions.node, 10) >= 22;

test.serial('a library call sets the flags that collections need to repeat, and no others', t => {
  const usual = runAside('{}');
  t.deepEqual(usual.flags, [
    '--retain-maps-for-n-gc=0',
    '--no-analyze-environment-liveness',
    '--no-maglev',
    // Instead of Maglev, TurboFan comes sooner.
    ...(knowsMaglev ? ['--invocation-count-for-turbofan=1000'] : []),
  ]);
  t.true(usual.steps.every(step => step === 0));
  t.deepEqual(usual.notices, []);
  t.is(usual.engine, 'set');
  t.deepEqual(runAside(`{ profile: '2020-09' }`).flags, []);
});

test.serial('flags for speed are set only on request', t => {
  const { flags, steps } = runAside(`{ engineFlags: 'speed', profile: '2020-09' }`);
  t.deepEqual(flags, [
    '--no-parallel-scavenge',
    '--max-inlined-bytecode-size-cumulative=600',
    // Later engines have another count in its place.
    ...(knowsMaglev ? [] : ['--ticks-before-optimization=1']),
  ]);
  if (process.platform !== 'linux') return;
  // Four threads of V8, and the one of its delayed tasks.
  t.is(steps.filter(step => step === 4).length, 5);
  t.true(steps.every(step => step === 4 || step === 0));
});

test.serial('a run without the flags says that its collections are not reproducible', t => {
  const { flags, notices, engine } = runAside(`{ engineFlags: 'none' }`);
  t.deepEqual(flags, []);
  t.is(engine, 'not set');
  t.is(notices.length, 1);
  t.regex(notices[0], /^collections are not reproducible: /);
});
