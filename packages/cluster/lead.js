// Leads a run: finds its log or begins one, waits for the lease, brings the local store up to date, and runs the kernel
// from there. Every block is committed by the log. A standby does the same and waits longer.

import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { compareResumed, insistRounds, makeReport, makeSimulation } from '#host/session.js';
import { readProgress, runRounds } from '#host/session.js';
import { loadStoredKernel } from '#host/reports/report.js';
import { chooseProfile } from '#host/simulation/choose-run.js';
import { UserError } from '#model';
import { Follower, insistSameEngine, readCopy, readFacts } from './follower.js';
import { Unacknowledged } from './interface.js';
import { LeaderLog, LeadershipLost } from './leader-log.js';
import { StoppedWaiting } from './leader-service.js';
import { DamagedRun, emptyHead } from './log-reader.js';
import { makeReplicatedStore } from './replicated-store.js';

/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Report } from '#host' */
/** @import { RunOptions } from '#host/rounds.js' */
/** @import { SimulationOptions } from '#host/simulation/options.js' */
/** @import { Store } from '#store' */
/** @import { Cluster, RunLog } from './interface.js' */
/** @import { RunFacts } from './follower.js' */
/** @import { LeaderService, makeLeaderService } from './leader-service.js' */

/** Checks per lease of a log that another leader may write. */
const looks = 8;

/**
 * @typedef {object} LeadOptions
 * @property {Cluster} cluster
 * @property {string} run
 * @property {string} leader  its name
 * @property {LoadedConfig} config
 * @property {string} version  of the package
 * @property {Store} local  empty, or this machine's copy of the run; closed at the end
 * @property {boolean} [isLocalKept]  whether the local store outlives the process; default: false
 * @property {number} leaseMs  for a new run; an existing run keeps its own, and a line says so
 * @property {boolean} [isStandby]  wait until the run has no leader
 * @property {number} [patienceMs]  how long to wait for an acknowledgement; default: 30 s
 * @property {number} [rounds]
 * @property {number} [blockSize]
 * @property {{ blocks: number, bytes: number }} [checkpoint]  a checkpoint is written after so many blocks or bytes
 * @property {string[]} [argv]  arguments of the bootstrap vat, if any were given
 * @property {RunOptions['onBlock']} [onBlock]  called after each block, which may not be acknowledged yet
 * @property {() => boolean} [shouldStop]
 * @property {(line: string) => void} [tell]
 * @property {Pick<SimulationOptions, 'observer' | 'cacheDir' | 'profile' | 'onHandOut' | 'clock'>} [simulation]
 * @property {(parts: Parameters<typeof makeLeaderService>[1]) => LeaderService} [serve]  called when it leads
 * @property {(simulation: Awaited<ReturnType<typeof makeSimulation>>) => void} [onSimulation]  called before its first crank, each time when it leads
 */

/** @typedef {{ kind: 'finished' | 'stopped' | 'ended', activity: string, cranks: number, epoch: number, report?: Report, hosts?: ReturnType<LeaderService['figures']> }} LeadOutcome */

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** The versions and the architecture of this engine, which must be the same on all machines of a run. */
export const findOwnEngine = () => {
  const { v8, icu = 'none' } = process.versions;
  return { v8, icu, arch: process.arch };
};

/**
 * Retry a request to the cluster until it is acknowledged, for `patienceMs`.
 *
 * @template T
 * @param {LeadOptions} options
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
const patiently = async ({ cluster, patienceMs = 30_000 }, act) => {
  const begunMs = cluster.nowMs();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Unacknowledged)) throw error;
      if (cluster.nowMs() - begunMs > patienceMs)
        throw new UserError(`${cluster.name} does not answer (${error.message}); start it again`, {
          exitCode: 1,
          cause: error,
        });
      await pause(100);
    }
  }
};

/** @param {LeadOptions} options @param {RunLog} log */
const makeLeaderLog =
  ({ cluster, run, leader, patienceMs = 30_000, tell = () => {} }, log) =>
  /** @param {import('./log-reader.js').Head} head @param {number} leaseMs @param {(error: Error) => void} onLost */
  (head, leaseMs, onLost) =>
    new LeaderLog({ cluster, run, log, head, leader, leaseMs, patienceMs, tell, onLost });

/**
 * Insist that this machine has no copy of a run whose log is empty.
 *
 * @param {LeadOptions} options
 * @throws {DamagedRun} if there is a copy
 */
const insistNoCopy = ({ local, run }) => {
  const copy = readCopy(local);
  if (copy !== undefined)
    throw new DamagedRun(
      run,
      `there is none, and the copy of this machine has seen ${copy.seq} records acknowledged`,
    );
};

/**
 * Find the log of the run, or make it, with its first record.
 *
 * @param {LeadOptions} options
 * @returns {Promise<RunLog | undefined>} undefined if `shouldStop()`
 */
