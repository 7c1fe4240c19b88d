// One run of pingpong, pinned: its activity hash is the same on every Node, with either store, in blocks of any size,
// with vats that overlap, with the fallback of `drain`, and stopped at any block. Programs with more twists follow
// (determinism.test.js runs all of them in some ways each).

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import test from 'ava';

import { loadConfig, makeReport, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { makeOverlappingTransports } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

import { probeDrain } from '../packages/host/engine/drain-jobs.js';
import { conformanceDirectory, demoDirectory, programDirectory } from './compare/load.js';

/** @typedef {import('#store').Store} Store */
/** @typedef {import('../packages/host/simulation/options.js').SimulationOptions} SimulationOptions */

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/** Activity hashes of pingpong with ten rounds. A change of these is a change of what every run does. */
const pinned = {
  current: '9297f677be0ac21727ef657aa40d63e838370a25d3cb69fc9b6e3a3ec0cf634b',
  '2020-09': 'f2f32a1f43ce51f95b3178df005bebc9a6838dc6f98a0658b2fc71ed12297200',
};

/**
 * @typedef {object} Program
 * @property {string} baseDir
 * @property {'current' | '2020-09'} profile
 * @property {number} rounds
 */

/**
 * Everything that must be equal between runs.
 *
 * @param {import('#host').Simulation} simulation
 * @param {Store} store
 */
const outcomeOf = (simulation, store) => {
  const { ns: _ns, machine: _machine, benchmark, ...report } = makeReport(simulation.kernel);
  return { ...report, benchmark: { ...benchmark, ns: undefined }, digest: storeDigest(store) };
};

/**
 * @param {Program} program
 * @param {object} [how]
 * @param {Store} [how.store]
 * @param {number} [how.blockSize]
 * @param {Partial<SimulationOptions>} [how.options]
 */
const run = async ({ baseDir, profile, rounds }, how = {}) => {
  const { store = makeMemoryStore(), blockSize = 200, options = {} } = how;
  const config = loadConfig({ baseDir });
  const simulation = await makeSimulation(config, { store, profile, cacheDir, ...options });
  let blocks = 0;
  await runRounds(simulation, { rounds, blockSize, onBlock: () => void (blocks += 1) });
  const outcome = outcomeOf(simulation, store);
  await simulation.close();
  return { outcome, blocks };
};

/**
 * Run the first `blocks` blocks, close, and go on from what is in the store.
 *
 * @param {Program} program
 * @param {object} how
 * @param {number} how.blocks
 * @param {number} how.blockSize
 * @param {(isNew: boolean) => Store} how.open
 * @param {Partial<SimulationOptions>} [how.options]
 */
const runStopped = async ({ baseDir, profile, rounds }, { blocks, blockSize, open, options }) => {
  const config = loadConfig({ baseDir });
  const first = await makeSimulation(config, { store: open(true), profile, cacheDir, ...options });
  let ran = 0;
  await runRounds(first, {
    rounds,
    blockSize,
    shouldStop: () => ran === blocks,
    onBlock: () => void (ran += 1),
  });
  await first.close();
  const store = open(false);
  const second = await makeSimulation(undefined, { store, resume: true, cacheDir, ...options });
  await runRounds(second, { blockSize });
  const outcome = outcomeOf(second, store);
  await second.close();
  return outcome;
};

/** A memory store that can be closed and opened again. */
const reopenable = () => {
  const store = makeMemoryStore();
  return () => ({ ...store, close: async () => {} });
};

/** @type {(dir: string) => (isNew: boolean) => Store} */
const onDisk = dir => isNew => openLmdbStore({ dir, durability: 'none', create: isNew });

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  const pingpong = { baseDir: demoDirectory('pingpong'), profile, rounds: 10 };

  test.serial(`${profile}: pingpong has the pinned activity hash`, async t => {
    const { outcome } = await run(pingpong);
    t.is(outcome.activityHash, pinned[profile]);
  });

  test.serial(
    `${profile}: blocks of 1, 2, 7 and 200 cranks, in memory and in LMDB, are one run`,
    async t => {
      const { outcome: expected } = await run(pingpong);
      const dir = temporaryDirectory(t);
      for (const blockSize of [1, 2, 7, 200]) {
        t.deepEqual(
          (await run(pingpong, { blockSize })).outcome,
          expected,
          `${blockSize} in memory`,
        );
        const store = onDisk(path.join(dir, `${blockSize}`))(true);
        t.deepEqual((await run(pingpong, { blockSize, store })).outcome, expected, `${blockSize}`);
      }
    },
  );

  test.serial(
    `${profile}: with the fallback of drain it is the same run, resumed with the other too`,
    async t => {
      const { outcome: expected } = await run(pingpong);
      const drain = await probeDrain({ force: 'immediate' });
      t.is(drain.kind, 'immediate');
      t.deepEqual((await run(pingpong, { options: { drain } })).outcome, expected);
      const open = reopenable();
      const config = loadConfig({ baseDir: pingpong.baseDir });
      const first = await makeSimulation(config, { store: open(), profile, cacheDir, drain });
      await runRounds(first, { rounds: 4 });
      await first.close();
      const store = open();
      const second = await makeSimulation(undefined, { store, resume: true, cacheDir });
      await runRounds(second, { rounds: 10 });
      t.is(second.activityHash(), expected.activityHash);
      await second.close();
    },
  );

  test.serial(
    `${profile}: stopped at every block and resumed, in LMDB, it is the same run`,
    async t => {
      const short = { ...pingpong, rounds: 3 };
      const dir = temporaryDirectory(t);
      const blockSize = 4;
      const { outcome: expected, blocks } = await run(short, { blockSize });
      t.true(blocks >= 9, `${blocks} blocks`);
      for (let stop = 0; stop <= blocks; stop += 1) {
        const open = onDisk(path.join(dir, `${stop}`));
        const outcome = await runStopped(short, { blocks: stop, blockSize, open });
        t.deepEqual(outcome, expected, `stopped after block ${stop}`);
      }
    },
  );
}

