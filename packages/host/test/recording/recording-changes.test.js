// Recordings whose program, devices or files are not as they were.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, replayRecording, runRounds } from '#host';
import { inputStream } from '#kernel';
import { UserError } from '#model';
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

test.serial(
  'fields of a config that changed since are named, and the recording is used',
  async t => {
    const sources = { boot: counter, other: counter };
    /** @param {Record<string, unknown>} [of] @param {Record<string, unknown>} [more] */
    const configOf = (of = { step: 1, way: 'up' }, more = {}) => ({
      defaultReapInterval: 20,
      vats: {
        boot: { sourceSpec: './boot.js', parameters: { count: 3 } },
        other: { sourceSpec: './other.js', parameters: of, creationOptions: { reapInterval: 5 } },
      },
      devices: { timer: { parameters: { unit: '1 s' } } },
      ...more,
    });
    const folder = makeProgram(t, sources, configOf());
    const { store, simulation } = await begin(
      loadConfig({ baseDir: folder, argv: ['an argument of the command line'] }),
    );
    await simulation.run();
    await isSame(t, store, simulation);
    const replayWith = async (/** @type {object} */ config) => {
      const text = JSON.stringify({ bootstrap: 'boot', ...config });
      writeFileSync(join(folder, 'swingset.json'), text);
      const { changed, overruled, difference } = await replayRecording(store, {
        cacheDir,
        sources: folder,
      });
      t.deepEqual([changed, difference], [[], undefined]);
      return overruled.map(line => line.replace(/\S*swingset\.json/, 'FILE'));
    };
    t.deepEqual(await replayWith(configOf()), [], 'nothing is different');
    t.deepEqual(await replayWith(configOf({ way: 'down', to: null })), [
      'vat "other": parameter "step" is not in FILE',
      'vat "other": parameter "way" is another in FILE',
      'vat "other": parameter "to" of FILE is not in the recording',
    ]);
    const { other, boot } = configOf().vats;
    const more = {
      bootstrap: 'other',
      defaultReapInterval: 'never',
      vats: { other: { ...other, creationOptions: {} }, boot },
      devices: { mailbox: {} },
    };
    t.deepEqual(await replayWith(configOf({}, more)), [
      '"bootstrap" is another in FILE',
      '"defaultReapInterval" is another in FILE',
      'vat "other": option "reapInterval" is not in FILE',
      'device "timer" is not in FILE',
      'device "mailbox" of FILE is not in the recording',
      'vats are in another order in FILE',
    ]);
  },
);

test.serial(
  'arguments of a config may be numbers, also where its sources are replayed',
  async t => {
    const vats = { boot: { sourceSpec: './boot.js', parameters: { argv: [5] } } };
    const folder = makeProgram(t, { boot: counter }, { vats });
    const { store, simulation } = await begin(folder);
    await simulation.run();
    await end(simulation);
    const { overruled, difference } = await replayRecording(store, { cacheDir, sources: folder });
    t.deepEqual([overruled, difference], [[], undefined]);
  },
);

test.serial('changed connections are named one by one', async t => {
  const folder = makeProgram(t, reactors, reactorConfig);
  const { store, simulation } = await begin(folder, { clock: makeScriptedClock([0]) });
  await simulation.run();
  await end(simulation);
  const { vats } = JSON.parse(readFileSync(join(folder, 'swingset.json'), 'utf8'));
  const replayWith = async (/** @type {object} */ config) => {
    const text = JSON.stringify({ bootstrap: 'sensor', vats, ...config });
    writeFileSync(join(folder, 'swingset.json'), text);
    const { overruled, difference } = await replayRecording(store, { cacheDir, sources: folder });
    t.is(difference, undefined);
    return overruled.map(line => line.replace(/\S*swingset\.json/, 'FILE'));
  };
  t.deepEqual(await replayWith(reactorConfig), []);
  const [connection] = reactorConfig.connections;
  t.deepEqual(await replayWith({ connections: [{ ...connection, after: 0, physical: true }] }), [
    '"reactors.timeout" is not in FILE',
    'connection sensor.out → sink.in, after 1 ms is not in FILE',
    'connection sensor.out → sink.in, after 0 ns, physical of FILE is not in the recording',
  ]);
  t.deepEqual(await replayWith({}), [
    '"reactors.timeout" is not in FILE',
    'connection sensor.out → sink.in, after 1 ms is not in FILE',
  ]);
});

