// A simulation: a kernel, a store, and vats made from a config. It is what the runner runs, and what a program
// that imports the package works with.

import { createHash } from 'node:crypto';
import { makeKernel } from '#kernel';
import { freezeWithGetters, UserError } from '#model';
import { attachDevices } from './simulation/attach-devices.js';
import { insistSimulationOptions } from './simulation/check-options.js';
import { BundleShelf } from './bundle-shelf.js';
import { makeCaller } from './calls/index.js';
import { chooseProfile, chooseWorkers } from './simulation/choose-run.js';
import { makeCollector } from './collection.js';
import { nameConfig } from '#config';
import { pumpInTurn } from './crank-turns.js';
import { findEngineFacts, noteEngine } from '#observe/engine-facts.js';
import { outlineVats } from '#observe/outlines.js';
import { notReproducible, setEngineFlags } from './engine-flags.js';
import { ensureLockdown } from '#loader';
import { chooseLenient, insistSameLeniency } from './leniency.js';
import { findVatByName } from './simulation/find-vat.js';
import { makeHandOut } from './simulation/hand-out.js';
import { inMacrotask } from './macrotask.js';
import {
  beginProgram,
  installConfig,
  makeHostMarshal,
  readBootstrapResult,
  readProgram,
} from './new-state.js';
import { nameDelivery } from './simulation/name-delivery.js';
import { makeObserverGuard } from './observers.js';
import { openThreads, workerLookahead } from './simulation/open-threads.js';
import { explainPending, explainPendingInLines } from './pending.js';
import { runUntilQuiet } from './run-until-quiet.js';
import { withoutPromiseHooks } from './promise-hooks.js';
import { watchReactions } from './reaction-watch.js';
import { probeSettle } from './settle.js';
import { makeInputs } from './simulation/inputs.js';
import { makeSystemClock } from './system-clock.js';
import { attachVats, endDiverged, makeBringHere, makeReplay } from './simulation/vat-histories.js';
import { makeVatPlaces } from './vat-places.js';
import { watchVats } from './vat-watch.js';

/** @import { CrankObserver, PromiseStatus } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Handle } from './calls/handles.js' */
/** @import { RunPolicy } from './run-until-quiet.js' */
/** @import { SimulationOptions, VatPool } from './simulation/options.js' */
/** @import { Diverged } from './simulation/vat-histories.js' */
/** @import { WorkerFigures } from './workers/index.js' */

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest();

/** @type {readonly (keyof CrankObserver & string)[]} */
const crankCallbacks = ['begins', 'ran', 'delivered', 'applied', 'commits', 'committed'];

/**
 * Make a simulation, or take up the one that the store holds.
 *
 * @param {LoadedConfig | undefined} config  not needed to resume and to repeat a recording
 * @param {SimulationOptions} options
 * @throws {TypeError} an option has a name or a type that it cannot have, or the store is missing
 * @throws {UserError} a vat does not evaluate, there is no state to resume, the store holds one already, a vat does something
 *   else than it did, …
 */