/** Programs with something to overlap and with promises of every kind under way. */
const twisted = [
  { name: 'promise-arrays', baseDir: programDirectory('promise-arrays') },
  { name: 'ring', baseDir: programDirectory('ring') },
  { name: 'conformance 012', baseDir: conformanceDirectory('012', 'current') },
  { name: 'conformance 048', baseDir: conformanceDirectory('048', 'current') },
  { name: 'conformance 060', baseDir: conformanceDirectory('060', 'current') },
];

for (const { name, baseDir } of twisted) {
  const program = { baseDir, profile: /** @type {const} */ ('current'), rounds: 0 };

  test.serial(`${name}: reordering transports do not change the run`, async t => {
    const { outcome: expected } = await run(program);
    let reordered = 0;
    for (let seed = 0; seed < 4; seed += 1) {
      const overlapping = makeOverlappingTransports(seed);
      const options = { lookahead: 16, wrapTransport: overlapping.wrap };
      const { outcome } = await run(program, { options, blockSize: [200, 5, 17, 3][seed] });
      t.deepEqual(outcome, expected, `seed ${seed}`);
      reordered += overlapping.counts.reordered;
    }
    t.true(reordered > 0, 'deliveries overtook each other');
  });

  test.serial(`${name}: stopping and resuming at every block does not change the run`, async t => {
    const { outcome: whole } = await run(program);
    const blockSize = Math.max(2, Math.ceil(whole.totalCranks / 25));
    const { outcome: expected, blocks } = await run(program, { blockSize });
    t.true(blocks >= 5, `${blocks} blocks`);
    for (let stop = 0; stop <= blocks; stop += 1) {
      const overlapping = makeOverlappingTransports(stop);
      const options = { lookahead: 16, wrapTransport: overlapping.wrap };
      const open = reopenable();
      const outcome = await runStopped(program, { blocks: stop, blockSize, open, options });
      t.deepEqual(outcome, expected, `stopped after block ${stop}`);
    }
  });
}

/**
 * A folder with one vat, whose state is then resumed with other source.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} before  methods of the root object
 * @param {string} after
 */
const resumeWithOtherSource = async (t, before, after) => {
  const dir = temporaryDirectory(t);
  const write = (/** @type {string} */ methods) =>
    fs.writeFileSync(
      path.join(dir, 'bootstrap.js'),
      `import { E, Far } from '@endo/far';
export const buildRootObject = () => {
  const root = Far('root', { bootstrap() { E(root).other(); return E(root).round(); }, other() {}, ${methods} });
  return root;
};\n`,
    );
  /** @param {Store} store */
  const start = store =>
    makeSimulation(loadConfig({ baseDir: dir }), { store, profile: 'current', cacheDir });
  write(before);
  const store = makeMemoryStore();
  const open = () => ({ ...store, close: async () => {} });
  const first = await start(open());
  first.queueToVatRoot('bootstrap', 'round');
  await first.run();
  await first.close();

  // The sources are in the state: to change them, somebody must put others there.
  write(after);
  const changed = makeMemoryStore();
  const other = await start(changed);
  await other.commit();
  const bundles = (/** @type {Store} */ from) => [...from.entries('host.bundle.')];
  const [[key]] = bundles(store);
  const [[, bundle]] = bundles(changed);
  store.commit({ puts: new Map([[key, bundle]]) });
  await other.close();
  return makeSimulation(undefined, { store: open(), resume: true, cacheDir });
};

test.serial(
  'an error for a vat that replays differently names the vat and its delivery',
  async t => {
    await t.throwsAsync(
      resumeWithOtherSource(t, `round() { return 1; }`, `round() { return 2; }`),
      {
        name: 'UserError',
        message:
          /^vat bootstrap does not replay: in its delivery \d+ \(message, at 0ns\.\d+\), syscall 1, "resolve p[-+]\d+", has other data than in the transcript; resume with the sources and the engine that the run began with, end this vat alone with --end-diverging, or start anew with --init$/,
      },
    );
  },
);

test.serial('a vat with more or fewer syscalls than in its transcript does not replay', async t => {
  const silent = `round() { return new Promise(() => {}); }`;
  const loud = `round() { return 1; }`;
  await t.throwsAsync(resumeWithOtherSource(t, silent, loud), {
    message: /syscall 1 is "resolve .*", the transcript has "nothing";/,
  });
  await t.throwsAsync(resumeWithOtherSource(t, loud, silent), {
    message: /syscall 1 is "nothing", the transcript has "resolve /,
  });
});

test.serial('a vat with other source and the same behaviour resumes', async t => {
  const simulation = await resumeWithOtherSource(
    t,
    `round() { return 1; }`,
    `round() { return 2 - 1; }`,
  );
  t.true(simulation.isQuiet);
  await simulation.close();
});
