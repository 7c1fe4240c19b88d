// Rounds, their results and their report, and that a run that was stopped at any block ends as one that ran through.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { ByteReader } from '#model';
import {
  isFinished,
  loadConfig,
  makeReport,
  makeSimulation,
  openLmdbStore,
  readProgress,
  readStoredReport,
  runRounds,
  runSome,
} from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { Store } from '#store' */

const demos = path.join(import.meta.dirname, '../../../demos');
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/**
 * A folder of vats.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} source  of `bootstrap.js`, its root's methods
 */
const makeProgram = (t, source) => {
  const dir = temporaryDirectory(t);
  const text = `import { Far } from '@endo/far';
export const buildRootObject = () => { let n = 0; return Far('root', { bootstrap() {}, ${source} }); };\n`;
  fs.writeFileSync(path.join(dir, 'bootstrap.js'), text);
  return dir;
};

/** @param {string} baseDir @param {Store} store @param {boolean} [resume] */
const open = (baseDir, store, resume = false) =>
  makeSimulation(loadConfig({ baseDir }), { store, resume, cacheDir });

/**
 * @param {string} baseDir
 * @param {number} [rounds]
 */
const runInMemory = async (baseDir, rounds) => {
  const simulation = await open(baseDir, makeMemoryStore());
  await runRounds(simulation, { ...(rounds !== undefined && { rounds }) });
  await simulation.close();
  return simulation;
};

/** The results that may not depend on when a run was stopped. @param {ReturnType<typeof makeReport>} report */
const withoutTimes = ({
  ns: _ns,
  machine: _machine,
  forcedCollections: _forced,
  reapCollections: _reaps,
  benchmark,
  ...report
}) => ({
  ...report,
  benchmark: benchmark && { ...benchmark, ns: undefined },
});

test('a round of pingpong is 7 cranks with 11 syscalls, and the last result stays', async t => {
  const { kernel } = await runInMemory(path.join(demos, 'pingpong'), 10);
  const { cranks, totalCranks, benchmark } = makeReport(kernel);
  t.is(cranks, 11);
  t.is(totalCranks, 81);
  t.is(benchmark?.rounds, 10);
  t.is(benchmark?.cranks, 70);
  const { syscalls, syscallSend, kernelPromises, kernelObjects } = benchmark?.delta ?? {};
  t.deepEqual([syscalls, syscallSend, kernelPromises, kernelObjects], [110, 40, 1, 0]);
  t.deepEqual(benchmark?.results, Array(10).fill(benchmark?.results[0]));
});

test('without a number there are 100 rounds if bootstrap has a method for them, else none', async t => {
  const pingpong = await runInMemory(path.join(demos, 'pingpong'));
  t.is(readProgress(pingpong.kernel).done, 100);
  const { kernel } = await runInMemory(path.join(demos, 'justReply'));
  t.is(readProgress(kernel).done, 0);
  t.true(isFinished(readProgress(kernel)));
  t.false('benchmark' in makeReport(kernel));
});

test('rounds that are asked for need the method', async t => {
  await t.throwsAsync(runInMemory(path.join(demos, 'justReply'), 3), {
    name: 'UserError',
    message: /vat "bootstrap" has no method runBenchmarkRound\(\).*leave --benchmark out/,
  });
});

test('results are kept round by round, and equal ones take no room', async t => {
  const dir = makeProgram(
    t,
    `runBenchmarkRound() {
      n += 1;
      if (n === 3) throw Error('third');
      if (n === 5) return new Promise(() => {});
      return n < 5 ? 'early' : 'late';
    }`,
  );
  const { kernel } = await runInMemory(dir, 8);
  const results = makeReport(kernel).benchmark?.results ?? [];
  const early = 'fulfilled: {"body":"#\\"early\\"","slots":[]}';
  const late = 'fulfilled: {"body":"#\\"late\\"","slots":[]}';
  t.deepEqual(results.slice(0, 2), [early, early]);
  t.regex(results[2], /^rejected: .*third/);
  t.deepEqual(results.slice(3), [early, 'did not finish', late, late, late]);
  const reader = new ByteReader(kernel.readHostStream('host.results'));
  const from = [];
  for (; !reader.done; reader.text()) from.push(reader.varint());
  t.deepEqual(from, [0, 2, 3, 4, 5]);
});