test.serial('a vat that asks for the time, and did not before, is named', async t => {
  const plain = reactors.sink.replace('console.log(this.util.getElapsedPhysicalTime());', '');
  const folder = makeProgram(t, { ...reactors, sink: plain }, reactorConfig);
  const { store, simulation } = await begin(folder, { clock: makeScriptedClock([0]) });
  await simulation.run();
  await isSame(t, store, simulation);
  writeFileSync(join(folder, 'sink.js'), reactors.sink);
  const { difference } = await replayRecording(store, { cacheDir, sources: folder });
  t.is(
    difference,
    'at 21000000ns.0, vat sink: it asks for the time, and the recording has no more answers for it',
  );
});

test.serial('a device that a host program has given something to cannot be replayed', async t => {
  const folder = makeProgram(
    t,
    { boot: counter, other: counter },
    { devices: { own: { sourceSpec: './own.js' } } },
  );
  writeFileSync(
    join(folder, 'own.js'),
    `${imports} export const buildRootDeviceNode = () => Far('own', {});`,
  );
  /** @type {Record<string, Record<string, any>>[]} */
  const cases = [{}, { own: { read: () => 1 } }];
  for (const deviceEndowments of cases) {
    const { store, simulation } = await begin(folder, { deviceEndowments });
    await simulation.run();
    if (!('own' in deviceEndowments)) {
      await isSame(t, store, simulation);
      continue;
    }
    await end(simulation);
    await t.throwsAsync(replayRecording(store), {
      instanceOf: UserError,
      message: /^the run cannot be replayed: device "own" was given endowments by a host program/,
    });
  }
});

test.serial('inputs of a device and its messages for them are recorded', async t => {
  const folder = makeProgram(
    t,
    {
      boot: `${imports}
        export const buildRootObject = (vatPowers) => Far('root', {
          bootstrap(vats, devices) { vatPowers.D(devices.command).registerInboundHandler(Far('h', { inbound(n, body) { vatPowers.D(devices.command).deliverResponse(n, false, body); } })); },
        });`,
    },
    { devices: { command: {} } },
  );
  const { store, simulation } = await begin(folder);
  await simulation.run();
  const command = simulation.kernel.findDevice('command');
  for (const token of [1, 2]) {
    simulation.deviceInput('command', JSON.stringify({ token: `${token}`, body: { n: token } }));
    await simulation.run({ maxCranks: token === 1 ? 0 : 1 });
  }
  await simulation.run();
  const given = simulation.kernel.inputs().filter(({ vat }) => vat === command);
  t.is(given.length, 2);
  await isSame(t, store, simulation);
});

test.serial('a difference only in a vat that has ended shows in the hash', async t => {
  const brief = `${imports}
    export const buildRootObject = vatPowers => Far('root', {
      bootstrap() { vatPowers.exitVat('done'); return 'one'; },
    });`;
  const folder = makeProgram(t, { boot: brief, other: counter });
  const { store, simulation } = await begin(folder);
  await simulation.run();
  await isSame(t, store, simulation);
  writeFileSync(join(folder, 'boot.js'), brief.replace("'one'", "'two'"));
  const { difference } = await replayRecording(store, { cacheDir, sources: folder });
  t.regex(
    difference ?? '',
    /^at 0ns\.\d+, the vats that still run did the same, and the activity hash/,
  );
});

test.serial("what differs only in the kernel's tables is named by its key", async t => {
  const folder = makeProgram(t, { boot: counter, other: counter });
  const { store, simulation } = await begin(folder);
  await simulation.run();
  await isSame(t, store, simulation);
  store.commit({ puts: new Map([['vs.v1.mine', '77']]) });
  const { difference } = await replayRecording(store, { cacheDir });
  t.regex(
    difference ?? '',
    /the vats did the same, and the kernel's tables differ at the end: key "vs\.v1\.mine" is only/,
  );
});

