// With any number of worker threads a run is the same run: cranks, counters, hash, store, what vats print and which errors
// leave them. Threads that dawdle, and threads that end at any moment, change how long it takes.
//
// SWINGSET_RUNNER_WORKERS=long runs every demo and conformance program with 1, 2, 4 and 8 threads, and 1,000 random programs;
// SWINGSET_RUNNER_WORKERS_PROGRAMS says how many, and SWINGSET_RUNNER_WORKERS_FIRST the number of the first.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

import { loadConfig, makeReport, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { conformanceDirectory, demoDirectory, loadConformance } from './compare/load.js';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');
const isLong = process.env.SWINGSET_RUNNER_WORKERS === 'long';
const programsCount = Number(process.env.SWINGSET_RUNNER_WORKERS_PROGRAMS ?? (isLong ? 1_000 : 6));
const firstSeed = Number(process.env.SWINGSET_RUNNER_WORKERS_FIRST ?? 1);

/**
 * @typedef {object} How
 * @property {string} baseDir
 * @property {number | 'auto'} workers
 * @property {number} [rounds]
 * @property {string[]} [argv]
 * @property {number} [blockSize]
 * @property {number} [workerDelays]
 * @property {'current' | '2020-09'} [profile]
 * @property {number[]} [kills]  blocks behind which a thread is ended
 * @property {Record<string, unknown>} [change]  fields of the config
 * @property {string[]} [moves]  vats that move from thread to thread, from block to block
 */

/** Everything that must be equal. @param {How} how */
const run = async ({ baseDir, rounds = 0, argv = [], blockSize = 7, ...how }) => {
  const { kills = [], moves = [] } = how;
  const { workers, workerDelays, profile = 'current', change = {} } = how;
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const config = { ...loadConfig({ baseDir, argv }), ...change };
  const simulation = await makeSimulation(/** @type {any} */ (config), {
    ...{ store, profile, cacheDir, workers },
    ...(workerDelays !== undefined && { workerDelays }),
    observer: {
      onConsole: (vat, level, text) => said.push(`${vat} ${level} ${text}`),
      onVatError: (vat, report) => said.push(`${vat} ${report}`),
    },
  });
  let blocks = 0;
  let killed = 0;
  const onBlock = () => {
    blocks += 1;
    if (moves.length > 0) simulation.moveVat(moves[blocks % moves.length], (blocks >> 2) % 3);
    if (!kills.includes(blocks)) return;
    killed += 1;
    if (simulation.workers().length > 0)
      void simulation.killWorker((killed % simulation.workers().length) + 1);
  };
  if (rounds > 0) await runRounds(simulation, { rounds, blockSize, onBlock });
  else await simulation.run({ blockSize, onBlock });
  const {
    ns: _ns,
    machine: _machine,
    benchmark,
    reapCollections: _,
    ...report
  } = makeReport(simulation.kernel);
  const outcome = { report, benchmark: { ...benchmark, ns: undefined }, said };
  const digest = storeDigest(store);
  const figures = simulation.workers();
  const { moves: moved = 0 } = simulation.placement() ?? {};
  await simulation.close();
  return { outcome: { ...outcome, digest }, figures, killed, blocks, moved };
};

/** @param {string} name */
const fixture = name => path.join(import.meta.dirname, 'fixtures', name);

/** @type {[title: string, program: Omit<How, 'workers'>][]} */
const programs = [
  ['pingpong', { baseDir: demoDirectory('pingpong'), rounds: 10 }],
  ['exchange', { baseDir: demoDirectory('exchange'), rounds: 3 }],
  ['vats that are made and end', { baseDir: demoDirectory('terminateVat') }],
  ['a vat that fails', { baseDir: demoDirectory('vatFailure'), argv: ['--bedynamic'] }],
  [
    'accounts that the run makes',
    {
      baseDir: demoDirectory('accounts'),
      rounds: 2,
      argv: ['accounts=5', 'transfers=12', 'work=2000'],
    },
  ],
  ['comms', { baseDir: demoDirectory('encouragementBotComms') }],
  [
    'virtual data and a vat that is upgraded',
    { baseDir: fixture('virtual-vats'), rounds: 8, argv: ['1'] },
  ],
  [
    '2020-09: vats that are made and end',
    { baseDir: demoDirectory('terminateVat'), profile: '2020-09' },
  ],
];

if (isLong) {
  for (const demo of fs.readdirSync(demoDirectory('.'))) {
    if (demo.startsWith('resolve')) programs.push([demo, { baseDir: demoDirectory(demo) }]);
  }
  for (const { id, benchmark } of loadConformance()) {
    const rounds = benchmark?.rounds ?? 0;
    const baseDir = conformanceDirectory(id, 'current');
    programs.push([`conformance ${id}`, { baseDir, rounds }]);
    const then = conformanceDirectory(id, '2020');
    programs.push([`2020-09: conformance ${id}`, { baseDir: then, rounds, profile: '2020-09' }]);
  }
}

for (const [title, program] of programs) {
  test.serial(`${title}: the same with any number of threads`, async t => {
    const { outcome } = await run({ ...program, workers: 0 });
    for (const workers of isLong ? [1, 2, 4, 8] : [2]) {
      const other = await run({ ...program, workers });
      t.deepEqual(other.outcome, outcome, `${workers} threads`);
      t.true(other.figures.some(({ cranks }) => cranks > 0));
    }
  });
}

test.serial('slow threads change nothing, with any block size', async t => {
  const program = { baseDir: demoDirectory('exchange'), rounds: 2 };
  const { outcome } = await run({ ...program, workers: 0 });
  for (const [blockSize, workers, workerDelays] of [
    [1, 2, 1],
    [200, 3, 2],
  ])
    t.deepEqual(
      (await run({ ...program, workers, workerDelays, blockSize })).outcome,
      outcome,
      `${workers} threads, blocks of ${blockSize}`,
    );
});

test.serial('random programs are the same on slow threads', async t => {
  const baseDir = fileURLToPath(new URL('fixtures/random-vats', import.meta.url));
  const counts = [1, 2, 4, 8];
  for (let seed = firstSeed; seed < firstSeed + programsCount; seed += 1) {
    const program = { baseDir, rounds: isLong ? 6 : 2, argv: [String(seed)] };
    const { outcome } = await run({ ...program, workers: 0 });
    const how = { workers: counts[seed % 4], workerDelays: seed, blockSize: 1 + (seed % 30) };
    const other = await run({ ...program, ...how });
    t.deepEqual(other.outcome, outcome, `seed ${seed}`);
    t.true(other.figures.some(({ cranks }) => cranks > 0));
  }
});

test.serial('threads that end between blocks are replaced, and nothing else changes', async t => {
  const program = { baseDir: demoDirectory('pingpong'), rounds: 10 };
  const { outcome } = await run({ ...program, workers: 0 });
  const { outcome: other, killed } = await run({ ...program, workers: 2, kills: [1, 3, 4, 9] });
  t.is(killed, 4);
  t.deepEqual(other, outcome);
});

test.serial('moves of vats between threads and blocks change nothing', async t => {
  for (const [demo, rounds, moves] of /** @type {const} */ ([
    ['pingpong', 40, ['alice', 'bob', 'bootstrap']],
    ['exchange', 4, ['alice', 'bob', 'escrow']],
  ])) {
    const change = { defaultReapInterval: 15 };
    const program = { baseDir: demoDirectory(demo), rounds, change };
    const { outcome } = await run({ ...program, workers: 0 });
    const other = await run({ ...program, workers: 2, moves: [...moves] });
    t.deepEqual(other.outcome, outcome, demo);
    t.true(other.moved > 0, `${other.moved} moves`);
    const kills = [5, 11, 12, 30];
    const how = { workers: /** @type {const} */ ('auto'), workerDelays: 3, blockSize: 5, kills };
    const auto = await run({ ...program, ...how, moves: [...moves] });
    t.deepEqual(auto.outcome, outcome, `${demo}, threads end meanwhile`);
  }
});

/** Eight vats that each send themselves round a hub; a device counts; each prints. */
const hub = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ D }) => {
    let device;
    const root = Far('root', {
      async bootstrap(vats, devices) {
        device = devices.counter;
        const names = Object.keys(vats).filter(name => name.startsWith('w'));
        const sums = await Promise.all(names.map((name, i) => E(vats[name]).work(root, 6, i)));
        console.log('sums', sums.join(' '), D(device).count());
        return sums;
      },
      tick: (from, n) => from * 100 + n + D(device).count(),
    });
    return root;
  };