for (const [name, rounds] of /** @type {[string, number][]} */ ([
  ['pingpong', 4],
  ['promiseChainBenchmark', 3],
])) {
  test(`${name}, stopped at any block and resumed, ends as if it had run through`, async t => {
    const baseDir = path.join(demos, name);
    const dir = temporaryDirectory(t);
    const through = openLmdbStore({ dir: `${dir}/through`, durability: 'none', create: true });
    const simulation = await open(baseDir, through);
    const blockSize = 3;
    let blocks = 0;
    await runRounds(simulation, { rounds, blockSize, onBlock: () => void (blocks += 1) });
    const expected = {
      report: withoutTimes(makeReport(simulation.kernel)),
      digest: storeDigest(through),
    };
    await simulation.close();
    t.true(blocks > 8);

    for (let stopAfter = 0; stopAfter < blocks; stopAfter += 1) {
      const place = { dir: `${dir}/${stopAfter}`, durability: /** @type {const} */ ('none') };
      const first = await open(baseDir, openLmdbStore({ ...place, create: true }));
      let ran = 0;
      const outcome = await runRounds(first, {
        rounds,
        blockSize,
        shouldStop: () => ran === stopAfter,
        onBlock: () => void (ran += 1),
      });
      t.is(outcome, 'stopped');
      t.false(isFinished(readProgress(first.kernel)));
      await first.close();

      const store = openLmdbStore({ ...place, create: false });
      const second = await open(baseDir, store, true);
      t.is(await runRounds(second, { blockSize }), 'finished');
      t.deepEqual(withoutTimes(makeReport(second.kernel)), expected.report, `block ${stopAfter}`);
      t.is(storeDigest(store), expected.digest, `block ${stopAfter}`);
      t.is(readProgress(second.kernel).blocks, blocks);
      await second.close();
    }
  });
}

test('more rounds of a finished run end as if all had been asked for at once', async t => {
  const baseDir = path.join(demos, 'pingpong');
  const dir = temporaryDirectory(t);
  const at = (/** @type {string} */ name, /** @type {boolean} */ create) =>
    openLmdbStore({ dir: path.join(dir, name), durability: 'none', create });
  const once = await open(baseDir, at('once', true));
  await runRounds(once, { rounds: 5 });
  const hash = once.activityHash();
  await once.close();

  const first = await open(baseDir, at('twice', true));
  await runRounds(first, { rounds: 2 });
  await first.close();
  const second = await open(baseDir, at('twice', false), true);
  await t.throwsAsync(runRounds(second, { rounds: 1 }), {
    name: 'UserError',
    message: /has done 2 rounds already, more than --benchmark 1/,
  });
  await runRounds(second, { rounds: 5 });
  t.is(second.activityHash(), hash);
  await second.close();
  const [left, right] = [at('once', false), at('twice', false)];
  t.is(storeDigest(left), storeDigest(right));
  await left.close();
  await right.close();
});

test('single cranks, then the rest, give the same run', async t => {
  const baseDir = path.join(demos, 'pingpong');
  const whole = await runInMemory(baseDir, 2);
  const simulation = await open(baseDir, makeMemoryStore());
  t.is(await runSome(simulation, { maxCranks: 1 }), 1);
  t.is(await runSome(simulation, { maxCranks: 4 }), 4);
  await runRounds(simulation, { rounds: 2 });
  await simulation.close();
  t.deepEqual(withoutTimes(makeReport(simulation.kernel)), withoutTimes(makeReport(whole.kernel)));
});

