// Flags of V8. They affect the whole process, so by default only those are set that make runs reproducible; flags for
// speed are set on request.

import { setFlag } from './process-flags.js';

/**
 * `none` sets no flags: the findings of the engine's collections, and with them the activity hash, may differ from run
 * to run. `collections` sets the flags that make collections reproducible. `speed` sets more, for a process that mainly
 * runs this simulation.
 *
 * @typedef {'none' | 'collections' | 'speed'} EngineFlags
 */

let keepsDeadVariables = false;

/**
 * Make optimised code keep the variables that interpreted code keeps. To be called before the code of vats runs.
 * TurboFan has a flag for it; Maglev, which Node has from 24 on, has none, so it is turned off. On Node 26 that makes
 * the start of a run slower, and a long run a little (docs/v8-in-a-locked-down-realm.md).
 */
const keepDeadVariables = () => {
  keepsDeadVariables = true;
  setFlag('--no-analyze-environment-liveness', '--analyze-environment-liveness');
  setFlag('--no-maglev', '--maglev');
};

/**
 * Collect young objects on one thread. To be called before vats run. A crank's garbage dies young, so such a collection
 * copies little, and waking other threads costs more than it saves (docs/v8-in-a-locked-down-realm.md).
 */
const collectYoungAlone = () => setFlag('--no-parallel-scavenge', '--parallel-scavenge');

/**
 * @param {EngineFlags} wanted
 * @param {boolean} collects  whether vats are asked for their dead references
 * @returns {'set' | 'not set' | 'not needed'} state of the flags that make collections reproducible; once set, they
 *   stay for the rest of the process
 */
export const setEngineFlags = (wanted, collects) => {
  if (wanted === 'speed') collectYoungAlone();
  if (!collects) return 'not needed';
  if (wanted !== 'none' && !keepsDeadVariables) keepDeadVariables();
  return keepsDeadVariables ? 'set' : 'not set';
};

/** A line for people, if the flags are not set. */
export const notReproducible =
  "collections are not reproducible: the engine's flags for them are not set (engineFlags: 'none'), so the references that vats drop, and with them the activity hash, may differ from run to run";
