// Outside the vats: lockdown, compartments, bundles, config, clocks, transports, `settle()`. It joins everything
// into a simulation. This is what `import … from 'swingset-runner/internals'` gives; public.js is what programs need.

import { ensureLockdown } from '#loader';

export { CallError, VatError } from './calls/errors.js';
export { describeVatError, describeErrorBriefly } from '#loader/compartment';
export * from './session.js';
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
export { findDatabase, outputFoldersOf } from './output-folder.js';
export { loadStoredKernel, readStoredReport } from './report.js';
export { makeSlog, slogVersion } from '#observe/slog';
export { openKernel } from './open-kernel.js';
export { exportState, importState, nameOfStateFile, stateDirOf } from './state-transfer.js';
export { makeMemoryStore, openLmdbStore, readAll, readLmdbStore } from '#store';
export { UserError } from '#model';

/**
 * Make a state that is not run yet; initialise-state.js says how.
 *
 * @type {typeof import('./initialise-state.js').initialiseState}
 */
export const initialiseState = async (config, options) => {
  await ensureLockdown();
  const { initialiseState: initialise } = await import('./initialise-state.js');
  return initialise(config, options);
};

/**
 * Finds which vats keep which objects in the run that a store holds; see retention.js. It is loaded on demand.
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
/** @typedef {import('./workers/index.js').WorkerFigures} WorkerFigures */
/** @typedef {import('./workers/index.js').PlacementFigures} PlacementFigures */
/** @typedef {import('./retention.js').HeldGroup} HeldGroup */
/** @typedef {import('./retention.js').Retention} Retention */
/** @typedef {import('./rounds.js').Progress} Progress */
/** @typedef {import('./blocks.js').BlockTaken} BlockTaken */
/** @typedef {import('./real-time.js').RealTime} RealTime */