test('a block reports its cranks and times without collections', async t => {
  const simulation = await open(path.join(demos, 'pingpong'), makeMemoryStore());
  /** @type {number[]} */
  const steps = [];
  let total = 0;
  await runRounds(simulation, {
    rounds: 1,
    forceGc: 'crank',
    onBlock(taken, { blocks }) {
      steps.push(taken.steps);
      total += taken.btimeNs;
      t.true(taken.ctimeNs > 0 && taken.ctimeNs < taken.btimeNs);
      t.is(blocks, steps.length);
    },
  });
  t.deepEqual(steps, [14, 7]);
  const { ns = 0 } = makeReport(simulation.kernel);
  t.true(ns >= total * 0.99);
  await simulation.close();
});

test('forced collections are counted, also by a database that a run was resumed from', async t => {
  const place = { dir: temporaryDirectory(t), durability: /** @type {const} */ ('none') };
  const demo = path.join(demos, 'pingpong');
  const first = await open(demo, openLmdbStore({ ...place, create: true }));
  await runRounds(first, { rounds: 3, forceGc: 'block' });
  await first.close();
  const store = openLmdbStore({ ...place, create: false });
  const resumed = await open(demo, store, true);
  await runRounds(resumed, { rounds: 5, forceGc: 'block' });
  const { forcedCollections, reapCollections } = makeReport(resumed.kernel);
  // A block of setup, and one for each round.
  t.is(forcedCollections?.count, 6);
  t.true((forcedCollections?.ns ?? 0) > 0);
  t.is(reapCollections, undefined);
  t.deepEqual(readStoredReport(store).forcedCollections, forcedCollections);
  await resumed.close();
});

test('collections inside bringOutYourDead are counted', async t => {
  const dir = makeProgram(t, 'runBenchmarkRound() { n += 1; },');
  const vat = { sourceSpec: 'bootstrap.js', creationOptions: { reapInterval: 1 } };
  const vats = { bootstrap: vat, other: vat };
  fs.writeFileSync(
    path.join(dir, 'swingset.json'),
    JSON.stringify({ bootstrap: 'bootstrap', vats }),
  );
  const simulation = await open(dir, makeMemoryStore());
  await runRounds(simulation, { rounds: 4 });
  const { reapCollections, forcedCollections, benchmark } = makeReport(simulation.kernel);
  // Both starts together, the bootstrap, and each round.
  t.is(reapCollections?.count, 6);
  t.true((reapCollections?.ns ?? 0) > 0);
  t.is(forcedCollections, undefined);
  t.true((benchmark?.controlCranks ?? 0) >= 4);
  await simulation.close();
});

test('without a commit for each block there is one at the end', async t => {
  const memory = makeMemoryStore();
  let commits = 0;
  const store = {
    ...memory,
    commit: (/** @type {any} */ batch) => (commits += 1) && memory.commit(batch),
  };
  const simulation = await open(path.join(demos, 'pingpong'), /** @type {any} */ (store));
  await runRounds(simulation, { rounds: 3, commitsBlocks: false, commitsAtEnd: false });
  t.is(commits, 0);
  await runRounds(simulation, { rounds: 4, commitsBlocks: false });
  t.is(commits, 1);
  const whole = await runInMemory(path.join(demos, 'pingpong'), 4);
  t.is(simulation.activityHash(), whole.activityHash());
  await simulation.close();
});

test('a store holds the report of its run', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  const simulation = await open(path.join(demos, 'pingpong'), store);
  await runRounds(simulation, { rounds: 3 });
  const { machine: _, ...report } = makeReport(simulation.kernel);
  await simulation.close();
  const again = openLmdbStore({ dir, durability: 'none', create: false });
  t.deepEqual(readStoredReport(again), report);
  await again.close();
  t.throws(() => readStoredReport(makeMemoryStore()), { message: 'the database holds no run' });
});