const openLog = async options => {
  const { cluster, run, config, version, leaseMs, isStandby, rounds, shouldStop, tell } = options;
  for (let isTold = false; ; isTold = true) {
    const found = await patiently(options, () => cluster.findLog());
    const isBegun = found !== undefined && (await patiently(options, () => found.last())) > 0;
    if (isBegun) return found;
    if (shouldStop?.()) return undefined;
    insistNoCopy(options);
    if (!isStandby) {
      const log = await patiently(options, () => cluster.provideLog());
      /** @type {RunFacts} */
      const facts = {
        ...{ run, id: randomBytes(8).toString('hex'), program: config.baseDir ?? 'a config' },
        ...{ version, engine: findOwnEngine(), leaseMs, rounds: rounds ?? -1 },
        secret: randomBytes(32).toString('hex'),
      };
      const writer = makeLeaderLog(options, log)(emptyHead, leaseMs, () => {});
      // Another leader may begin it at the same moment.
      await writer.begin(facts).catch(error => {
        if (!(error instanceof LeadershipLost)) throw error;
      });
      return log;
    }
    if (!isTold) tell?.(`run ${run} has not begun yet; waiting for it`);
    await pause(leaseMs / looks);
  }
};

/**
 * Make the function that applies new records. It compares the program with the run's as soon as there is a block, so
 * that a standby of another program is refused at once, and a correct one need not compare when it takes over.
 *
 * @param {LeadOptions} options
 * @param {Follower} follower
 * @returns {() => Promise<boolean>} resolves to whether there were new records
 */
const makeFollowing = (options, follower) => {
  let isCompared = false;
  const catchUp = () => patiently(options, () => follower.catchUp());
  return async () => {
    const isNew = await catchUp();
    if (isCompared || follower.head.block === 0 || follower.ended !== undefined) return isNew;
    await insistSameProgram(options, options.local);
    isCompared = true;
    // The comparison took time: records written meanwhile show that there is a leader.
    return (await catchUp()) || isNew;
  };
};

/**
 * Wait until the run has no leader.
 *
 * @param {LeadOptions} options
 * @param {Follower} follower
 * @param {RunFacts} facts
 * @param {RunLog} log
 * @returns {Promise<boolean>} false if the run has ended, or `shouldStop()`
 */
const awaitLease = async (options, follower, { leaseMs }, log) => {
  const { cluster, run, isStandby = false, shouldStop = () => false, tell = () => {} } = options;
  const follow = makeFollowing(options, follower);
  /** @type {() => void} */
  let wake = () => {};
  const stopWatching = log.watch(() => wake());
  try {
    await follow();
    // The age of the last record is unknown: it may have been written just now.
    follower.seenMs = cluster.nowMs();
    let isTold = false;
    for (;;) {
      if (follower.ended !== undefined || shouldStop()) return false;
      if (follower.isFree || cluster.nowMs() - follower.seenMs > leaseMs) return true;
      const leftMs = leaseMs - (cluster.nowMs() - follower.seenMs);
      await Promise.race([
        pause(Math.min(leaseMs / looks, Math.max(leftMs, 0) + 1)),
        new Promise(resolve => {
          wake = () => resolve(undefined);
        }),
      ]);
      const isNew = await follow();
      if (isNew && !isStandby && !follower.isFree && follower.ended === undefined)
        throw new UserError(
          `run ${run} has a leader already, with epoch ${follower.head.epoch}; wait for it with --standby, or choose another --run`,
        );
      if (isStandby && !isTold) tell(`following run ${run} at block ${follower.head.block}`);
      isTold = true;
    }
  } finally {
    stopWatching();
  }
};

/** Refuse a program that differs from the run's. @param {LeadOptions} options @param {Store} local */
const insistSameProgram = async ({ run, config, argv, rounds, simulation = {} }, local) => {
  chooseProfile(local, { ...simulation, resume: true });
  const kernel = loadStoredKernel(local);
  if (rounds !== undefined) insistRounds(readProgress(kernel), rounds);
  const differences = await compareResumed(kernel, config, {
    ...(simulation.cacheDir !== undefined && { cacheDir: simulation.cacheDir }),
    argv,
  });
  if (differences.length === 0) return;
  throw new UserError(
    `run ${run} was begun with another config: ${differences[0]}; give the same one, or choose another --run`,
  );
};

/**
 * Lead a run to its end, or until `shouldStop()`.
 *
 * @param {LeadOptions} options
 * @returns {Promise<LeadOutcome>}
 * @throws {UserError} if the run has a leader, has another config, version or engine, its log is damaged, or the
 *   cluster does not answer
 */
