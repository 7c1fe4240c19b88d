// Runs that were recorded, run again: what the host gave, what the clock showed and what was dead come from the recording,
// and the first crank that is not as it was is named.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, replayRecording, runRounds } from '#host';
import { inputStream } from '#kernel';
import { ByteWriter, UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Store } from '#store' */

const demos = join(import.meta.dirname, '../../../demos');
const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */

/** @param {ExecutionContext} t @param {Record<string, string>} sources  by file @param {object} [config] */
const makeProgram = (t, sources, config = {}) => {
  const folder = temporaryDirectory(t, 'recording');
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.js`), source);
  const [bootstrap] = Object.keys(sources);
  const vats = Object.fromEntries(
    Object.keys(sources).map(name => [name, { sourceSpec: `./${name}.js` }]),
  );
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify({ bootstrap, vats, ...config }));
  return folder;
};

/**
 * @param {string | ReturnType<typeof loadConfig>} program  its directory, or a config
 * @param {Partial<Parameters<typeof makeSimulation>[1]>} [options]
 */
const begin = async (program, options = {}) => {
  const store = makeMemoryStore();
  const open = { ...store, close: async () => {} };
  const config = typeof program === 'string' ? loadConfig({ baseDir: program }) : program;
  const simulation = await makeSimulation(config, {
    store: open,
    cacheDir,
    ...options,
  });
  return { store, simulation };
};

/** @param {Simulation} simulation */
const end = async simulation => {
  await simulation.commit();
  await simulation.close();
};

/**
 * The run is the same again.
 *
 * @param {ExecutionContext} t
 * @param {Store} store
 * @param {Simulation} simulation  that made it
 */
const isSame = async (t, store, simulation) => {
  await end(simulation);
  const replayed = await replayRecording(store, { cacheDir });
  t.deepEqual(replayed, {
    cranks: simulation.cranks.all,
    inputs: simulation.kernel.inputCount,
    activityHash: simulation.activityHash(),
    changed: [],
    overruled: [],
  });
  return replayed;
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(`every demo is the same again under ${profile}`, async t => {
    const names = readdirSync(demos).filter(name => existsSync(join(demos, name, 'bootstrap.js')));
    t.true(names.length > 20);
    for (const name of names) {
      const { store, simulation } = await begin(join(demos, name), { profile });
      const shouldStop = () => simulation.cranks.all > 400;
      await runRounds(simulation, { blockSize: 37, untilNs: 60e9, shouldStop });
      await isSame(t, store, simulation);
    }
  });

  test.serial(`vats that are made and ended in the run, under ${profile}`, async t => {
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

test.serial('a run that was resumed in its rounds', async t => {
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

const imports = `import { E, Far } from '@endo/far';\n`;

const counter = `${imports}
  export const buildRootObject = () => {
    let n = 0;
    return Far('root', {
      bootstrap: async vats => { for (let i = 0; i < 4; i += 1) await E(vats.other).add(1); },
      add(by) { n += by; return n; },
    });
  };
`;

test.serial('what the host gives before the run, inside an instant, and behind it', async t => {
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
});

/** @param {Store} store @param {any[]} inputs  that it has in place of its own @returns {Store} */
const withInputs = (store, inputs) => {
  /** @type {string[]} */
  const kinds = [
    'start',
    'message',
    'release',
    'clock',
    'deadline',
    'physical',
    'dead',
    'seed',
    'stop',
  ];
  const writer = new ByteWriter();
  for (const { kind, tag, vat, crank, data } of inputs) {
    writer.byte(kinds.indexOf(kind));
    writer.varint(tag.timeNs);
    writer.varint(tag.microstep);
    writer.text(crank === undefined ? vat : `${vat}@${crank}`);
    writer.text(data);
  }
  return {
    ...store,
    readStream: name => (name === inputStream ? writer.view() : store.readStream(name)),
  };
};

/** Shows one time after the other, and the last for ever. @param {number[]} times */
const makeScriptedClock = times => {
  const left = [...times];
  const nowNs = () => /** @type {number} */ (left.length > 1 ? left.shift() : left[0]);
  return {
    nowNs,
    isLate: (/** @type {string} */ _vat, /** @type {number} */ timeNs, /** @type {number} */ ns) =>
      nowNs() - timeNs > ns,
  };
};

const reactors = {
  sensor: `
    import { Reactor } from 'swingset-runner/reactor';
    class Sensor extends Reactor {
      out = this.output();
      touched = this.physicalAction();
      tick = this.timer(0, '10 ms');
      n = 0;
      r1 = this.reaction({ triggers: this.tick, effects: this.out, deadline: '3 ms', late: () => { this.n += 100; } },
        () => { if ((this.n += 1) > 30) this.n = 0; if (this.n % 3 === 0) this.out.set(this.n); });
      r2 = this.reaction({ triggers: this.touched, effects: this.out }, () => this.out.set([this.touched.get(), this.n]));
      r3 = this.reaction({ triggers: this.shutdown }, () => {});
    }
    export const buildReactor = () => new Sensor();
  `,
  sink: `
    import { Reactor } from 'swingset-runner/reactor';
    class Sink extends Reactor {
      in = this.input();
      sum = [];
      later = this.timer('7 ms', '15 ms');
      r1 = this.reaction({ triggers: this.in }, () => { this.sum.push(this.in.get()); console.log(this.util.getElapsedPhysicalTime()); });
      r2 = this.reaction({ triggers: this.later }, () => {});
    }
    export const buildReactor = () => new Sink();
  `,
};

const reactorConfig = {
  connections: [{ from: ['sensor.out'], to: ['sink.in'], after: '1 ms' }],
  reactors: { timeout: '400 ms' },
};

test.serial(
  'reactors: physical actions, deadlines, times that were read, and the end of a program',
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

test.serial('what was found dead is not looked for again', async t => {
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

test.serial(
  'a source that has changed is told, and the first difference that it makes',
  async t => {
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
        'at 0ns.0, vat other: it ends by a fault: no more; in the recording it goes on',
      ],
    ]);
    for (const [from, to, expected] of cases) {
      const { changed, difference } = await change(from, to);
      t.deepEqual(changed, ['vat "other"']);
      if (typeof expected === 'string') t.is(difference, expected);
      else t.regex(difference ?? '', expected);
    }
  },
);

test.serial('a vat that ends, or reads the clock once more than it did', async t => {
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

test.serial('what a config says otherwise now is named, and the recording is used', async t => {
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
});

test.serial('connections that are others now are named one by one', async t => {
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

test.serial('a vat that asks for the time, and never did', async t => {
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

test.serial('what a device is handed, and what it sends for it', async t => {
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

test.serial('what differs only in a vat that has ended shows in the hash', async t => {
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

test.serial('an input that cannot be given any more is named', async t => {
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

test.serial('a recording that is not whole, or is not one', async t => {
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

test.serial('a transcript that is cut is damaged', async t => {
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
