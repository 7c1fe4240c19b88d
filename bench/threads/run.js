// Rounds of a program in a process of its own, in memory, with worker threads or without. Started by suite.js.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation, runRounds } from '#host';
import { answer } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {string} program  a folder, from the project's root
 * @property {string[]} argv
 * @property {number | 'auto'} workers
 * @property {number} warmup  rounds that do not count
 * @property {number} rounds
 */

/**
 * @typedef {object} RunResult
 * @property {number} roundUs  wall time, commits included
 * @property {number} processorUs  of all threads, per round
 * @property {number} cranks  of the rounds that count, per round
 * @property {string} activityHash
 * @property {number} moves  of vats between threads, including those that were undone
 */

/** @param {RunOptions} options @returns {Promise<RunResult>} */
const run = async ({ program, argv, workers, warmup, rounds }) => {
  const baseDir = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const simulation = await makeSimulation(loadConfig({ baseDir, argv }), {
    store: makeMemoryStore(),
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
    workers,
  });
  await runRounds(simulation, { rounds: warmup });
  const before = simulation.cranks.all;
  const processor = process.cpuUsage();
  const fromMs = performance.now();
  await runRounds(simulation, { rounds: warmup + rounds });
  const roundUs = ((performance.now() - fromMs) * 1_000) / rounds;
  const { user, system } = process.cpuUsage(processor);
  const cranks = (simulation.cranks.all - before) / rounds;
  const activityHash = simulation.activityHash();
  const moves = simulation.placement()?.moves ?? 0;
  await simulation.close();
  return { roundUs, processorUs: (user + system) / rounds, cranks, activityHash, moves };
};

await answer(run);
