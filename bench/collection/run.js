// Rounds of demos/exchange, with vats asked for their dead references at a given interval. It runs
// in a process of its own, since the size of the heap determines the cost of a collection. Started
// by suite.js.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, loadConfig, makeSimulation, openLmdbStore, runRounds } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {number | 'never' | undefined} interval  deliveries; undefined for the default of
 *   configs
 * @property {number} warmup  rounds that do not count
 * @property {number} rounds
 */

/**
 * @typedef {object} RunResult
 * @property {number} roundMs  the mean, commits and collections included
 * @property {number} gcMs  the part of it in full collections of the engine
 * @property {number} collections  of the engine's
 * @property {number} mostObjects  of the kernel, the maximum over all rounds
 * @property {string} activityHash
 */

const demo = fileURLToPath(new URL('../../demos/exchange', import.meta.url));

/** More cranks than a round has, so that a block is a round. */
const blockSize = 250;

const nsPerMs = 1_000_000;

/**
 * @param {string} dir  empty
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
const run = async (dir, { interval, warmup, rounds }) => {
  const config = loadConfig({ baseDir: demo });
  // On disk, so that transcripts, which grow with every crank, are not in the heap.
  const store = openLmdbStore({ dir: join(dir, 'state'), durability: 'none', create: true });
  const simulation = await makeSimulation(
    { ...config, ...(interval !== undefined && { defaultReapInterval: interval }) },
    { store, cacheDir: defaultCacheDir(), engineFlags: 'speed' },
  );
  let mostObjects = 0;
  let reaps = { count: 0, ns: 0 };
  /**
   * @param {unknown} _taken
   * @param {{ reaps: { count: number, ns: number } }} progress
   */
  const onBlock = (_taken, progress) => {
    mostObjects = Math.max(mostObjects, simulation.counters.toRecord().kernelObjects.value);
    reaps = { ...progress.reaps };
  };
  await runRounds(simulation, { rounds: warmup, blockSize, onBlock });
  const before = reaps;
  const startMs = performance.now();
  await runRounds(simulation, { rounds: warmup + rounds, blockSize, onBlock });
  const roundMs = (performance.now() - startMs) / rounds;
  const collections = reaps.count - before.count;
  const gcMs = (reaps.ns - before.ns) / nsPerMs / rounds;
  const activityHash = simulation.activityHash();
  await simulation.close();
  return { roundMs, gcMs, collections, mostObjects, activityHash };
};

await answer(options =>
  withTemporaryFolder('collection', dir => run(dir, /** @type {RunOptions} */ (options))),
);
