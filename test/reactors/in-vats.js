// A program of the table in the simulation: in one vat, or split, each part the root reactor of a vat of its own and the
// connections those of the config.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { nowAt } from './in-library.js';

/** @import { Kernel, PhysicalClock } from '#kernel' */
/** @import { Program, Wire } from './program.js' */

/** Compiled sources are kept between runs. */
const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** What is run: the program, and the module that exports `buildReactor` for it. @typedef {{ what: Program, module: URL }} Source */

/** @param {Program} what @param {URL} module */
export const runInOneVat = (what, module) => runForTrace({ what, module }, false);

/** @param {Program} what @param {URL} module */
export const runSplit = (what, module) => runForTrace({ what, module }, true);

/**
 * @param {Source} source
 * @param {boolean} isSplit
 * @returns {Promise<Record<string, string[]>>} what each part noted
 */
const runForTrace = async (source, isSplit) => {
  const { clock: script = [] } = source.what.options;
  const run = await openRun(source, isSplit);
  const { simulation } = run;
  const drain = async () => {
    if (script.length === 0) {
      await simulation.run();
      return;
    }
    // One by one, so that the clock goes by the crank that runs: a vat would run ahead by itself.
    while (!simulation.isQuiet) {
      run.nextNs = run.kernel.nextTimeNs ?? run.nextNs;
      await simulation.step();
    }
  };
  try {
    await drain();
    if (simulation.hasPrograms) {
      // Nothing more is to come.
      simulation.stopPrograms();
      await drain();
    }
    if (run.errors.length > 0) throw run.errors[0];
    const problems = audit(run.kernel.state);
    if (problems.length > 0) throw Error(problems.join('\n'));
    return run.trace;
  } finally {
    await simulation.close();
  }
};

/**
 * @param {Program} what
 * @param {URL} module
 * @param {{ blockSize?: number, reopen?: boolean }} way  whether the run is resumed after each block
 * @returns {Promise<{ hash: string, digest: string }>}  of the split program, at its end
 */
export const runForDigest = async (what, module, { blockSize = 200, reopen = false }) => {
  // It is there after a simulation was closed, as one on disk would be.
  const store = { ...makeMemoryStore(), close: async () => {} };
  let { simulation } = await openRun({ what, module }, true, store);
  const drain = async () => {
    while (!simulation.isQuiet) {
      await simulation.run({ blockSize, maxCranks: blockSize });
      if (!reopen) continue;
      await simulation.close();
      ({ simulation } = await openRun(undefined, true, store));
    }
  };
  await drain();
  if (simulation.hasPrograms) {
    simulation.stopPrograms();
    await drain();
  }
  await simulation.commit();
  const hash = simulation.activityHash();
  await simulation.close();
  return { hash, digest: storeDigest(store) };
};

/**
 * @param {Source | undefined} source  undefined to resume
 * @param {boolean} isSplit
 * @param {ReturnType<typeof makeMemoryStore>} [store]
 */
const openRun = async (source, isSplit, store = makeMemoryStore()) => {
  const script = source?.what.options.clock ?? [];
  const run = {
    /** @type {Record<string, string[]>} */
    trace: {},
    /** @type {unknown[]} */
    errors: [],
    // Where the crank is that runs: a vat that finds nothing to do at a tag may go on to its next one.
    nextNs: 0,
    kernel: /** @type {Kernel} */ (/** @type {unknown} */ (undefined)),
  };
  /** @type {PhysicalClock} */
  const clock = {
    nowNs: () => nowAt(script, Math.max(run.nextNs, run.kernel.now.timeNs)),
    isLate: (_vatId, timeNs, deadlineNs) => nowAt(script, timeNs) - timeNs > deadlineNs,
  };
  const config = source && loadConfig({ configFile: writeConfig(configOf(source, isSplit)) });
  const simulation = await makeSimulation(config, {
    store,
    cacheDir,
    clock,
    resume: source === undefined,
    onKernel: made => {
      run.kernel = made;
    },
    observer: {
      onConsole: (_vat, _level, text) => {
        const [, part, line] = /** @type {string[]} */ (/^(\w+): (.*)$/s.exec(text));
        run.trace[part] ??= [];
        run.trace[part].push(line);
      },
      onVatError: (_vat, error) => void run.errors.push(error),
    },
  });
  return Object.assign(run, { simulation });
};

/**
 * @param {Source} source
 * @param {boolean} isSplit
 */
const configOf = ({ what, module }, isSplit) => {
  const { timeout } = what.options;
  const vats = isSplit ? Object.keys(what.parts) : ['main'];
  return {
    bootstrap: vats[0],
    vats: Object.fromEntries(
      vats.map(vat => [
        vat,
        {
          sourceSpec: module.pathname,
          parameters: { ...what.parameters, program: what.name, ...(isSplit && { part: vat }) },
        },
      ]),
    ),
    ...(isSplit && { connections: what.connections.map(connectionOf) }),
    ...(timeout !== undefined && { reactors: { timeout } }),
  };
};

/** @param {object} config */
const writeConfig = config => {
  const file = join(mkdtempSync(join(tmpdir(), 'reactor-program-')), 'swingset.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
};

/** @param {Wire} wire  as the config has it */
const connectionOf = ({ from, to, interleaved, ...options }) => ({
  from: interleaved === 'from' || interleaved === 'both' ? [{ interleaved: from }] : from,
  to: interleaved === 'to' || interleaved === 'both' ? [{ interleaved: to }] : to,
  ...options,
});
