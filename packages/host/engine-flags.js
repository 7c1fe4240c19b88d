// Flags of V8. They are the whole process's, so a library sets none but those without which a run would not repeat, and
// says so; flags for speed are set for who asks.

import { setFlag } from './process-flags.js';

/**
 * `none` sets no flags: what the engine's collections find may differ from run to run, and with it the activity hash.
 * `collections` sets those under which they find the same in every run. `speed` sets more, for a process that does little
 * else than run this simulation.
 *
 * @typedef {'none' | 'collections' | 'speed'} EngineFlags
 */

let keepsDeadVariables = false;

/**
 * To be called before the code of vats runs that are collected: optimised code keeps what interpreted code keeps from
 * then on. TurboFan can be told; Maglev, which Node has from 24 on, cannot, so it is left out. On Node 26 that makes
 * the start of a run slower, and a long one a little (docs/v8-in-a-locked-down-realm.md).
 */
const keepDeadVariables = () => {
  keepsDeadVariables = true;
  setFlag('--no-analyze-environment-liveness', '--analyze-environment-liveness');
  setFlag('--no-maglev', '--maglev');
};

/**
 * To be called before anything runs. A crank's garbage dies young, so a collection of young objects copies little, and waking
 * other threads for that takes longer than it saves (docs/v8-in-a-locked-down-realm.md).
 */
const collectYoungAlone = () => setFlag('--no-parallel-scavenge', '--parallel-scavenge');

/**
 * @param {EngineFlags} wanted
 * @param {boolean} collects  whether vats are asked for their dead references
 * @returns {'set' | 'not set' | 'not needed'} those under which collections find the same in every run; once they are set,
 *   they are in force for the rest of the process
 */
export const setEngineFlags = (wanted, collects) => {
  if (wanted === 'speed') collectYoungAlone();
  if (!collects) return 'not needed';
  if (wanted !== 'none' && !keepsDeadVariables) keepDeadVariables();
  return keepsDeadVariables ? 'set' : 'not set';
};

/** A line for people, where the flags are not set. */
export const notReproducible =
  "collections are not reproducible: the engine's flags for them are not set (engineFlags: 'none'), so what vats let go of, and with it the activity hash, may differ from run to run";