`;

const worker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () =>
    Far('worker', {
      async work(hub, left, number) {
        let sum = 0;
        for (let n = left; n > 0; n -= 1) {
          for (let i = 0; i < 20000; i += 1) sum = (sum * 31 + i) % 65537;
          sum += await E(hub).tick(number, n);
          if (n === 3) console.log('worker', number, 'is half way');
        }
        return sum;
      },
    });
`;

const counter = `
  export const buildRootDeviceNode = ({ getDeviceState, setDeviceState }) => {
    let count = getDeviceState() ?? 0;
    return harden({
      count() {
        count += 1;
        setDeviceState(count);
        return count;
      },
    });
  };
`;

/** @param {import('ava').ExecutionContext} t @param {Record<string, unknown>} [more] */
const writeHub = (t, more = {}) => {
  const dir = temporaryDirectory(t);
  fs.writeFileSync(path.join(dir, 'hub.js'), hub);
  fs.writeFileSync(path.join(dir, 'worker.js'), worker);
  fs.writeFileSync(path.join(dir, 'counter.js'), counter);
  const names = Array.from({ length: 8 }, (_, i) => `w${i}`);
  const config = {
    bootstrap: 'hub',
    vats: {
      hub: { sourceSpec: './hub.js' },
      ...Object.fromEntries(names.map(name => [name, { sourceSpec: './worker.js' }])),
    },
    devices: { counter: { sourceSpec: './counter.js' } },
    ...more,
  };
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  return dir;
};

