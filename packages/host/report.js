// The report of a run, as data: what the counters were when the setup had come to rest, and what the rounds of the
// benchmark added. It is read from a kernel's state, so that a database tells it as well as a running simulation.

import { createHash } from 'node:crypto';
import { findStoredProfile, makeKernel } from '#kernel';
import { UserError } from '#model';
import { describeResult, readProgress, readResults } from './rounds.js';

/** @import { Counter, Kernel, KernelStore } from '#kernel' */
/** @import { Collections, Setup } from './rounds.js' */
/** @import { PlacementFigures, WorkerFigures } from './workers/index.js' */

/**
 * @typedef {object} Report
 * @property {string} profile
 * @property {number} cranks  of the setup; if it is not over, so far. Control cranks are left out
 * @property {number} controlCranks  of the whole run
 * @property {number} totalCranks  of the whole run, control cranks left out
 * @property {number} [ns]  wall time of setup and rounds, with commits and stats rows, without the start
 * @property {string} [clock]  what the times were read from, in the process that made the report
 * @property {boolean} [keepsAwake]  whether the core was kept awake while commits waited for the disk, in the process that
 *   made the report; absent if it was not to be
 * @property {readonly WorkerFigures[]} [workers]  what each worker thread did, in the process that made the report; absent if
 *   there were none
 * @property {PlacementFigures} [placement]  how vats were moved between threads, in that process; absent if there could be none
 * @property {Record<string, Counter>} counters  with the setup's cranks
 * @property {object} [benchmark]
 * @property {number} benchmark.rounds
 * @property {number} benchmark.cranks  control cranks left out
 * @property {number} [benchmark.controlCranks]  those of the rounds; absent if there were none
 * @property {number} benchmark.ns
 * @property {Record<string, number>} benchmark.delta  value after the rounds less value before them
 * @property {string[]} benchmark.results
 * @property {string} bootstrapResult
 * @property {string} activityHash
 * @property {Collections} [forcedCollections]  of `--forcegc`, in no other time; absent if there were none
 * @property {Collections} [reapCollections]  inside `bringOutYourDead`, and in the times of their cranks; absent if
 *   there were none
 * @property {object} [machine]  what the run was made on
 */

const bootstrapKey = 'host.bootstrapResult';

/** @type {(cranks: Setup['cranks']) => number} */
const withoutControl = ({ all, control }) => all - control;

/**
 * @param {Kernel} kernel
 * @param {{ machine?: object, clock?: string, keepsAwake?: boolean, workers?: readonly WorkerFigures[], placement?: PlacementFigures | undefined }} [options]  what this process runs on and reads times
 *   from, and whether its core was kept awake, if it made the run
 * @returns {Report}
 */
export const makeReport = (
  kernel,
  { machine, clock, keepsAwake, workers = [], placement } = {},
) => {
  const progress = readProgress(kernel);
  const counters = kernel.counters.toRecord();
  const setup = progress.setup ?? { cranks: kernel.cranks, counters };
  const cranks = withoutControl(setup.cranks);
  const totalCranks = withoutControl(kernel.cranks);
  const ns = progress.setupNs + progress.roundsNs;
  const controlCranks = kernel.cranks.control - setup.cranks.control;
  const { forced, reaps } = progress;
  const bootstrap = kernel.promiseStatus(kernel.getHostValue(bootstrapKey) ?? '');
  return {
    profile: kernel.profile.name,
    cranks,
    controlCranks: kernel.cranks.control,
    totalCranks,
    ...(ns > 0 && { ns }),
    ...(clock !== undefined && { clock }),
    ...(keepsAwake !== undefined && { keepsAwake }),
    ...(workers.length > 0 && { workers }),
    ...(placement && { placement }),
    counters: setup.counters,
    ...(progress.done > 0 && {
      benchmark: {
        rounds: progress.done,
        cranks: totalCranks - cranks,
        ...(controlCranks > 0 && { controlCranks }),
        ns: progress.roundsNs,
        delta: subtract(counters, setup.counters),
        results: readResults(kernel),
      },
    }),
    bootstrapResult: describeResult(bootstrap, 'still pending'),
    activityHash: kernel.activityHash(),
    ...(forced.count > 0 && { forcedCollections: forced }),
    ...(reaps.count > 0 && { reapCollections: reaps }),
    ...(machine && { machine }),
  };
};

/**
 * @param {Record<string, Counter>} after
 * @param {Record<string, Counter>} before  a counter that is not there was 0
 */
const subtract = (after, before) =>
  Object.fromEntries(
    Object.entries(after).map(([name, { value }]) => [name, value - (before[name]?.value ?? 0)]),
  );

/**
 * The kernel of the run that a store holds, to be looked at.
 *
 * @param {KernelStore} store
 * @throws {UserError} there is none
 */
export const loadStoredKernel = store => {
  const profile = findStoredProfile(store);
  if (profile === undefined) throw new UserError('the database holds no run');
  const kernel = makeKernel(profile, {
    store,
    sha256: bytes => createHash('sha256').update(bytes).digest(),
    onVatFault: () => {},
  });
  kernel.load();
  return kernel;
};

/**
 * The report of the run that a store holds.
 *
 * @param {KernelStore} store
 * @returns {Report}
 * @throws {UserError} there is none
 */
export const readStoredReport = store => makeReport(loadStoredKernel(store));
