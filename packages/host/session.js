// The parts of the host that each run needs: all that the runner loads before a first crank. Loading takes Node some time a
// file (`npm run bench -- startup`), so modules that a run may not need are loaded when it does. `index.js` has the rest.

import { ensureLockdown } from '#loader';

export { loadConfig } from '#config';
export { defaultCacheDir } from './cache-dir.js';
export { openClock } from '#observe/clock.js';
export { openKeepAwake } from './keep-awake.js';
export { StopRun } from './observers.js';
export { endedKey, openState } from './open-store.js';
export { findOutputFolder, markOutputFolder, nameRun } from './output-folder.js';
export { makeRealTime } from './real-time.js';
export { parseError } from './rejection.js';
export { makeReport } from './report.js';
export { defaultRounds, findPendingRound, isFinished } from './rounds.js';
export { readProgress, runRounds, runSome } from './rounds.js';
export { showResult } from './show-data.js';
export { loadSignalWatch } from './signal-watch.js';
export { makeVatOutput } from './vat-output.js';
export { places as workPlaces, slotBytes as workSlotBytes } from './work-board.js';

/**
 * Make a simulation, or take up the one that a store holds; simulation.js says how. What runs in vats can only be
 * loaded into a realm that is locked down, and whoever imports this module may not want that yet.
 *
 * @type {typeof import('./simulation.js').makeSimulation}
 */
export const makeSimulation = async (config, options) => {
  await ensureLockdown();
  const simulation = await import('./simulation.js');
  return simulation.makeSimulation(config, options);
};

/**
 * A meter of cycles for `runRounds` and `runSome`, if the machine has the counters; cycle-meter.js says how. Few runs
 * ask for it, so it is loaded when one does.
 *
 * @returns {Promise<ReturnType<typeof import('./cycle-meter.js').openCycleMeter>>}
 */
export const openCycleMeter = async () => {
  const meter = await import('./cycle-meter.js');
  return meter.openCycleMeter();
};

/**
 * A trace of a run, to be given to `makeSimulation`; trace.js says what stands in it. Few runs ask for one, so it is
 * loaded when one does.
 *
 * @param {Parameters<typeof import('#observe/trace.js').makeTrace>[0]} powers
 * @returns {Promise<import('#observe/trace.js').Trace>}
 */
export const openTrace = async powers => {
  const trace = await import('#observe/trace.js');
  return trace.makeTrace(powers);
};

/**
 * The differences between a state that is taken up and the directory that it came from; recording/compare-resumed.js finds
 * them.
 *
 * @type {typeof import('./recording/compare-resumed.js').compareResumed}
 */
export const compareResumed = async (kernel, config, options) => {
  const recording = await import('./recording/compare-resumed.js');
  return recording.compareResumed(kernel, config, options);
};