export const lead = async options => {
  const { local, run, version } = options;
  try {
    const log = await openLog(options);
    if (log === undefined) return { kind: 'stopped', activity: '', cranks: 0, epoch: 0 };
    const facts = await patiently(options, () => readFacts(run, log));
    insistSameEngine(facts, { version, engine: findOwnEngine() }, 'this leader');
    // Programs are compared in a locked-down realm. A standby loads all modules before it takes over.
    const { ensureLockdown } = await import('#loader');
    await ensureLockdown();
    await import('#host/simulation.js');
    const follower = new Follower(options.cluster, run, log, local);
    for (;;) {
      if (!(await awaitLease(options, follower, facts, log))) return concludeFollowing(follower);
      try {
        return await leadFrom(options, follower, facts, log);
      } catch (error) {
        // Another standby took the lease first.
        if (!options.isStandby || !(error instanceof TakenFirst)) throw error;
      }
    }
  } finally {
    await local.close();
  }
};

/** @param {Follower} follower @returns {LeadOutcome} */
const concludeFollowing = ({ ended, head: { epoch } }) =>
  ended === undefined
    ? { kind: 'stopped', activity: '', cranks: 0, epoch }
    : { kind: 'ended', ...ended, epoch };

/** Another leader took the lease first. */
class TakenFirst extends LeadershipLost {}

/**
 * @param {LeadOptions} options
 * @param {Follower} follower
 * @param {RunFacts} facts
 * @param {RunLog} log
 * @returns {Promise<LeadOutcome>}
 */
const leadFrom = async (options, follower, facts, log) => {
  const {
    config,
    run,
    local,
    serve,
    checkpoint,
    shouldStop = () => false,
    blockSize = 200,
  } = options;
  const { tell = () => {}, rounds = facts.rounds < 0 ? undefined : facts.rounds } = options;
  if (options.leaseMs !== facts.leaseMs)
    tell(
      `run ${run} keeps the lease of ${facts.leaseMs} ms that it was begun with, not ${options.leaseMs} ms`,
    );
  /** @type {LeaderService | undefined} */
  let service;
  const writer = makeLeaderLog(options, log)(follower.head, facts.leaseMs, error =>
    service?.fail(error),
  );
  try {
    await writer.takeOver();
  } catch (error) {
    throw error instanceof LeadershipLost ? new TakenFirst(error.message) : error;
  }
  const { epoch } = writer.head;
  tell(`leading run ${run} with epoch ${epoch}, behind block ${writer.head.block}`);
  /** @type {import('#kernel').Kernel | undefined} */
  let kernel;
  /** @type {Awaited<ReturnType<typeof makeSimulation>> | undefined} */
  let simulation;
  const store = makeReplicatedStore({
    ...{ local: keptOpen(local), log: writer, isKept: options.isLocalKept ?? false },
    ...(checkpoint && { checkpoint }),
    findActivity: () => kernel?.activityHash() ?? '',
    betweenBlocks: () => service?.betweenBlocks(),
  });
  try {
    const profile = local.get('kernel.profile') ?? options.simulation?.profile ?? 'current';
    service = serve?.({ writer, facts, profile, store: local, shouldStop });
    const resume = follower.head.block > 0;
    const activity = follower.head.activity;
    simulation = await makeSimulation(resume ? undefined : config, {
      ...options.simulation,
      store,
      ...{ resume, engineFlags: 'speed', workers: 0 },
      onKernel: made => {
        kernel = made;
      },
      ...(service?.openPool && { openPool: service.openPool }),
    });
    options.onSimulation?.(simulation);
    await service?.placed();
    if (resume && simulation.activityHash() !== activity)
      throw new DamagedRun(
        run,
        `the state at block ${follower.head.block} has the activity hash ${simulation.activityHash()}, its record says ${activity}`,
      );
    const ended = await runRounds(simulation, {
      ...{ blockSize, shouldStop },
      ...(rounds !== undefined && { rounds }),
      ...(options.onBlock && { onBlock: options.onBlock }),
    });
    await simulation.kernel.commitTaken();
    await store.flushed();
    const cranks = simulation.cranks.all;
    const reached = { activity: simulation.activityHash(), cranks, epoch };
    if (ended !== 'finished') return { kind: 'stopped', ...reached };
    const report = makeReport(simulation.kernel, { workers: simulation.workers() });
    await writer.end({ activity: reached.activity, cranks });
    const hosts = service?.figures() ?? [];
    service?.end();
    return { kind: 'finished', ...reached, report, hosts };
  } catch (error) {
    if (!(error instanceof StoppedWaiting)) throw error;
    const cranks = simulation?.cranks.all ?? 0;
    return { kind: 'stopped', activity: writer.head.activity, cranks, epoch };
  } finally {
    await closeSimulation(simulation);
    // Release the lease, so that the next leader need not wait. The original error is thrown.
    await writer.release().catch(() => {});
    service?.close();
  }
};

/**
 * A store whose `close` does nothing: a simulation closes its store, but the caller closes this one.
 *
 * @param {Store} local
 * @returns {Store}
 */
const keptOpen = local => ({ ...local, close: async () => {} });

/** @param {Awaited<ReturnType<typeof makeSimulation>> | undefined} simulation */
const closeSimulation = async simulation => {
  try {
    await simulation?.close();
  } catch (error) {
    // A failed write of a block was reported before.
    if (!(error instanceof UserError)) throw error;
  }
};
