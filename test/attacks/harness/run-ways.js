// Runs an attack's vats in this process, in one way. All ways of a run must do the same.

import path from 'node:path';
import fs from 'node:fs';
import os from 'node:os';

import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  makeSlog,
  makeVatOutput,
  openLmdbStore,
  replayRecording,
} from '#host';
import { audit } from '#kernel';
import { runsOneWay } from './one-way.js';

/** @import { Attack, Outcome } from './attack-types.js' */
/** @import { Simulation } from '#host' */

/** @typedef {'current' | '2020-09'} Profile */

/** Ends runs that never end by themselves. */
const maxCranks = 200_000;

/**
 * How often a run is resumed at most, unless the attack has a block size of its own: each time all of its vats are made
 * again from what was recorded before, which takes the longer the later it is.
 */
const mostResumptions = 2;

/** @param {Simulation} simulation @param {string} result */
const describeResult = (simulation, result) => {
  const { state, data } = simulation.status(result);
  if (data === null) return 'pending';
  return `${state === 'rejected' ? 'rejected' : 'fulfilled'} ${data.body}`;
};

/** @param {unknown} error */
const onOneLine = error => {
  try {
    return String(error).replaceAll('\n', ' ');
  } catch {
    return 'an error that cannot be shown';
  }
};

/**
 * @param {string} directory
 * @param {Attack} attack
 */
const readConfig = (directory, { config }) =>
  config === undefined
    ? loadConfig({ baseDir: directory })
    : loadConfig({ baseDir: directory, configFile: path.join(directory, config) });

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {boolean} [isWatched]
 * @property {string} [dir]  of a database; the run stops after each block, closes it and resumes
 * @property {number} [blockSize]  in cranks
 */

/**
 * @param {string} directory
 * @param {Attack} attack
 * @param {Profile} profile
 * @param {Way} way
 * @returns {Promise<Outcome>}
 */
const runWay = async (directory, attack, profile, way) => {
  const { rounds = 0 } = attack;
  const { blockSize = 200 } = way;
  const config = readConfig(directory, attack);
  /** @type {string[]} */
  const log = [];
  /** @type {string[]} */
  const errors = [];
  const slog = way.isWatched ? makeSlog({ write: () => {} }) : undefined;

  const observe = () => {
    const output = makeVatOutput({ onPrint: () => {}, onError: () => {}, hasStacks: true });
    return {
      /** @type {typeof output.observer.onConsole} */
      onConsole: (vatName, level, text, args) => {
        log.push(`${vatName}: ${text}`);
        if (way.isWatched) output.observer.onConsole(vatName, level, text, args);
      },
      ...(way.isWatched && {
        onVatError: (/** @type {string} */ vatName, /** @type {unknown} */ error) => {
          output.observer.onVatError(vatName, error);
          errors.push(`${vatName}: ${onOneLine(error)}`);
        },
      }),
    };
  };

  /** @param {boolean} isNew */
  const open = async isNew => {
    const store =
      way.dir === undefined
        ? makeMemoryStore()
        : openLmdbStore({ dir: way.dir, durability: 'none', create: isNew });
    const simulation = await makeSimulation(isNew ? config : undefined, {
      store,
      ...(isNew ? { profile } : { resume: true }),
      cacheDir: defaultCacheDir(),
      observer: observe(),
      ...(slog && { crankObserver: slog.crankObserver, onKernel: slog.begin }),
    });
    return { store, simulation };
  };

  let { store, simulation } = await open(true);
  const toEnd = async () => {
    while (!simulation.isQuiet) {
      await simulation.run({ blockSize, maxCranks: blockSize });
      if (simulation.cranks.all > maxCranks) throw Error(`more than ${maxCranks} cranks`);
      if (way.dir === undefined) continue;
      await simulation.close();
      ({ store, simulation } = await open(false));
    }
  };

  try {
    await toEnd();
    const bootstrap = describeResult(simulation, simulation.bootstrapResult);
    /** @type {string[]} */
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const result = simulation.queueToVatRoot(config.bootstrap, 'runBenchmarkRound');
      await toEnd();
      results.push(describeResult(simulation, result));
      simulation.release(result);
    }
    if (simulation.hasPrograms) {
      simulation.stopPrograms();
      await toEnd();
    }
    await simulation.commit();
    const { kernel } = simulation;
    const outcome = {
      way: profile === 'current' ? way.name : `${profile} ${way.name}`,
      activityHash: simulation.activityHash(),
      log,
      errors,
      ended: kernel
        .vats()
        .filter(({ state }) => state !== 'running')
        .map(({ name, vatId }) => name ?? vatId),
      bootstrap,
      rounds: results,
      cranks: simulation.cranks.all,
      audit: audit(kernel.state),
    };
    if (way.dir !== undefined) {
      const { difference } = await replayRecording(store, { cacheDir: defaultCacheDir() });
      if (difference !== undefined) outcome.audit.push(`replay: ${difference}`);
    }
    return outcome;
  } finally {
    await simulation.close();
  }
};

/**
 * @param {string} directory
 * @param {Attack} attack
 * @returns {Promise<Outcome[]>}
 */
export const runWays = async (directory, attack) => {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const profile of attack.profiles ?? /** @type {Profile[]} */ (['current'])) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'attack-'));
    try {
      const inMemory = await runWay(directory, attack, profile, { name: 'memory' });
      outcomes.push(inMemory);
      if (runsOneWay) continue;
      const blockSize =
        attack.blockSize ?? Math.max(5, Math.ceil(inMemory.cranks / mostResumptions));
      // The command watches alone, so it tells whether watching or resuming made the difference.
      const way = { name: 'watched and resumed', isWatched: true, dir, blockSize };
      outcomes.push(await runWay(directory, attack, profile, way));
    } finally {
      fs.rmSync(dir, { recursive: true, force: true });
    }
  }
  return outcomes;
};