test.serial(
  'a vat that calls devices, vats that work beside each other, and what they print',
  async t => {
    const baseDir = writeHub(t);
    const { outcome } = await run({ baseDir, workers: 0 });
    t.is(outcome.said.filter(line => line.includes('half way')).length, 8);
    for (const how of [{ workers: 1 }, { workers: 4, workerDelays: 5, blockSize: 50 }])
      t.deepEqual((await run({ baseDir, ...how })).outcome, outcome);
  },
);

/** In its second message, `caller` calls a device behind a message for `twice`, which has not begun by then. */
const overtaking = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let twice, caller;
    const round = async () => {
      const all = [E(twice).work(), E(twice).work(), E(caller).count()];
      return (await Promise.all(all)).join(' ');
    };
    return Far('root', {
      async bootstrap(vats, { counter }) {
        ({ twice, caller } = vats);
        await E(caller).take(counter);
        for (let i = 0; i < 3; i += 1) console.log(await round());
      },
    });
  };
`;

const caller = `
  import { Far } from '@endo/far';
  export const buildRootObject = ({ D }) => {
    let counter, worked = 0;
    return Far('root', {
      take(device) { counter = device; },
      count: () => D(counter).count(),
      work() {
        for (let i = 0; i < 1e6; i += 1) worked = (worked * 31 + i) % 65537;
        return worked;
      },
    });
  };
