// Rounds of a demo in a process of its own, in memory, one block per round. Started by suite.js.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeReport,
  makeSimulation,
  runRounds,
} from '#host';
import { answer } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {string} demo  a folder, from the project's root
 * @property {number} warmup  rounds that do not count
 * @property {number} rounds
 */

/**
 * @typedef {object} RunResult
 * @property {number[]} roundUs  of each round, including its commit
 * @property {number} processorUs  of all threads, per round
 * @property {string} activityHash
 */

/** @param {RunOptions} options @returns {Promise<RunResult>} */
const run = async ({ demo, warmup, rounds }) => {
  const baseDir = fileURLToPath(new URL(`../../${demo}`, import.meta.url));
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
  });
  /** @type {number[]} */
  const roundUs = [];
  let sinceMs = 0;
  const onBlock = () => {
    const nowMs = performance.now();
    roundUs.push((nowMs - sinceMs) * 1_000);
    sinceMs = nowMs;
  };
  // More cranks than a round has, so that a block is a round.
  const blockSize = 250;
  await runRounds(simulation, { rounds: warmup, blockSize });
  const before = process.cpuUsage();
  sinceMs = performance.now();
  await runRounds(simulation, { rounds: warmup + rounds, blockSize, onBlock });
  const { user, system } = process.cpuUsage(before);
  const activityHash = simulation.activityHash();
  const failed = makeReport(simulation.kernel).benchmark?.results.find(
    text => !text.startsWith('fulfilled'),
  );
  if (failed !== undefined) throw Error(`a round of ${demo} has failed: ${failed}`);
  await simulation.close();
  return { roundUs, processorUs: (user + system) / rounds, activityHash };
};

await answer(run);
