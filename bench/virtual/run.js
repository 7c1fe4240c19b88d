// A vat with a large virtual collection and many durable objects, on disk, in a process of its own. Started by suite.js.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, loadConfig, makeSimulation, openLmdbStore } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {number} entries  of the collection
 * @property {number} objects  of the durable kind
 * @property {number} inCrank  entries or objects handled per crank
 */

/**
 * @typedef {object} RunResult
 * @property {number} initUs
 * @property {number} getUs
 * @property {number} setUs
 * @property {number} memoryMb  of the heap and its external memory, with the collection full
 * @property {number} makeUs
 * @property {number} callUs
 * @property {number} upgradeMs  from the message to the answer, after the bundle is read
 * @property {string} activityHash
 */

const vats = fileURLToPath(new URL('fixtures', import.meta.url));

/** The number of entries that are read and written again. */
const mostTouched = 100_000;

/**
 * @param {string} dir  empty
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
const run = async (dir, { entries, objects, inCrank }) => {
  const store = openLmdbStore({ dir: join(dir, 'state'), durability: 'none', create: true });
  const simulation = await makeSimulation(loadConfig({ baseDir: vats }), {
    store,
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
  });
  await simulation.run();

  /** @param {string} method @param {unknown[]} args */
  const tell = async (method, ...args) => {
    const result = simulation.queueToVatRoot('bootstrap', method, args);
    await simulation.run();
    const { state, data } = simulation.status(result);
    if (state !== 'data') throw Error(`${method} gave ${data?.body}`);
    simulation.release(result);
  };

  /** @param {string} method @param {number} total @param {number} [step]  from one key to the next */
  const measure = async (method, total, step = 1) => {
    const startMs = performance.now();
    for (let from = 0; from < total; from += inCrank)
      await tell('work', method, from * step, Math.min(inCrank, total - from), step);
    return ((performance.now() - startMs) * 1_000) / total;
  };

  const initUs = await measure('init', entries);
  const { heapUsed, external } = process.memoryUsage();
  const touched = Math.min(entries, mostTouched);
  const step = Math.floor(entries / touched);
  const getUs = await measure('get', touched, step);
  const setUs = await measure('set', touched, step);
  const makeUs = await measure('make', objects);
  const callUs = await measure('call', objects);
  // The first one reads and compiles the bundle.
  await tell('upgrade');
  const startMs = performance.now();
  await tell('upgrade');
  const upgradeMs = performance.now() - startMs;
  const activityHash = simulation.activityHash();
  await simulation.close();
  const memoryMb = (heapUsed + external) / 1_000_000;
  return { initUs, getUs, setUs, memoryMb, makeUs, callUs, upgradeMs, activityHash };
};

await answer(options =>
  withTemporaryFolder('virtual', dir => run(dir, /** @type {RunOptions} */ (options))),
);
