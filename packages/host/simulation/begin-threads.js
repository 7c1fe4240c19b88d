// Starts the threads that a run asks for by number before its simulation is made. They are a guess: a thread that the run
// does not need is ended when it has begun, and what is wrong with the options is told by whoever makes the simulation.

import { profiles } from '#kernel';
import { setEngineFlags } from '../engine/engine-flags.js';
import { insistSimulationOptions } from './check-options.js';
import { chooseProfile, chooseWorkers } from './choose-run.js';

/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { EarlyThreads } from '../workers/early-threads.js' */
/** @import { SimulationOptions } from './options.js' */

/**
 * The number of threads that vats of the config will begin on. A resumed run has its vats in its state, and one thread if
 * any.
 *
 * @param {LoadedConfig | undefined} config
 * @param {number} workers
 */
const countFirst = (config, workers) => {
  if (config === undefined) return Math.min(workers, 1);
  const movable = Object.values(config.vats).filter(({ creationOptions = {} }) => {
    const { managerType, limits } = creationOptions;
    return managerType !== 'local' && limits === undefined;
  });
  return Math.min(workers, movable.length);
};

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @returns {{ workers: number, count: number, profile: keyof typeof profiles } | undefined} undefined: none
 */
const plan = (config, options) => {
  try {
    insistSimulationOptions(config, options);
    const { openPool, vatPowers, store } = options;
    const isAuto = (options.workers ?? config?.workers) === 'auto';
    if (isAuto || openPool !== undefined || vatPowers !== undefined || store.isClosed?.())
      return undefined;
    const workers = chooseWorkers(config, options);
    const count = countFirst(config, workers);
    return count === 0 ? undefined : { workers, count, profile: chooseProfile(store, options) };
  } catch {
    return undefined;
  }
};

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options  not yet checked
 * @returns {Promise<EarlyThreads | undefined>} undefined if the run begins without threads
 */
export const beginThreads = async (config, options) => {
  const planned = plan(config, options);
  if (planned === undefined) return undefined;
  const { workers, count, profile } = planned;
  const { engineFlags = 'collections', cacheDir, workerDelays } = options;
  const { openEarlyThreads } = await import('../workers/early-threads.js');
  // The engine reads flags when a thread begins.
  setEngineFlags(engineFlags, profiles[profile].collectsObjects);
  return openEarlyThreads(
    {
      ...{ workers, profile, cacheDir },
      delaysOf: number => workerDelays && workerDelays + number,
    },
    count,
  );
};