// eslint-disable-next-line max-lines-per-function -- the methods that host programs are given, each some lines long, over one run
export const makeSimulation = async (config, options) => {
  insistSimulationOptions(config, options);
  const { store, resume = false, cacheDir } = options;
  const workers = chooseWorkers(config, options);
  const { openPool: openOther } = options;
  const hasPool = workers > 0 || openOther !== undefined;
  const { lookahead = hasPool ? workerLookahead : 0 } = options;
  const { recording } = options;
  await ensureLockdown();
  const settle = options.settle ?? (await probeSettle());
  const profileName = chooseProfile(store, options);

  const observers = makeObserverGuard(options.onObserverError);
  const { guard, guardAll } = observers;
  const observer = guardAll('observer', options.observer ?? {}, [
    'onConsole',
    'onTestLog',
    'onVatError',
  ]);
  const { onHandOut } = options;
  const { observeReactions } = options;
  const watch = watchVats(observer, resume);
  const kernel = makeKernel(profileName, {
    store,
    sha256,
    lookahead,
    takesHandedOut: onHandOut !== undefined,
    clock: recording?.clock ?? options.clock ?? makeSystemClock(),
    ...(recording && { findDead: recording.findDead }),
    ...(options.crankObserver && {
      crankObserver: guardAll('crankObserver', options.crankObserver, crankCallbacks),
    }),
    onVatFault: (vatId, problem) => {
      const name = kernel.vatName(vatId) ?? vatId;
      watch.hooks.onVatError(name, Error(`vat ${name} was ended: ${problem}`));
    },
    onDeviceFault: (deviceId, problem, isThrown) => {
      // What its code threw was told of where it was thrown, with its stack.
      if (!isThrown) watch.hooks.onVatError(kernel.deviceName(deviceId), Error(problem));
    },
    onUpgrade: (vatId, problem) => {
      places.settleUpgrade(vatId, problem === null);
      if (problem === null) return;
      const { name } = kernel.vat(vatId);
      const told = `vat ${name} was not upgraded, and goes on as it was: ${problem}`;
      watch.hooks.onVatError(name, Error(told));
    },
    makeTransport: (vatId, isUpgrade) => places.attach(kernel.vat(vatId), isUpgrade),
  });
  const shelf = new BundleShelf(kernel, cacheDir);
  const { engineFlags = 'collections' } = options;
  const collectionFlags = setEngineFlags(engineFlags, kernel.profile.collectsObjects);
  const collector = makeCollector(() => kernel.askedNext());
  const isAuto = (options.workers ?? config?.workers) === 'auto';
  const threads =
    workers > 0 && openOther === undefined
      ? await openThreads({ kernel, shelf, watch, workers, isAuto, options })
      : undefined;
  /** @type {VatPool | undefined} */
  const pool = (await openOther?.({ kernel, shelf, watch })) ?? threads?.pool;
  const places = makeVatPlaces({
    ...{ kernel, shelf, settle, collector, watch, options, threads, pool },
    ...(observeReactions && {
      observeReactions: watchReactions(observers, observeReactions, watch.isLive),
    }),
  });
  const marshal = makeHostMarshal(kernel.profile);

  const makeState = async () => {
    const parts = { kernel, shelf, cacheDir, notices };
    const program = recording ? await recording.install(parts) : undefined;
    if (config === undefined && program === undefined)
      throw new UserError('a new simulation needs a config');
    const wanted = program ?? (await installConfig(/** @type {LoadedConfig} */ (config), parts));
    if (program === undefined) wanted.strict = !chooseLenient(config, options, profileName);
    beginProgram(kernel, wanted);
  };

  /** Wake-ups of devices, in this process. */
  let wakes = 0;

  /** The one that says how reactors are joined: a state has it from its beginning. */
  const configName = resume
    ? 'the config that the state was made from'
    : recording
      ? 'the recorded config'
      : nameConfig(config);

  const explained = (/** @type {unknown} */ error) => watch.explain(error, configName);

  const replay = makeReplay({ kernel, settle, endDiverging: options.endDiverging });
  /** @type {Diverged[]} */
  let diverged;

  /** Lines for people. @type {string[]} */
  const notices = [];
  const noteRest = () => {
    const another = noteEngine(kernel, findEngineFacts(collectionFlags));
    if (another !== undefined) notices.push(another);
    if (collectionFlags === 'not set') notices.push(notReproducible);
  };

  try {
    if (resume) {
      kernel.load();
      insistSameLeniency(kernel, options);
    } else await makeState();
    kernel.insistOnBootstrap(readProgram(kernel).bootstrap, readBootstrapResult(kernel));
    noteRest();
    guard('onKernel', options.onKernel)?.(kernel);
    const onWake = () => {
      wakes += 1;
    };
    await attachDevices({ kernel, shelf, watch, onWake }, options.deviceEndowments);
    diverged = await attachVats({ kernel, places, settle, resume, replay });
  } catch (error) {
    watch.stop();
    throw explained(error);
  }
  watch.goLive();

  try {
    // Behind all items that were queued.
    endDiverged(kernel, watch, diverged);
  } catch (error) {
    watch.stop();
    throw explained(error);
  }

  const requireVat = (/** @type {string} */ name) => findVatByName(kernel, name);

  const placer = threads?.makePlacer({
    ...{ kernel, meter: threads.meter, pool: threads.pool },
    ...{
      describe: places.describeMovable,
      bringHere: makeBringHere({ kernel, places, watch, replay }),
    },
    attach: (vatId, transport, isHere) => {
      const place = isHere ? transport : places.leaveHere(vatId, transport);
      kernel.moveVat(vatId, place);
    },
  });

  /**
   * @param {number} limit
   * @param {number} [untilNs]
   */
  const pump = (limit, untilNs) => {
    caller.insistOpen();
    placer?.enter();
    try {
      return withoutPromiseHooks(settle, () => pumpInTurn(kernel, settle, limit, untilNs));
    } catch (error) {
      throw explained(error);
    }
  };

  /**
   * Run at most `limit` cranks, without committing.
   *
   * @param {number} [limit]
   * @param {number} [untilNs]  items of a later logical time wait
   * @returns {Promise<number>} how many were run; fewer than the limit when nothing is left
   */
  const runCranks = async (limit = Infinity, untilNs = Infinity) => {
    let total = 0;
    for (;;) {
      const { cranks, waiting } = await inMacrotask(() => pump(limit - total, untilNs));
      total += cranks;
      if (waiting === null) return total;
      await waiting;
    }
  };

  const giveHandedOut = makeHandOut(kernel, guard, onHandOut);
  // What was perhaps not given before the run was stopped.
  giveHandedOut();

  /** @returns {void | Promise<void>} as the store's commit */
  const commitBlock = () => {
    caller.insistOpen();
    const committing = kernel.commit();
    if (committing) return committing.then(endBlock);
    return endBlock();
  };

  /** @returns {void | Promise<void>} */
  const endBlock = () => {
    giveHandedOut();
    return placer?.atBlock();
  };

  const commit = async () => {
    await commitBlock();
  };

  const caller = makeCaller(
    {
      ...{ kernel, store, requireVat, pump, commitBlock, findReport: watch.findReport },
      explainPending: (_subject, kref) => explainPending(kernel, kref),
      isSetUp: () => kernel.promiseStatus(readBootstrapResult(kernel)).state !== 'unresolved',
    },
    options.calls ?? {},
  );
  const inputs = makeInputs({ kernel, shelf, caller, marshal, requireVat });
  if (resume) caller.calls.dropStale(store.entries('host.'));

  return freezeWithGetters({
    profile: kernel.profile.name,

    /**
     * What a person should know of how the run begins: that another engine takes up the state than ran it before, that its
     * collections are not reproducible. Lines of text. @type {readonly string[]}
     */
    notices: Object.freeze(notices),

    /** The engine's collections inside `bringOutYourDead`: how many since the last `take()`, and their nanoseconds. */
    collections: Object.freeze({
      take: () => {
        const own = collector.takeSpent();
        if (pool === undefined) return own;
        const others = pool.takeSpent();
        return { count: own.count + others.count, ns: own.ns + others.ns };
      },
    }),

    /** What each worker thread has done, if there are any. @returns {WorkerFigures[]} */
    workers: () => pool?.figures() ?? [],

    /** How often another placement of vats was looked for, how many vats moved, and how often it was taken back. */
    placement: () => placer?.figures(),

    /** For tests: a vat moves to a thread, 0 for the kernel's, between the next blocks. */
    moveVat(/** @type {string} */ vatName, /** @type {number} */ thread) {
      placer?.move(requireVat(vatName), thread);
    },

    /** For tests: a worker thread ends as if by itself. @param {number} number  from 1 */
    killWorker: number => pool?.kill(number),

    runCranks,

    /** The same for who is in a macrotask already: as `kernel.pump`, with a vat's failure to start as a UserError. */
    pump,

    /**
     * Run one crank and commit it.
     *
     * @returns {Promise<number>} 0 when nothing was queued
     * @throws {UserError} the simulation was started, or is closed
     */
    async step() {
      caller.insistOwn('step');
      return caller.driver.alone(async () => {
        const cranks = await runCranks(1);
        await commit();
        return cranks;
      });
    },

    /**
     * Run until nothing is queued, a block at a time. Calls that come meanwhile enter between blocks.
     *
     * @param {RunPolicy} [policy]
     * @returns {Promise<number>} cranks run
     * @throws {UserError} `maxWakes` is reached; the simulation was started, or is closed
     */
    async run(policy = {}) {
      caller.insistOwn('run');
      const powers = { kernel, runCranks, commit, caller, countWakes: () => wakes };
      return caller.driver.alone(() => runUntilQuiet(powers, policy));
    },

    ...caller.methods,

    /** Whether a value is a handle of this simulation, held or released. @param {unknown} value */
    isHandle: value => caller.calls.isHandle(value),

    /** End the block: all since the last commit is in the store when this returns. */
    commit,

    /** The same for who can do with less than a promise. */
    commitBlock,

    get isQuiet() {
      return kernel.isQuiet;
    },

    /** Whether nothing runs any more, because `bootstrap` has failed. */
    get isStopped() {
      return kernel.isStopped;
    },

    ...inputs,

    /**
     * The reactors of the config's vats and the connections between them, as plain data for a diagram. Vats that have not
     * started yet are started, by the first cranks of the run; nothing else runs.
     *
     * @param {{ maxBank?: number }} [outlineOptions]  a bank of more members (4) that are alike is told as one
     */
    async outlines(outlineOptions = {}) {
      while (kernel.state.queue.peek()?.kind === 'start') await runCranks(1);
      return outlineVats(kernel, places.supervisors, outlineOptions);
    },

    /** Whether a vat has reactors whose program has not ended. */
    get hasPrograms() {
      return kernel.hasPrograms;
    },

    /**
     * Whether the root object of a vat has a method of this name; undefined for a vat that has not started yet, and
     * for a raw one, which has no such object.
     *
     * @param {string} vatName
     * @param {string} method
     */
    rootHasMethod: (vatName, method) => places.rootHasMethod(vatName, method),

    /**
     * Why a result has not settled: who is to decide it, what that vat waits for, and where in its source it sent the message
     * whose answer does not come. Between blocks. It repeats the cranks of vats that wait, so it is for a run that has
     * come to its end.
     *
     * @param {string} result  a name that `queueToVatRoot` gave, or `bootstrapResult`
     * @returns {Promise<string[]>} lines for a person; none if it has settled
     */
    explainPending: result => explainPendingInLines(result, { kernel, places, watch, settle }),

    /** @param {string} result @returns {PromiseStatus} */
    status: result => kernel.promiseStatus(result),

    /**
     * Let go of a result that `queueToVatRoot` named, or of a handle: once for each answer that brought it.
     *
     * @param {string | Handle} held
     * @returns {void | Promise<void>} of a handle, a promise for it
     * @throws {UserError} the handle was released already, or is none
     */
    release(held) {
      if (typeof held !== 'string') return caller.calls.releaseHandle(held);
      kernel.release(held);
    },

    /**
     * What a vat does at this moment, for whoever looks while a crank is under way (a signal, a debugger): undefined
     * between cranks. `crank` tells one crank from another.
     *
     * @returns {{ vatName: string, doing: string, crank: number } | undefined}
     */
    atWork() {
      const { vatName, delivery, cranks } = watch.running;
      if (vatName === undefined || delivery === undefined) return undefined;
      return { vatName, doing: nameDelivery(delivery), crank: cranks };
    },

    /** Which vat is at work, for another thread: work-board.js says what stands in it. */
    workBytes: watch.running.board.bytes,

    /** The same for a worker, with the number of the crank. */
    workShared: watch.running.board.shared,

    /** The name of bootstrap's result. */
    get bootstrapResult() {
      return readBootstrapResult(kernel);
    },

    /** The name of the vat that a launcher stands for, in an indirect run. */
    get launches() {
      return readProgram(kernel).launches;
    },

    /** The name of the vat that was sent `bootstrap`. */
    get bootstrapVat() {
      return readProgram(kernel).bootstrap;
    },

    /** Numbers of cranks: all, and the control cranks among them. */
    get cranks() {
      return kernel.cranks;
    },

    /** The counters, live. */
    counters: kernel.counters,

    activityHash: () => kernel.activityHash(),

    /** Bytes of the database on disk, and of what its tables take of that: not of transcripts and other streams. */
    diskBytes: () => store.diskBytes(),
    tableBytes: () => store.tableBytes(),
    streamBytes: () => store.streamBytes(),
    logBytes: () => store.logBytes(),

    /** All committed blocks are durable when this resolves. */
    flushed: () => store.flushed(),

    /** For those who measure or look inside. */
    kernel,

    /** Stop, and leave the store open. What was not committed is lost; calls that wait are rejected. */
    async leave() {
      await caller.close();
      watch.stop();
    },

    /** Stop; what was not committed is lost. Calls that wait are rejected. */
    async close() {
      await caller.close();
      watch.stop();
      try {
        await kernel.commitTaken();
      } finally {
        await pool?.close();
        await store.close();
      }
    },
  });
};

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */
