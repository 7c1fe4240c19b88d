// Runs that were recorded, run again: what the host gave, what the clock showed and what was dead come from the recording,
// and the first crank that is not as it was is named.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeSimulation, replayRecording, runRounds } from '#host';
import {
  demos,
  cacheDir,
  makeProgram,
  begin,
  end,
  isSame,
  imports,
  counter,
  withInputs,
  makeScriptedClock,
  reactors,
  reactorConfig,
} from './recorded-runs.js';

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(`a replay of every demo is the same under ${profile}`, async t => {
    const names = readdirSync(demos).filter(name => existsSync(join(demos, name, 'bootstrap.js')));
    t.true(names.length > 20);
    for (const name of names) {
      const { store, simulation } = await begin(join(demos, name), { profile });
      const shouldStop = () => simulation.cranks.all > 400;
      await runRounds(simulation, { blockSize: 37, untilNs: 60e9, shouldStop });
      await isSame(t, store, simulation);
    }
  });

  test.serial(`a replay makes and ends the vats that the run did, under ${profile}`, async t => {
    for (const name of ['pingpong', 'vatFailure', 'terminateVat', 'exchange']) {
      const config = loadConfig({ baseDir: join(demos, name), indirect: true });
      const { store, simulation } = await begin(config, { profile });
      await runRounds(simulation, { shouldStop: () => simulation.cranks.all > 400 });
      await isSame(t, store, simulation);
      const { changed, overruled, difference } = await replayRecording(store, {
        cacheDir,
        sources: join(demos, name),
      });
      t.deepEqual([changed, overruled, difference], [[], [], undefined]);
    }
  });
}

test.serial('a run that was resumed in its rounds is replayed', async t => {
  const { store, simulation } = await begin(join(demos, 'pingpong'));
  await runRounds(simulation, { rounds: 3 });
  await simulation.close();
  const again = await makeSimulation(undefined, { store, resume: true, cacheDir });
  await runRounds(again, { rounds: 6 });
  const { inputs } = await isSame(t, store, again);
  t.is(inputs, 13);
});

test.serial('a run that was stopped in the middle is replayed as far as it went', async t => {
  for (const maxCranks of [0, 1, 5, 13]) {
    const { store, simulation } = await begin(join(demos, 'pingpong'));
    await simulation.run({ blockSize: 3, maxCranks });
    const { cranks } = await isSame(t, store, simulation);
    t.is(cranks, maxCranks);
  }
});

test.serial(
  'inputs of the host before the run, inside an instant, and behind it are recorded',
  async t => {
    const folder = makeProgram(t, { boot: counter, other: counter });
    for (let stop = 0; stop < 22; stop += 1) {
      const { store, simulation } = await begin(folder);
      await simulation.run({ blockSize: 1, maxCranks: stop });
      const first = simulation.queueToVatRoot('other', 'add', [3]);
      simulation.queueToVatRoot('boot', 'add', [4]);
      await simulation.run({ maxCranks: 1 });
      simulation.release(first);
      await simulation.run();
      simulation.queueToVatRoot('other', 'add', [5]);
      if (stop === 0) {
        const [, input] = simulation.kernel.inputs();
        t.like(input, { kind: 'message', vat: 'v2', crank: 0, tag: { timeNs: 0, microstep: 0 } });
      }
      await simulation.run();
      await isSame(t, store, simulation);
    }
  },
);

test.serial(
  'a replay repeats physical actions, deadlines, read times and the end of a program',
  async t => {
    const folder = makeProgram(t, reactors, reactorConfig);
    for (const blockSize of [1, 7, 200]) {
      const times = Array.from({ length: 200 }, (_, i) => i * 3_100_000 + (i % 5) * 2_000_000);
      const { store, simulation } = await begin(folder, { clock: makeScriptedClock(times) });
      await simulation.run({ blockSize, untilNs: 52_000_000 });
      simulation.physicalInput('sensor', 'touched', 'a');
      await simulation.run({ blockSize, maxCranks: 4 });
      simulation.physicalInput('sensor', 'touched', { b: 2 });
      simulation.physicalInput('sensor', 'touched', 'c');
      await simulation.run({ blockSize, untilNs: 251_000_000 });
      if (blockSize === 7) simulation.stopPrograms();
      await simulation.run({ blockSize });
      const kinds = new Set(simulation.kernel.inputs().map(({ kind }) => kind));
      for (const kind of /** @type {const} */ (['physical', 'deadline', 'clock']))
        t.true(kinds.has(kind), kind);
      t.is(kinds.has('stop'), blockSize === 7);
      await isSame(t, store, simulation);
    }
  },
);

test.serial('a replay takes dead references from the recording, and searches for none', async t => {
  const folder = makeProgram(
    t,
    {
      boot: `${imports}
        export const buildRootObject = () => {
          let vats;
          return Far('root', {
            bootstrap(given) { vats = given; },
            async runBenchmarkRound() {
              const made = [];
              for (let i = 0; i < 5; i += 1) made.push(await E(vats.other).make());
              for (const each of made) await E(each).touch();
            },
          });
        };`,
      other: `${imports}
        export const buildRootObject = () => Far('root', { make: () => Far('thing', { touch() {} }) });`,
    },
    { defaultReapInterval: 7 },
  );
  const { store, simulation } = await begin(folder);
  await runRounds(simulation, { rounds: 6 });
  const dead = simulation.kernel.inputs().filter(({ kind }) => kind === 'dead');
  t.true(dead.some(({ data }) => data.includes('o-')));
  await isSame(t, store, simulation);
  const inputs = simulation.kernel.inputs();
  const place = inputs.findIndex(({ data }) => data.includes('o-'));
  inputs[place].data = ';;';
  const { difference } = await replayRecording(withInputs(store, inputs), { cacheDir });
  t.regex(
    difference ?? '',
    /^at 0ns\.\d+, vat boot: in its delivery \d+ \(bringOutYourDead\) syscall 1 is nothing, in the recording it is dropImports o-\d+/,
  );
});

test.serial('a changed source is reported, with the first difference that it makes', async t => {
  const folder = makeProgram(t, { boot: counter, other: counter });
  const { store, simulation } = await begin(folder);
  await simulation.run();
  await isSame(t, store, simulation);
  t.deepEqual(
    (await replayRecording(store, { cacheDir, sources: folder })).changed,
    [],
    'the same sources',
  );

  const change = (/** @type {string} */ from, /** @type {string} */ to) => {
    const text = counter.replace(from, () => to);
    t.not(text, counter);
    writeFileSync(join(folder, 'other.js'), text);
    return replayRecording(store, { cacheDir, sources: folder });
  };
  const comment = await change('let n', '// A counter.\n let n');
  t.deepEqual(comment.changed, ['vat "other"']);
  t.is(comment.difference, undefined, 'it does the same');
  const cases = /** @type {[string, string, string][]} */ ([
    [
      'return n;',
      'return n > 2 ? -n : n;',
      'at 0ns.5, vat other: in its delivery 4 (message) syscall 1 (resolve p-62) has other data than in the recording',
    ],
    [
      'return n;',
      'return new Promise(() => {});',
      'at 0ns.1, vat other: in its delivery 2 (message) syscall 1 is nothing, in the recording it is resolve p-60',
    ],
    [
      'let n = 0;',
      'throw Error("no more");',
      'at 0ns.0, vat other: it ends by a fault: Error: no more; in the recording it goes on',
    ],
  ]);
  for (const [from, to, expected] of cases) {
    const { changed, difference } = await change(from, to);
    t.deepEqual(changed, ['vat "other"']);
    if (typeof expected === 'string') t.is(difference, expected);
    else t.regex(difference ?? '', expected);
  }
});

