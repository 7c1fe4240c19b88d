// Rounds of demos/pingpong with or without a slog, in separate processes, since the code compiled
// for one would slow down the other. Started by suite.js; alone, with the options as JSON, it
// serves a profiler:
//
//   node --cpu-prof bench/slog/run.js '{"hasSlog":true,"warmup":3000,"batches":100,"batch":100}'

import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  makeSlog,
  openClock,
  runRounds,
} from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {boolean} hasSlog
 * @property {number} warmup  rounds that do not count
 * @property {number} batches
 * @property {number} batch  rounds of a batch
 */

/**
 * @typedef {object} RunResult
 * @property {number[]} crankNs  wall time of a crank with its part of the commits, one value per
 *   batch
 * @property {number} bytesPerCrank  of the slog; 0 without one
 * @property {string} activityHash
 */

const demo = fileURLToPath(new URL('../../demos/pingpong', import.meta.url));

/** More cranks than a round has, so that a block is a round. */
const blockSize = 250;

const nsPerMs = 1_000_000;

/**
 * @param {string} dir  empty
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
const run = async (dir, { hasSlog, warmup, batches, batch }) => {
  const file = join(dir, 'slog.jsonl');
  const fd = fs.openSync(file, 'w');
  const clock = await openClock();
  const slog = makeSlog({ write: lines => void fs.writeSync(fd, lines), clock });
  const simulation = await makeSimulation(loadConfig({ baseDir: demo }), {
    store: makeMemoryStore(),
    engineFlags: 'speed',
    cacheDir: defaultCacheDir(),
    ...(hasSlog && { crankObserver: slog.crankObserver, onKernel: slog.begin }),
  });
  let rounds = warmup;
  await runRounds(simulation, { rounds, blockSize });
  /** @type {number[]} */
  const crankNs = [];
  for (let i = 0; i < batches; i += 1) {
    const before = simulation.cranks.all;
    const startMs = performance.now();
    rounds += batch;
    await runRounds(simulation, { rounds, blockSize });
    crankNs.push(((performance.now() - startMs) * nsPerMs) / (simulation.cranks.all - before));
  }
  slog.flush();
  fs.closeSync(fd);
  const activityHash = simulation.activityHash();
  const bytesPerCrank = fs.statSync(file).size / simulation.cranks.all;
  await simulation.close();
  return { crankNs, bytesPerCrank, activityHash };
};

await answer(options =>
  withTemporaryFolder('slog', dir => run(dir, /** @type {RunOptions} */ (options))),
);
