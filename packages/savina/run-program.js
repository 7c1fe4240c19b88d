// Runs one program in a process of its own, for all iterations: as a library, in one vat or in
// several. Started by measure.js. In all modes an iteration lasts from the runner's start signal to
// the program's end signal; checks come after that.

import { performance } from 'node:perf_hooks';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} RunOptions
 * @property {string} program
 * @property {import('./measure.js').Mode} mode
 * @property {number} threads
 * @property {number} iterations
 * @property {Record<string, number>} [parameters]  replace the program's own
 */

/** @typedef {{ ms: number[], results: string[], peakMb: number, error?: string }} RunAnswer */

const folder = fileURLToPath(new URL('../../demos/savina/', import.meta.url));

const makeClock = () => {
  /** @type {number[]} */
  const ms = [];
  /** @type {string[]} */
  const results = [];
  let start = 0;
  /** @param {string} event @param {string} [text] */
  const tell = (event, text) => {
    if (event === 'starts') start = performance.now();
    else if (event === 'ends') ms.push(performance.now() - start);
    else if (event === 'result') results.push(`${text}`);
  };
  return { ms, results, tell };
};

/** Parameters of the config that define a vat's part of the program; the others are the demo's sizes. */
const partNames = ['part', 'slice', 'of', 'shares', 'before', 'half', 'isApart'];

/** @param {RunOptions} options @param {ReturnType<typeof makeClock>} clock */
const runLibrary = async ({ program, iterations, parameters }, { tell }) => {
  const { runFast } = await import('#reactor');
  const { makeMain } = await import(path.join(folder, program, `${program}.js`));
  runFast(
    makeMain({
      ...parameters,
      iterations,
      tell: (/** @type {{ event: string, text?: string }} */ { event, text }) => tell(event, text),
    }),
  );
};

/** @param {RunOptions} options @param {ReturnType<typeof makeClock>} clock */
const runVats = async ({ program, mode, threads, iterations, parameters }, { tell }) => {
  const { loadConfig } = await import('#config');
  const { defaultCacheDir, makeMemoryStore, makeSimulation } = await import('#host');
  const config = loadConfig({
    configFile: path.join(folder, program, mode === 'vat' ? 'swingset.json' : 'vats.json'),
  });
  for (const vat of Object.values(config.vats)) {
    const own = Object.entries(vat.parameters ?? {}).filter(([name]) => partNames.includes(name));
    vat.parameters = { ...Object.fromEntries(own), ...parameters, iterations };
  }
  /** @type {string[]} */
  const errors = [];
  const simulation = await makeSimulation(config, {
    store: makeMemoryStore(),
    engineFlags: 'speed',
    cacheDir: defaultCacheDir(),
    // The kernel's own thread also runs vats while it waits.
    ...(threads > 1 && { workers: threads - 1 }),
    observer: {
      onConsole: (/** @type {string} */ _vat, /** @type {string} */ _level, text) => {
        const [, event, result] = /^iteration \d+ (starts|ends|computed (.*))$/.exec(text) ?? [];
        if (event !== undefined) tell(result === undefined ? event : 'result', result);
      },
      onVatError: (vat, error) => void errors.push(`vat ${vat}: ${error.message}`),
    },
  });
  await simulation.run({ blockSize: 100_000 });
  await simulation.close();
  if (errors.length > 0) throw Error(errors[0]);
};

/** @param {RunOptions} options @returns {Promise<RunAnswer>} */
const run = async options => {
  const clock = makeClock();
  const { ms, results } = clock;
  try {
    await (options.mode === 'library' ? runLibrary : runVats)(options, clock);
    if (results.length < options.iterations)
      throw Error(`it ended after ${results.length} iterations`);
  } catch (error) {
    return { ms, results, peakMb: 0, error: /** @type {Error} */ (error).message };
  }
  return { ms, results, peakMb: process.resourceUsage().maxRSS / 1000 };
};

const answered = await run(JSON.parse(process.argv[2]));
process.send?.(answered, () => process.disconnect());