test.serial('a vat that ends, or reads the clock more often than before, is named', async t => {
  const folder = makeProgram(t, reactors, reactorConfig);
  const clock = makeScriptedClock([0]);
  const { store, simulation } = await begin(folder, { clock });
  await simulation.run();
  await end(simulation);
  const change = (/** @type {string} */ from, /** @type {string} */ to) => {
    const text = reactors.sink.replace(from, () => to);
    t.not(text, reactors.sink);
    writeFileSync(join(folder, 'sink.js'), text);
    return replayRecording(store, { cacheDir, sources: folder });
  };
  const cases = /** @type {[string, string, string][]} */ ([
    [
      'triggers: this.later }, () => {}',
      'triggers: this.later }, () => this.util.getElapsedPhysicalTime()',
      'at 7000000ns.0, vat sink: its delivery 3 asks or says something, in the recording its reactors run on by themselves',
    ],
    [
      'console.log(this.util.getElapsedPhysicalTime());',
      '',
      'at 21000000ns.0, vat sink: in its delivery 3 (react) it asks the kernel 0 times, in the recording once',
    ],
    [
      'triggers: this.later }, () => {}',
      "triggers: this.later }, () => { throw Error('x'); }",
      'at 7000000ns.0, vat sink: it ends by a fault: the delivery failed: r2 failed at 7000000ns.0: x; in the recording it goes on',
    ],
    [
      "'15 ms'",
      "'16 ms'",
      'at 23000000ns.0, vat sink: its entry 4 is 2 cranks of its reactors by themselves, from 23000000ns.0 to 39000000ns.0, stage 0, in the recording it is 2 cranks of its reactors by themselves, from 22000000ns.0 to 37000000ns.0, stage 0',
    ],
  ]);
  for (const [from, to, expected] of cases) {
    const { difference } = await change(from, to);
    t.is(difference, expected);
  }
});

test.serial('a run in which an upgrade failed is the same again', async t => {
  const root = `${imports}
    export const buildRootObject = (_powers, { fails }) => {
      if (fails) throw Error('not this one');
      return Far('root', { hello: () => 'hello' });
    };`;
  const bootstrap = `${imports}
    export const buildRootObject = () => Far('root', {
      async bootstrap({ vatAdmin }, devices) {
        const service = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
        const cap = await E(service).getNamedBundleCap('guest');
        const { root, adminNode } = await E(service).createVat(cap, { vatParameters: {} });
        await E(adminNode).upgrade(cap, { vatParameters: { fails: true } }).catch(() => {});
        return E(root).hello();
      },
    });`;
  const folder = makeProgram(
    t,
    { bootstrap, guest: root },
    {
      vats: { bootstrap: { sourceSpec: './bootstrap.js' } },
      bundles: { guest: { sourceSpec: './guest.js' } },
    },
  );
  const { store, simulation } = await begin(folder);
  await simulation.run();
  t.is(simulation.status(simulation.bootstrapResult).data?.body, '#"hello"');
  await isSame(t, store, simulation);
});

test.serial('a run whose thresholds of collection change is the same again', async t => {
  const { store, simulation } = await begin(join(demos, 'pingpong'));
  await simulation.run();
  const { kernel } = simulation;
  for (const change of [
    () => kernel.setReapInterval('never'),
    () => kernel.setReapGCKrefs(undefined),
    () => kernel.setReapInterval(2),
    () => kernel.setReapGCKrefs(1),
  ]) {
    change();
    simulation.release(simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound'));
    await simulation.run();
  }
  await isSame(t, store, simulation);
});

test.serial('a run that upgrades a vat of its config is the same again', async t => {
  const keeper = (/** @type {string} */ told) => `${imports}
    export const buildRootObject = (_powers, { name }) =>
      Far('root', { tell: () => name + ' ${told}' });`;
  const bootstrap = `${imports}
    export const buildRootObject = () => Far('root', {
      async bootstrap({ vatAdmin, keeper }, devices) {
        const service = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
        const told = [await E(keeper).tell()];
        for (const bundle of ['second', 'third']) {
          const id = await E(service).getBundleIDByName(bundle);
          const options = { vatParameters: { name: bundle } };
          await E(vatAdmin).upgradeStaticVat('v2', null, id, options);
          told.push(await E(keeper).tell());
        }
        return told.join(', ');
      },
    });`;
  const folder = makeProgram(
    t,
    { bootstrap, keeper: keeper('one'), second: keeper('two'), third: keeper('three') },
    {
      vats: {
        bootstrap: { sourceSpec: './bootstrap.js' },
        keeper: { sourceSpec: './keeper.js', parameters: { name: 'first' } },
      },
      bundles: {
        second: { sourceSpec: './second.js' },
        third: { sourceSpec: './third.js' },
      },
    },
  );
  const { store, simulation } = await begin(folder);
  await simulation.run();
  const { data } = simulation.status(simulation.bootstrapResult);
  t.is(data?.body, '#"first one, second two, third three"');
  await isSame(t, store, simulation);
});
