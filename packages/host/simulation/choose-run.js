// Chooses a run's profile and number of threads.

import { availableParallelism } from 'node:os';
import { findStoredProfile, profiles } from '#kernel';
import { mostWorkers, parseWorkers, quote, UserError } from '#model';
import { readWhole } from '../state/read-whole.js';

/** @import { KernelStore } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { SimulationOptions } from './options.js' */

/**
 * @param {KernelStore} store
 * @param {Pick<SimulationOptions, 'profile' | 'resume'>} options
 * @returns {'current' | '2020-09'}
 */
export const chooseProfile = (store, { profile, resume = false }) => {
  const stored = findStoredProfile(store);
  if (!resume) {
    if (stored !== undefined) {
      throw new UserError(
        'the store holds a state already; take it up with --resume (the option "resume"), or begin with an empty store',
      );
    }
    return profile ?? 'current';
  }
  if (stored === undefined)
    throw new UserError(
      'there is no state to resume in the store; leave "resume" out to begin a run',
    );
  if (profile !== undefined && profile !== stored) {
    throw new UserError(
      `the state was made with --profile ${stored}, not ${profile}; leave --profile out to resume it`,
    );
  }
  return readWhole('the state is', () => {
    if (Object.hasOwn(profiles, stored)) return /** @type {'current' | '2020-09'} */ (stored);
    throw Error(`there is no profile ${quote(stored.slice(0, 100))}`);
  });
};

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @returns {number} threads
 */
export const chooseWorkers = (config, { workers }) => {
  const wanted = workers === undefined ? config?.workers : workers;
  const subject = workers === undefined ? '"workers" of the config' : 'the option "workers"';
  if (wanted === 'auto') return Math.min(availableParallelism() - 1, mostWorkers);
  if (wanted !== undefined) return Number(parseWorkers(wanted, subject));
  const vats = Object.values(config?.vats ?? {});
  return vats.some(({ creationOptions }) => creationOptions?.managerType === 'worker') ? 1 : 0;
};
