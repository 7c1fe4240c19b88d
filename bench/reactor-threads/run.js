// A program of reactors over vats, in a process of its own, in memory, with worker threads or without. Started by suite.js.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { answer } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {string} program  a config, from the project's root
 * @property {Record<string, number>} parameters  of all its vats, beside their own
 * @property {number} workers
 */

/**
 * @typedef {object} RunResult
 * @property {number} ms  wall time from the first crank after the start of the vats to the last
 *   one, including commits
 * @property {number} processorMs  of all threads
 * @property {string} activityHash
 */

/** @param {RunOptions} options @returns {Promise<RunResult>} */
const run = async ({ program, parameters, workers }) => {
  const configFile = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const config = loadConfig({ configFile });
  for (const vat of Object.values(config.vats))
    vat.parameters = { .../** @type {object} */ (vat.parameters), ...parameters };
  /** @type {string[]} */
  const errors = [];
  const simulation = await makeSimulation(config, {
    store: makeMemoryStore(),
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
    workers,
    observer: { onConsole: () => {}, onVatError: (vat, error) => errors.push(`${vat}: ${error}`) },
  });
  const processor = process.cpuUsage();
  const fromMs = performance.now();
  await simulation.run({ blockSize: 100_000 });
  const ms = performance.now() - fromMs;
  const { user, system } = process.cpuUsage(processor);
  const activityHash = simulation.activityHash();
  await simulation.close();
  if (errors.length > 0) throw Error(errors[0]);
  return { ms, processorMs: (user + system) / 1_000, activityHash };
};

await answer(run);