test.serial('an input that cannot be repeated is named', async t => {
  const folder = makeProgram(t, { boot: counter, other: counter });
  const { store, simulation } = await begin(folder);
  await simulation.run();
  simulation.queueToVatRoot('other', 'add', [3]);
  await simulation.run();
  await end(simulation);
  const inputs = simulation.kernel.inputs();
  const [, input] = inputs;
  const change = async (/** @type {object} */ changes) => {
    const changed = withInputs(store, [inputs[0], { ...input, ...changes }]);
    return (await replayRecording(changed, { cacheDir })).difference;
  };
  const name = 'input 2 of the recording';
  t.is(
    await change({ kind: 'release', vat: '', data: 'kp77' }),
    `at 0ns.8, ${name} (release at 0ns.8) cannot be given: the host does not hold "kp77"`,
  );
  t.is(
    await change({ kind: 'physical', data: '["a",1,"#1",[]]' }),
    `at 0ns.8, ${name} (physical to vat other at 0ns.8) cannot be given: vat "other" has no reactors; a physical action is scheduled in a vat that exports buildReactor`,
  );
  t.regex(
    (await change({ tag: { timeNs: 5, microstep: 0 } })) ?? '',
    /^at 0ns\.8, input 2 of the recording \(message to vat other at 5ns\.0\) has its place here/,
  );
});

test.serial('an incomplete recording, and a store without one, are refused', async t => {
  await t.throwsAsync(replayRecording(makeMemoryStore()), {
    message: 'the database holds no run',
  });
  const { store, simulation } = await begin(join(demos, 'pingpong'));
  await runRounds(simulation, { rounds: 3 });
  await end(simulation);
  const inputs = simulation.kernel.inputs();
  await t.throwsAsync(replayRecording(withInputs(store, inputs.slice(0, 5))), {
    instanceOf: UserError,
    message:
      'the recording is cut short: it has 5 inputs, the last of kind "release", and the run had 7; replay a whole copy of the database',
  });
  const bytes = store.readStream(inputStream);
  const cut = {
    ...store,
    readStream: (/** @type {string} */ name) =>
      name === inputStream ? bytes.subarray(0, -3) : store.readStream(name),
  };
  await t.throwsAsync(replayRecording(cut), {
    instanceOf: UserError,
    message: /^the recording's inputs are damaged: record ends at byte \d+/,
  });
  await t.throwsAsync(replayRecording(store, { sources: join(demos, 'timer') }), {
    instanceOf: UserError,
    message:
      /^the recording is of another program than .*timer: it has a vat "alice", and there the vats are .*; name the directory of what was recorded$/,
  });
  const { store: other, simulation: unlike } = await begin(
    makeProgram(t, { bootstrap: counter, alice: counter }),
  );
  await end(unlike);
  await t.throwsAsync(replayRecording(other, { sources: join(demos, 'pingpong') }), {
    instanceOf: UserError,
    message: /^the recording is of another program than .*pingpong: it has no vat "bob"; name/,
  });
  const lacking = {
    ...store,
    get: (/** @type {string} */ key) =>
      key.startsWith('host.bundle.') ? undefined : store.get(key),
  };
  await t.throwsAsync(replayRecording(lacking), {
    instanceOf: UserError,
    message: /^the recording lacks the source of vat "\w+", bundle b1-/,
  });
});

test.serial('a recording whose bootstrap vat is none of its vats is refused', async t => {
  const { store, simulation } = await begin(makeProgram(t, { boot: counter }));
  await simulation.run();
  await end(simulation);
  const other = (/** @type {string} */ value) => ({
    ...store,
    get: (/** @type {string} */ key) => (key === 'host.bootstrapVat' ? value : store.get(key)),
  });
  await t.throwsAsync(replayRecording(other('nobody'), { cacheDir }), {
    instanceOf: UserError,
    message:
      'the recording is damaged: its bootstrap vat "nobody" is not among its vats; replay a whole copy of the database',
  });
  t.is((await replayRecording(other('boot'), { cacheDir })).difference, undefined);
});

test.serial('a cut transcript is reported as damaged', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const { store, simulation } = await begin(join(demos, 'pingpong'), { profile });
    await runRounds(simulation, { rounds: 3 });
    await end(simulation);
    const cut = (/** @type {string} */ name) =>
      store.readStream(name).subarray(0, name === inputStream ? Infinity : -9);
    const half = {
      ...store,
      readStream: cut,
      streamChunks: (/** @type {string} */ name) => [cut(name)],
    };
    await t.throwsAsync(replayRecording(half, { cacheDir }), {
      instanceOf: UserError,
      message:
        profile === 'current'
          ? /^the transcript of vat \w+ is damaged at its entry \d+: record ends at byte \d+/
          : /^the transcript of vat \w+ in the recording is damaged: record ends at byte \d+/,
    });
  }
});
