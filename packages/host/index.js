// Outside the vats: lockdown, compartments, bundles, config, clocks, transports, `settle()`. It joins everything
// into a simulation. This is what `import … from 'swingset-runner'` gives.

import { ensureLockdown } from '#loader';

export { defaultCacheDir } from '#loader/bundle';
export { CallError, VatError } from './calls/errors.js';
export { describeVatError, describeErrorBriefly } from '#loader/compartment';
export { openClock } from '#observe';
export { openKeepAwake } from './keep-awake.js';
export { loadConfig } from '#config';
export { ensureLockdown };
export { getStackFrames } from '#loader';
export {
  buildBridge,
  buildCommand,
  buildLoopbox,
  buildMailbox,
  handOutTo,
} from './device-hosts.js';
export { describeEngines, readEngines } from '#observe';
export { dumpKernel, dumpRaw, findDifferences } from '#observe';
export {
  findDatabase,
  findOutputFolder,
  markOutputFolder,
  nameRun,
  outputFoldersOf,
} from './output-folder.js';
export { endedKey, openState } from './open-store.js';
export { makeRealTime } from './real-time.js';
export { parseError } from './rejection.js';
export { StopRun } from './observers.js';
export { makeReport, readStoredReport } from './report.js';
export { defaultRounds, findPendingRound, isFinished } from './rounds.js';
export { readProgress, runRounds, runSome } from './rounds.js';
export { makeSlog, slogVersion } from '#observe/slog';
export { makeVatOutput } from './vat-output.js';
export { openKernel } from './open-kernel.js';
export { exportState, importState, nameOfStateFile, stateDirOf } from './state-transfer.js';
export { makeMemoryStore, openLmdbStore, readAll, readLmdbStore } from '#store';
export { loadSignalWatch } from './signal-watch.js';
export { places as workPlaces, slotBytes as workSlotBytes } from './work-board.js';
export { UserError } from '#model';

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
 * Who keeps what in the run that a store holds; retention.js says how. No run needs it, so it is loaded when it is asked.
 *
 * @param {import('#store').Store} store
 * @returns {Promise<import('./retention.js').Retention>}
 */
export const readStoredRetention = async store => {
  const retention = await import('./retention.js');
  return retention.readStoredRetention(store);
};

/**
 * Run the run again that a store holds, and name the first difference; recording/replay-recording.js says how.
 *
 * @type {typeof import('./recording/index.js').replayRecording}
 */
export const replayRecording = async (store, options) => {
  await ensureLockdown();
  const recording = await import('./recording/index.js');
  return recording.replayRecording(store, options);
};

/**
 * The first block in which two recorded runs differ; recording/compare-runs.js says how.
 *
 * @type {(...runs: Parameters<typeof import('./recording/compare-runs.js').compareRuns>) => Promise<ReturnType<typeof import('./recording/compare-runs.js').compareRuns>>}
 */
export const compareRuns = async (left, right) => {
  const recording = await import('./recording/compare-runs.js');
  return recording.compareRuns(left, right);
};

/**
 * What differs between a state that is taken up and the directory that it came from; recording/compare-resumed.js says how.
 *
 * @type {typeof import('./recording/compare-resumed.js').compareResumed}
 */
export const compareResumed = async (kernel, config, options) => {
  const recording = await import('./recording/compare-resumed.js');
  return recording.compareResumed(kernel, config, options);
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

/** @typedef {import('#loader/compartment/index.js').ErrorReport} ErrorReport */
/** @typedef {import('#observe/trace.js').Trace} Trace */
/** @typedef {import('./simulation.js').Simulation} Simulation */
/** @typedef {import('#observe/slog/index.js').Slog} Slog */
/** @typedef {import('#observe/clock.js').Clock} Clock */
/** @typedef {import('#kernel').BlockDifference} BlockDifference */
/** @typedef {import('#kernel').CrankObserver} CrankObserver */
/** @typedef {import('#kernel').Kernel} Kernel */
/** @typedef {import('./recording/replay-recording.js').Replayed} Replayed */
/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('./retention.js').HeldGroup} HeldGroup */
/** @typedef {import('./retention.js').Retention} Retention */
/** @typedef {import('./rounds.js').Progress} Progress */
/** @typedef {import('./blocks.js').BlockTaken} BlockTaken */
/** @typedef {import('./real-time.js').RealTime} RealTime */
