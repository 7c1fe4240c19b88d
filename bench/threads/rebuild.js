// The end of a worker thread: the time until its vats are restored on a new one. Runs in a process
// of its own. Started by suite.js.

import { fileURLToPath } from 'node:url';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation, runRounds } from '#host';
import { answer } from '../process.js';

/** Rounds that determine the usual time. */
const usualRounds = 20;

/**
 * @typedef {object} RebuildResult
 * @property {number} ms  from the end of the thread to the end of the next round, minus the time of
 *   a usual round
 * @property {number} cranks  of the thread's vats until then
 */

/** @param {{ rounds: number }} options @returns {Promise<RebuildResult>} */
const run = async ({ rounds }) => {
  const baseDir = fileURLToPath(new URL('../../demos/pingpong', import.meta.url));
  const config = loadConfig({ baseDir });
  for (const vat of Object.values(config.vats)) vat.creationOptions = { managerType: 'worker' };
  const simulation = await makeSimulation(config, {
    ...{ store: makeMemoryStore(), cacheDir: defaultCacheDir(), engineFlags: 'speed', workers: 1 },
  });
  await runRounds(simulation, { rounds });
  const usualMs = performance.now();
  await runRounds(simulation, { rounds: rounds + usualRounds });
  const fromMs = performance.now();
  const [{ cranks }] = simulation.workers();
  await simulation.killWorker(1);
  await runRounds(simulation, { rounds: rounds + usualRounds + 1 });
  const ms = performance.now() - fromMs - (fromMs - usualMs) / usualRounds;
  await simulation.close();
  return { ms, cranks };
};

await answer(run);
