// The report of a run, as data: the counters at the end of the setup, and their increases during the benchmark's
// rounds. It is read from a kernel's state, so a database gives it as well as a running simulation.

import { createHash } from 'node:crypto';
import { findStoredProfile, makeKernel } from '#kernel';
import { UserError } from '#model';
import { describeResult, readProgress, readResults } from '../rounds.js';

/** @import { Counter, Kernel, KernelStore } from '#kernel' */
/** @import { Collections, Setup } from '../rounds.js' */
/** @import { PlacementFigures, WorkerFigures } from '../workers/index.js' */

/**
 * @typedef {object} Report
 * @property {string} profile
 * @property {number} cranks  of the setup, so far if it is not over; without control cranks
 * @property {number} controlCranks  of the whole run
 * @property {number} totalCranks  of the whole run, without control cranks
 * @property {number} [ns]  wall time of setup and rounds, with commits and stats rows, without the start
 * @property {string} [clock]  source of the times, in the process that made the report
 * @property {boolean} [keepsAwake]  whether the core was kept awake while commits waited for the disk, in the process
 *   that made the report; absent if not requested
 * @property {readonly WorkerFigures[]} [workers]  the work of each worker thread, in the process that made the report;
 *   absent if there were none
 * @property {number} [workersWaitNs]  time for which the kernel's thread waited for them
 * @property {PlacementFigures} [placement]  moves of vats between threads, in that process; absent if vats could not
 *   move
 * @property {Record<string, Counter>} counters  with the setup's cranks
 * @property {object} [benchmark]
 * @property {number} benchmark.rounds
 * @property {number} benchmark.cranks  without control cranks
 * @property {number} [benchmark.controlCranks]  in the rounds; absent if there were none
 * @property {number} benchmark.ns
 * @property {Record<string, number>} benchmark.delta  increase of each counter during the rounds
 * @property {string[]} benchmark.results
 * @property {string} bootstrapResult
 * @property {string} activityHash
 * @property {Collections} [forcedCollections]  of `--forcegc`, not in any other time; absent if there were none
 * @property {Collections} [reapCollections]  inside `bringOutYourDead`, included in the times of their cranks; absent if
 *   there were none
 * @property {object} [machine]  the machine of the run
 */

const bootstrapKey = 'host.bootstrapResult';

/** @type {(cranks: Setup['cranks']) => number} */
const withoutControl = ({ all, control }) => all - control;

/**
 * @param {Kernel} kernel
 * @param {{ machine?: object, clock?: string, keepsAwake?: boolean, workers?: readonly WorkerFigures[], workersWaitNs?:
 *   number, placement?: PlacementFigures | undefined }} [options]  of this process, if it made the run
 * @returns {Report}
 */
export const makeReport = (
  kernel,
  { machine, clock, keepsAwake, workers = [], workersWaitNs = 0, placement } = {},
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
    ...(workers.length > 0 && { workers, workersWaitNs }),
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
 * @param {Record<string, Counter>} before  an absent counter was 0
 */
const subtract = (after, before) =>
  Object.fromEntries(
    Object.entries(after).map(([name, { value }]) => [name, value - (before[name]?.value ?? 0)]),
  );

/**
 * Load the kernel of a stored run, for reading.
 *
 * @param {KernelStore} store
 * @throws {UserError} if the store holds no run
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
 * @throws {UserError} if the store holds no run
 */
export const readStoredReport = store => makeReport(loadStoredKernel(store));
