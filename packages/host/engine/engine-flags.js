// Flags of V8. They affect the whole process, so by default only those are set that make runs reproducible; flags for
// speed are set on request.

import { setThreadPriority } from './thread-priority.js';
import { setFlag } from './process-flags.js';

/**
 * `none` sets no flags: the findings of the engine's collections, and with them the activity hash, may differ from run
 * to run. `collections` sets the flags that make collections reproducible, and has TurboFan optimise sooner where Maglev
 * is off by them. `speed` sets more, for a process that mainly runs this simulation, and on Linux lowers the priority of
 * V8's own threads, for good.
 *
 * @typedef {'none' | 'collections' | 'speed'} EngineFlags
 */

/** Whether V8 counts calls for Maglev and TurboFan apart: from version 12 on, which is Node 22. */
const knowsMaglev = Number.parseInt(process.versions.v8, 10) >= 12;

let keepsDeadVariables = false;

/**
 * Make optimised code keep what interpreted code keeps, and no more. To be called before the code of vats runs.
 * TurboFan has a flag for it; Maglev, which Node has from 24 on, has none, so it is turned off. An engine that knows
 * Maglev lets TurboFan wait for 3,000 calls of a function or more (10,000 in Node 24, 16,000 in Node 26), since it
 * expects Maglev's code to run meanwhile; without that, TurboFan is not to wait so long (docs/v8-in-a-locked-down-realm.md).
 *
 * Shapes of objects that optimised code was made for outlive their objects by two collections, with the prototypes and
 * getters that they name and all that these reach. So it would matter when a function was optimised, and how many
 * collections the machine needed since.
 */
const keepDeadVariables = () => {
  keepsDeadVariables = true;
  setFlag('--retain-maps-for-n-gc=0', '--retain-maps-for-n-gc=2');
  setFlag('--no-analyze-environment-liveness', '--analyze-environment-liveness');
  setFlag('--no-maglev', '--maglev');
  if (knowsMaglev) {
    const calls = '--invocation-count-for-turbofan=';
    setFlag(`${calls}1000`, ...[3_000, 10_000, 16_000].map(each => `${calls}${each}`));
  }
};

/**
 * Collect young objects on one thread. To be called before vats run. A crank's garbage dies young, so such a collection
 * copies little, and waking other threads costs more than it saves (docs/v8-in-a-locked-down-realm.md).
 */
const collectYoungAlone = () => setFlag('--no-parallel-scavenge', '--parallel-scavenge');

/**
 * Let optimised code take in fewer of the functions that it calls: 600 bytes of their code in place of V8's 920. A
 * crank runs through some hundred functions, each of which V8 then compiles several times over, within those that call
 * it, while cranks run in code that is not optimised. With 300 bytes a run begins quicker still, but a long one takes
 * 5 % more (docs/v8-in-a-locked-down-realm.md).
 */
const inlineLess = () =>
  setFlag(
    '--max-inlined-bytecode-size-cumulative=600',
    '--max-inlined-bytecode-size-cumulative=920',
  );

/**
 * Let TurboFan compile a function that was run for long enough once, in place of three times: as the lower count of
 * calls does on later engines, which count otherwise (docs/v8-in-a-locked-down-realm.md).
 */
const optimizeSooner = () => {
  if (!knowsMaglev) setFlag('--ticks-before-optimization=1', '--ticks-before-optimization=3');
};

/**
 * @param {EngineFlags} wanted
 * @param {boolean} collects  whether vats are asked for their dead references
 * @returns {'set' | 'not set' | 'not needed'} state of the flags that make collections reproducible; once set, they
 *   stay for the rest of the process
 */
export const setEngineFlags = (wanted, collects) => {
  if (wanted === 'speed') {
    collectYoungAlone();
    inlineLess();
    optimizeSooner();
    setThreadPriority();
  }
  if (!collects) return 'not needed';
  if (wanted !== 'none' && !keepsDeadVariables) keepDeadVariables();
  return keepsDeadVariables ? 'set' : 'not set';
};

/** A line for people, if the flags are not set. */
export const notReproducible =
  "collections are not reproducible: the engine's flags for them are not set (engineFlags: 'none'), so the references that vats drop, and with them the activity hash, may differ from run to run";
