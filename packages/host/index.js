// The entry `swingset-runner/internals`: everything of the host. public.js has the part that programs need.

import { ensureLockdown } from '#loader';

export { CallError, VatError } from './calls/errors.js';
export { describeVatError, describeErrorBriefly } from '#loader/compartment';
export * from './session.js';
export { ensureLockdown };
export { getStackFrames, placed, placeErrors } from '#loader';
export {
  buildBridge,
  buildCommand,
  buildLoopbox,
  buildMailbox,
  handOutTo,
} from './device-hosts.js';
export { describeEngines, readEngines } from '#observe';
export { dumpKernel, dumpRaw, findDifferences } from '#observe';
export { findDatabase, outputFoldersOf } from './state/output-folder.js';
export { loadStoredKernel, readStoredReport } from './reports/report.js';
export { listNamedBundles } from './vats/bundle-names.js';
export { readBootstrapResult } from './state/bootstrap-result.js';
export { readDeviceRecord } from './state/device-records.js';
export { makeSlog, slogVersion } from '#observe/slog';
export { openKernel } from './state/open-kernel.js';
export { exportState, importState, nameOfStateFile, stateDirOf } from './state/state-transfer.js';
export { makeMemoryStore, openLmdbStore, readAll, readLmdbStore } from '#store';
export { UserError } from '#model';

/**
 * Make a state without running it; see state/initialise-state.js.
 *
 * @type {typeof import('./state/initialise-state.js').initialiseState}
 */
export const initialiseState = async (config, options) => {
  await ensureLockdown();
  const { initialiseState: initialise } = await import('./state/initialise-state.js');
  return initialise(config, options);
};

/**
 * Find which vats keep which objects in the state of a store; see reports/retention.js, which is loaded on demand.
 *
 * @param {import('#store').Store} store
 * @returns {Promise<import('./reports/retention.js').Retention>}
 */
export const readStoredRetention = async store => {
  const retention = await import('./reports/retention.js');
  return retention.readStoredRetention(store);
};

/**
 * Repeat the recorded run of a store, and name the first difference; see recording/replay-recording.js.
 *
 * @type {typeof import('./recording/index.js').replayRecording}
 */
export const replayRecording = async (store, options) => {
  await ensureLockdown();
  const recording = await import('./recording/index.js');
  return recording.replayRecording(store, options);
};

/**
 * The first block in which two recorded runs differ; see recording/compare-runs.js.
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
/** @typedef {import('./reports/report.js').Report} Report */
/** @typedef {import('./workers/index.js').WorkerFigures} WorkerFigures */
/** @typedef {import('./workers/index.js').PlacementFigures} PlacementFigures */
/** @typedef {import('./reports/retention.js').HeldGroup} HeldGroup */
/** @typedef {import('./reports/retention.js').Retention} Retention */
/** @typedef {import('./rounds.js').Progress} Progress */
/** @typedef {import('./blocks.js').BlockTaken} BlockTaken */
/** @typedef {import('./real-time.js').RealTime} RealTime */
