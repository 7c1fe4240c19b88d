// The parts of the host that every run needs; the runner loads only these before the first crank. Loading takes time
// for each file (`npm run bench -- startup`), so other modules are loaded on demand. `index.js` has the rest.

import { ensureLockdown } from '#loader';
import { beginThreads } from './simulation/begin-threads.js';

export { loadConfig } from '#config';
export { defaultCacheDir } from './state/cache-dir.js';
export { openClock } from '#observe/clock.js';
export { openKeepAwake } from './engine/keep-awake.js';
export { StopRun } from './observers.js';
export { endedKey, insistStateKind, openState } from './state/open-store.js';
export {
  findOutputFolder,
  lockOutputFolder,
  markOutputFolder,
  nameRun,
} from './state/output-folder.js';
export { makeRealTime } from './real-time.js';
export { parseError } from './explain/rejection.js';
export { makeReport } from './reports/report.js';
export { defaultRounds, findPendingRound, isFinished } from './rounds.js';
export { insistRounds, readProgress, runRounds, runSome } from './rounds.js';
export { showData, showResult } from './explain/show-data.js';
export { loadSignalWatch } from './engine/signal-watch.js';
export { makeVatOutput } from './vats/vat-output.js';
export { places as workPlaces, slotBytes as workSlotBytes } from './engine/work-board.js';

/**
 * Make or resume a simulation (simulation.js). Vats' code can only be loaded into a locked-down realm, and an importer
 * of this module may not want lockdown yet.
 *
 * @type {typeof import('./simulation.js').makeSimulation}
 */
export const makeSimulation = async (config, options) => {
  const early = await beginThreads(config, options);
  try {
    await ensureLockdown();
    const simulation = await import('./simulation.js');
    // With `await`, the stack of an error leads on to who waits for this function.
    return await simulation.makeWithThreads(config, options, early);
  } catch (error) {
    await early?.end();
    throw error;
  }
};

/**
 * Open a meter of processor cycles for `runRounds` and `runSome`, if the machine has the counters (engine/cycle-meter.js).
 *
 * @returns {Promise<ReturnType<typeof import('./engine/cycle-meter.js').openCycleMeter>>}
 */
export const openCycleMeter = async () => {
  const meter = await import('./engine/cycle-meter.js');
  return meter.openCycleMeter();
};

/**
 * Open a trace of a run, for `makeSimulation` (trace.js).
 *
 * @param {Parameters<typeof import('#observe/trace.js').makeTrace>[0]} powers
 * @returns {Promise<import('#observe/trace.js').Trace>}
 */
export const openTrace = async powers => {
  const trace = await import('#observe/trace.js');
  return trace.makeTrace(powers);
};

/**
 * Find the differences between a resumed state and its directory (recording/compare-resumed.js).
 *
 * @type {typeof import('./recording/compare-resumed.js').compareResumed}
 */
export const compareResumed = async (kernel, config, options) => {
  const recording = await import('./recording/compare-resumed.js');
  return recording.compareResumed(kernel, config, options);
};
