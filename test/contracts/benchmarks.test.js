// The swap and exchange demos: what a round costs is pinned, the same in every round from the second on (I7, I10), and
// the same however they are run.

import os from 'node:os';
import path from 'node:path';

import test from 'ava';

import { loadConfig, makeReport, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

import { demoDirectory } from '../compare/load.js';
import { compareWays } from '../compare/ways.js';

/** @typedef {import('#host').Simulation} Simulation */

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const profiles = /** @type {const} */ (['current', '2020-09']);
/** With `SIMULATOR_RUNS=51` or more, as for the simulator, the longer tests run too. */
const isLong = Number(process.env.SIMULATOR_RUNS ?? 0) > 50;

const demos = /** @type {const} */ (['exchange', 'swap']);

/** Counters of a round, from the second on. In 2020 a round took 161 and 243 cranks. */
const perRound = {
  'current exchange': { cranks: 157, syscallSend: 73, syscallResolve: 81, kpUnresolved: 0 },
  '2020-09 exchange': { cranks: 157, syscallSend: 73, syscallReject: 0, kpUnresolved: 0 },
  'current swap': { cranks: 179, syscallSend: 87, syscallResolve: 97, kpUnresolved: 0 },
  '2020-09 swap': { cranks: 183, syscallSend: 87, syscallReject: 2, kpUnresolved: 0 },
};

/** @param {Simulation} simulation @returns {Record<string, number>} */
const countAll = simulation => ({
  cranks: simulation.cranks.all - simulation.cranks.control,
  ...Object.fromEntries(
    Object.entries(simulation.counters.toRecord()).map(([name, { value }]) => [name, value]),
  ),
});

/** @typedef {Record<string, number>} Counts */

/** @param {Counts} after @param {Counts} before @returns {Counts} */
const minus = (after, before) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));

for (const profile of profiles) {
  for (const demo of demos) {
    const key = /** @type {keyof typeof perRound} */ (`${profile} ${demo}`);

    test.serial(`${key}: every round from the second on counts the same`, async t => {
      /** @type {string[]} */
      const said = [];
      const simulation = await makeSimulation(loadConfig({ baseDir: demoDirectory(demo) }), {
        store: makeMemoryStore(),
        profile,
        cacheDir,
        observer: { onConsole: (_vatName, _level, text) => void said.push(text) },
      });
      await simulation.run();
      /** @type {Counts[]} */
      const rounds = [];
      let before = countAll(simulation);
      for (let round = 0; round < 6; round += 1) {
        const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
        await simulation.run();
        t.is(simulation.status(result).state, 'data');
        simulation.release(result);
        t.is(simulation.counters.toRecord().runQueueLength.value, 0);
        const after = countAll(simulation);
        rounds.push(minus(after, before));
        before = after;
      }
      await simulation.close();
      // The result of a round is let go of in the next one.
      for (const round of rounds.slice(2)) t.deepEqual(round, rounds[1]);
      const pinned = Object.entries(perRound[key]).map(([name]) => [name, rounds[1][name]]);
      t.deepEqual(Object.fromEntries(pinned), perRound[key]);
      // I7: what a round changed, it has changed back.
      const ofRound = said.slice(0, 8);
      t.is(said.length, 48);
      said.forEach((line, i) => t.is(line, ofRound[i % 8]));
      t.is(ofRound[0], 'alice before the trade: 3 moola, 0 simoleans');
      t.is(ofRound[7], 'bob after the trade: 0 moola, 3 simoleans');
    });

    test.serial(`${key}: in blocks of any size, in LMDB and resumed, it is one run`, async t => {
      t.timeout(120_000);
      const program = { directory: demoDirectory(demo), profile, rounds: 1 };
      t.deepEqual(await compareWays(program, { resumeEvery: isLong ? 2 : 9 }), []);
    });
  }
}

