// A program of the table in the simulation: in one vat, or split, each part the root reactor of a vat of its own and the
// connections those of the config.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { nowAt } from './in-library.js';

/** @import { SimulationOptions } from '#host/simulation/options.js' */
/** @import { PhysicalClock } from '#kernel' */
/** @import { OverlappingTransports } from '#testkit' */
/** @import { Program, Wire } from './program.js' */

/** Compiled sources are kept between runs. */
const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** A program, and the module that exports `buildReactor` for it. @typedef {{ what: Program, module: URL }} Source */

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
  const run = await openRun(source, isSplit);
  const { simulation } = run;
  try {
    await simulation.run();
    if (simulation.hasPrograms) {
      // Nothing more is to come.
      simulation.stopPrograms();
      await simulation.run();
    }
    if (run.errors.length > 0) throw Error(`${run.errors[0]}`);
    const problems = audit(simulation.kernel.state);
    if (problems.length > 0) throw Error(problems.join('\n'));
    return run.trace;
  } finally {
    await simulation.close();
  }
};

/**
 * @param {Program} what
 * @param {URL} module
 * @param {object} way
 * @param {number} [way.blockSize]
 * @param {boolean} [way.reopen]  whether the run is resumed after each block, with threads after the first two
 * @param {number} [way.workers]  threads for its vats
 * @param {boolean} [way.moves]  whether vats move between them and the kernel's thread between blocks
 * @param {number} [way.workerDelays]  a seed of random waits in those
 * @param {boolean} [way.kills]  whether one of them ends behind each of the first three blocks
 * @param {(moves: number) => void} [way.noteMoved]  called with the number of moves
 * @param {OverlappingTransports} [way.overlapping]  of vats that begin early on one thread, and run in another order than the kernel's
 * @returns {Promise<{ hash: string, digest: string }>}  of the split program, at its end
 */
export const runForDigest = async (
  what,
  module,
  {
    blockSize = 200,
    reopen = false,
    workers = 0,
    workerDelays,
    kills = false,
    overlapping,
    moves = false,
    noteMoved = () => {},
  },
) => {
  // It is there after a simulation was closed, as one on disk would be.
  const store = { ...makeMemoryStore(), close: async () => {} };
  const parts = Object.keys(what.parts);
  const source = { what, module };
  const threads = {
    workers,
    ...(workerDelays !== undefined && { workerDelays }),
    ...(overlapping !== undefined && { lookahead: 16, wrapTransport: overlapping.wrap }),
  };
  let { simulation } = await openRun(source, true, { store, threads, areMoved: moves });
  let blocks = 0;
  const drain = async () => {
    while (!simulation.isQuiet) {
      await simulation.run({ blockSize, maxCranks: blockSize });
      blocks += 1;
      if (moves) {
        simulation.moveVat(parts[blocks % parts.length], (blocks >> 2) % (workers + 1));
        // The threads get time, so that the program does not end before a vat has moved.
        await pause(2);
      }
      const { length } = simulation.workers();
      if (kills && blocks <= 3 && length > 0) void simulation.killWorker((blocks % length) + 1);
      if (!reopen || (workers > 0 && blocks > 2)) continue;
      await simulation.close();
      ({ simulation } = await openRun(source, true, { store, threads, resume: true }));
    }
  };
  await drain();
  if (simulation.hasPrograms) {
    simulation.stopPrograms();
    await drain();
  }
  await simulation.commit();
  const hash = simulation.activityHash();
  noteMoved(simulation.placement()?.moves ?? 0);
  await simulation.close();
  return { hash, digest: storeDigest(store) };
};

/**
 * @param {Source} source
 * @param {boolean} isSplit
 * @param {object} [how]
 * @param {ReturnType<typeof makeMemoryStore>} [how.store]
 * @param {boolean} [how.resume]
 * @param {Pick<SimulationOptions, 'workers' | 'workerDelays' | 'lookahead' | 'wrapTransport'>} [how.threads]
 * @param {boolean} [how.areMoved]  whether its vats move, which they do not with a clock of the host's
 */
const openRun = async (
  source,
  isSplit,
  { store = makeMemoryStore(), resume = false, threads = {}, areMoved = false } = {},
) => {
  const { clock: script = [] } = source.what.options;
  const run = {
    /** @type {Record<string, string[]>} */
    trace: {},
    /** @type {unknown[]} */
    errors: [],
  };
  /** @type {PhysicalClock} */
  const clock = {
    nowNs: (_vatId, timeNs) => nowAt(script, timeNs),
    isLate: (_vatId, timeNs, deadlineNs) => nowAt(script, timeNs) - timeNs > deadlineNs,
  };
  const config = resume
    ? undefined
    : loadConfig({ configFile: writeConfig(configOf(source, isSplit)) });
  const simulation = await makeSimulation(config, {
    store,
    cacheDir,
    resume,
    ...(!areMoved && { clock }),
    ...threads,
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
    // Programs lie in folders of their own, and share what is here.
    sourceRoots: [new URL('.', import.meta.url).pathname],
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
    ...(timeout !== undefined && { reactors: { timeout: withUnit(timeout) } }),
  };
};

/**
 * The program as a config, each part in a vat of its own.
 *
 * @param {Program} what
 * @param {URL} module
 */
export const loadSplit = (what, module) =>
  loadConfig({ configFile: writeConfig(configOf({ what, module }, true)) });

/** @param {object} config */
const writeConfig = config => {
  const file = join(directoryOfProcess('reactor-program'), 'swingset.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
};

/** @param {Wire} wire  as the config has it */
const connectionOf = ({ from, to, interleaved, after, ...options }) => ({
  from: interleaved === 'from' || interleaved === 'both' ? [{ interleaved: from }] : from,
  to: interleaved === 'to' || interleaved === 'both' ? [{ interleaved: to }] : to,
  ...(after !== undefined && { after: withUnit(after) }),
  ...options,
});

/** A number is nanoseconds in a program; in a config it has its unit. @param {number | string} duration */
const withUnit = duration => (typeof duration === 'number' ? `${duration} ns` : duration);