`;

test.serial('a vat that calls a device ahead of what has not begun is taken back', async t => {
  const baseDir = temporaryDirectory(t);
  for (const [name, text] of Object.entries({ boot: overtaking, caller, counter }))
    fs.writeFileSync(path.join(baseDir, `${name}.js`), text);
  const creationOptions = { managerType: 'worker' };
  const config = {
    bootstrap: 'boot',
    vats: {
      boot: { sourceSpec: './boot.js' },
      ...{ twice: { sourceSpec: './caller.js', creationOptions } },
      ...{ caller: { sourceSpec: './caller.js', creationOptions } },
    },
    devices: { counter: { sourceSpec: './counter.js' } },
  };
  fs.writeFileSync(path.join(baseDir, 'swingset.json'), JSON.stringify(config));
  // In one block, since nothing begins ahead beyond its end.
  const program = { baseDir, blockSize: 100 };
  const local = await run({ ...program, workers: 0 });
  t.deepEqual(
    local.outcome.said.map(line => line.split(' ').at(-1)),
    ['1', '2', '3'],
  );
  for (const workerDelays of [undefined, 7])
    t.deepEqual((await run({ ...program, workers: 1, workerDelays })).outcome, local.outcome);
});

test.serial('threads that end during cranks and device calls cost only time', async t => {
  const baseDir = writeHub(t);
  const { outcome } = await run({ baseDir, workers: 0 });
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store, cacheDir, workers: 3, workerDelays: 9 },
    observer: {
      onConsole: (vat, level, text) => said.push(`${vat} ${level} ${text}`),
    },
  });
  let number = 0;
  const timer = setInterval(() => {
    number += 1;
    if (number <= 6) void simulation.killWorker((number % 3) + 1);
  }, 20);
  await simulation.run({ blockSize: 3 });
  clearInterval(timer);
  t.deepEqual(said, outcome.said);
  t.is(simulation.activityHash(), outcome.report.activityHash);
  t.is(storeDigest(store), outcome.digest);
  t.log(`${number} threads ended`);
  await simulation.close();
});

test.serial(
  'a vat during whose delivery two threads ended is ended alone, and also in a resumed run',
  async t => {
    const dir = temporaryDirectory(t);
    fs.writeFileSync(
      path.join(dir, 'boot.js'),
      `import { E, Far } from '@endo/far';
     export const buildRootObject = () => Far('root', {
       async bootstrap({ victim, other }, { axe }) {
         await E(other).say('before');
         await E(victim).work(axe).catch(error => console.log('work:', error.message));
         await E(other).say('after');
       },
     });`,
    );
    // Each call of the device ends the thread, while the vat works for long.
    fs.writeFileSync(
      path.join(dir, 'victim.js'),
      `import { Far } from '@endo/far';
     export const buildRootObject = ({ D }) => Far('root', {
       work(axe) {
         for (let call = 0; call < 2; call += 1) {
           D(axe).fall();
           for (let i = 0; i < 1e10; i += 1);
         }
       },
       say: text => console.log(text),
     });`,
    );
    fs.writeFileSync(
      path.join(dir, 'axe.js'),
      `export const buildRootDeviceNode = ({ endowments }) => harden({ fall: () => endowments.fall() });`,
    );
    const creationOptions = { managerType: 'worker' };
    fs.writeFileSync(
      path.join(dir, 'swingset.json'),
      JSON.stringify({
        bootstrap: 'boot',
        vats: {
          boot: { sourceSpec: './boot.js' },
          victim: { sourceSpec: './victim.js', creationOptions },
          other: { sourceSpec: './victim.js', creationOptions },
        },
        devices: { axe: { sourceSpec: './axe.js' } },
      }),
    );
    let falls = 0;
    const store = { ...makeMemoryStore(), close: async () => {} };
    /** @type {string[]} */
    const said = [];
    const fall = () => {
      falls += 1;
      void simulation.killWorker(1);
    };
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      ...{ store, cacheDir, workers: 1, deviceEndowments: { axe: { fall } } },
      observer: {
        onConsole: (vat, _level, text) => vat === 'vatAdmin' || said.push(`${vat}: ${text}`),
      },
    });
    await simulation.run();
    t.is(falls, 2, 'a device is called once for each call, however often the delivery is sent');
    t.deepEqual(said, ['other: before', 'boot: work: vat terminated', 'other: after']);
    t.is(simulation.kernel.inputs().filter(({ kind }) => kind === 'refused').length, 1);
    const hash = simulation.activityHash();
    await simulation.close();
    const resumed = await makeSimulation(undefined, {
      ...{ store, cacheDir, resume: true, deviceEndowments: { axe: { fall } } },
    });
    await resumed.run();
    t.is(resumed.activityHash(), hash);
    t.is(falls, 2);
    await resumed.close();
  },
);

test.serial('a run is resumed with another number of threads', async t => {
  const baseDir = writeHub(t);
  const { outcome } = await run({ baseDir, workers: 0 });
  const store = { ...makeMemoryStore(), close: async () => {} };
  const first = await makeSimulation(loadConfig({ baseDir }), { store, cacheDir, workers: 2 });
  await first.run({ blockSize: 10, maxCranks: 40 });
  await first.close();
  const second = await makeSimulation(undefined, { store, cacheDir, workers: 1, resume: true });
  await second.run({ blockSize: 10, maxCranks: 30 });
  await second.close();
  const third = await makeSimulation(undefined, { store, cacheDir, resume: true });
  await third.run();
  t.is(third.activityHash(), outcome.report.activityHash);
  t.is(storeDigest(store), outcome.digest);
  await third.close();
});

test.serial('a vat drops the same references on every thread', async t => {
  const program = {
    baseDir: demoDirectory('exchange'),
    rounds: 4,
    change: { defaultReapInterval: 40 },
  };
  const { outcome } = await run({ ...program, workers: 0 });
  t.deepEqual((await run({ ...program, workers: 2 })).outcome, outcome);
});

test.serial(
  'a wrong number of threads, and a vat that cannot run on one, are reported in one line',
  async t => {
    const make = (/** @type {string} */ baseDir, /** @type {any} */ workers) =>
      makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore(), cacheDir, workers });
    const baseDir = demoDirectory('justReply');
    for (const wrong of [-1, 'a', 65, 1.5, '-1', '', NaN, null, {}])
      await t.throwsAsync(make(baseDir, wrong), {
        message: /^the option "workers" must be "auto" or a whole number from 0 to 64, got /,
      });
    t.throws(() => loadConfig({ baseDir: writeHub(t, { workers: 65 }) }), {
      message: /workers must be "auto" or a whole number from 0 to 64, got 65/,
    });
    const options = { creationOptions: { managerType: 'thread' } };
    t.throws(
      () =>
        loadConfig({
          baseDir: writeHub(t, { vats: { hub: { sourceSpec: './hub.js', ...options } } }),
        }),
      { message: /managerType must be one of "local", "worker", .*got "thread"/ },
    );
    const tied = writeHub(t);
    const config = loadConfig({ baseDir: tied });
    config.vats.w1.creationOptions = { managerType: 'worker' };
    await t.throwsAsync(
      makeSimulation(config, { store: makeMemoryStore(), cacheDir, vatPowers: { extra: () => 1 } }),
      {
        message:
          /vat "w1" has managerType "worker", and needs the kernel's thread: it is given vatPowers/,
      },
    );
  },
);