for (const demo of demos) {
  test.serial(`${demo}: stopped at a block and resumed, in LMDB, it is the same run`, async t => {
    t.timeout(120_000);
    const root = temporaryDirectory(t, 'contracts-test');
    const config = loadConfig({ baseDir: demoDirectory(demo) });
    const blockSize = 23;
    const wanted = { rounds: 2, blockSize };
    /** @param {string} name @param {boolean} create */
    const open = (name, create) =>
      openLmdbStore({ dir: path.join(root, name), durability: 'none', create });
    /** @param {Simulation} simulation @param {import('#store').Store} store */
    const outcomeOf = (simulation, store) => {
      const { ns: _ns, machine: _machine, benchmark, ...report } = makeReport(simulation.kernel);
      return { ...report, rounds: benchmark?.rounds, digest: storeDigest(store) };
    };
    const store = open('whole', true);
    const whole = await makeSimulation(config, { store, cacheDir });
    let blocks = 0;
    await runRounds(whole, { ...wanted, onBlock: () => void (blocks += 1) });
    const expected = outcomeOf(whole, store);
    await whole.close();
    t.true(blocks > 16, `${blocks} blocks`);
    // In setup and rounds, and where one ends.
    for (let stop = 0; stop < blocks; stop += isLong ? 1 : 4) {
      const first = await makeSimulation(config, { store: open(`${stop}`, true), cacheDir });
      let ran = 0;
      await runRounds(first, {
        ...wanted,
        shouldStop: () => ran === stop,
        onBlock: () => void (ran += 1),
      });
      await first.close();
      const again = open(`${stop}`, false);
      const second = await makeSimulation(undefined, { store: again, resume: true, cacheDir });
      await runRounds(second, { blockSize });
      t.deepEqual(outcomeOf(second, again), expected, `stopped after block ${stop}`);
      await second.close();
    }
  });

  const { grown, watched } = {
    exchange: { grown: 130, watched: 25 },
    swap: { grown: 13, watched: 40 },
  }[demo];
  const testGrowth = grown > 50 && !isLong ? test.skip : test.serial;
  testGrowth(`${demo}: what rounds leave behind is collected, and does not grow (I9)`, async t => {
    t.timeout(120_000);
    const config = { ...loadConfig({ baseDir: demoDirectory(demo) }), defaultReapInterval: 100 };
    const simulation = await makeSimulation(config, { store: makeMemoryStore(), cacheDir });
    /** The most of each that there is after a round, in rounds up to this one. */
    const most = async (/** @type {number} */ upTo) => {
      const most = { kernelObjects: 0, clistEntries: 0, kernelPromises: 0 };
      for (let round = upTo - watched + 1; round <= upTo; round += 1) {
        await runRounds(simulation, { rounds: round });
        const counts = countAll(simulation);
        for (const name of /** @type {(keyof typeof most)[]} */ (Object.keys(most)))
          most[name] = Math.max(most[name], counts[name]);
      }
      return most;
    };
    await runRounds(simulation, { rounds: grown });
    const [second, third] = [await most(grown + watched), await most(grown + 2 * watched)];
    // Each vat is collected at its own time, so that a few entries more or less are of no matter.
    t.true(third.kernelObjects <= second.kernelObjects * 1.02, `${third.kernelObjects} objects`);
    t.true(third.clistEntries <= second.clistEntries * 1.02, `${third.clistEntries} entries`);
    t.true(third.kernelPromises <= second.kernelPromises);
    await simulation.close();
  });

  test.serial(`${demo}: with --prime, the first measured round is as any other`, async t => {
    const directory = demoDirectory(demo);
    const simulation = await makeSimulation(loadConfig({ baseDir: directory, argv: ['--prime'] }), {
      store: makeMemoryStore(),
      cacheDir,
    });
    await simulation.run();
    const before = simulation.cranks.all - simulation.cranks.control;
    const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
    await simulation.run();
    t.regex(simulation.status(result).data?.body ?? '', /round 2 complete/);
    const cranks = simulation.cranks.all - simulation.cranks.control - before;
    t.is(cranks, { exchange: 157, swap: 179 }[demo]);
    await simulation.close();
  });
}
