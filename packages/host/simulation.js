// Makes a simulation: a kernel, a store, and vats made from a config, for the runner and for programs that import the
// package.

import { findStoredProfile } from '#kernel';
import { placed, placeErrors } from '#loader';
import { freezeWithGetters, quote, UserError } from '#model';
import { outlineVats } from '#observe/outlines.js';
import { makeCaller } from './calls/index.js';
import { readBootstrapResult } from './state/bootstrap-result.js';
import { readProgram } from './state/new-state.js';
import { explainEnded } from './explain/ended.js';
import { explainRejectionInLines } from './explain/explain-rejection.js';
import { explainPendingInLines, makePendingExplainer } from './explain/pending.js';
import { runUntilQuiet } from './run-until-quiet.js';
import { assemble } from './simulation/assemble.js';
import { beginRun, nameSource } from './simulation/begin.js';
import { insistError, insistResult, insistSimulationOptions } from './simulation/check-options.js';
import { makeCranks } from './simulation/cranks.js';
import { findVatByName } from './simulation/find-vat.js';
import { makeHandOut } from './simulation/hand-out.js';
import { makeInputs } from './simulation/inputs.js';
import { nameDelivery } from './simulation/name-delivery.js';
import { openPlacer } from './simulation/open-threads.js';
import { takeStore } from './simulation/store-owners.js';

/** @import { PromiseStatus } from '#kernel' */
/** @import { CapData } from '#model' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Handle } from './calls/handles.js' */
/** @import { RunPolicy } from './run-until-quiet.js' */
/** @import { Assembly } from './simulation/assemble.js' */
/** @import { SimulationOptions } from './simulation/options.js' */
/** @import { WorkerFigures } from './workers/index.js' */
/** @import { EarlyThreads } from './workers/early-threads.js' */

/**
 * Make a simulation, or resume the one in the store.
 *
 * @param {LoadedConfig | undefined} config  not needed to resume or to repeat a recording
 * @param {SimulationOptions} options
 * @throws {TypeError} if an option has an unknown name or a wrong type, or the store is missing
 * @throws {UserError} if there is no config where one is needed; there is no state to resume, or the store already holds
 *   one; the state has another profile, or is damaged; another simulation of this process has the store; a source of a
 *   vat or device is missing or does not evaluate; the config has connections under `2020-09`; endowments are given to
 *   a device that the run does not have; or a vat does not repeat its transcript
 */
export const makeSimulation = (config, options) => makeWithThreads(config, options, undefined);

/**
 * Make a simulation as `makeSimulation` does, with threads that were started for it.
 *
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @param {EarlyThreads | undefined} early  those that it does not take are ended by the time it is made, and by the caller
 *   if it is not
 */
export const makeWithThreads = (config, options, early) =>
  placed(makeOwner(config, options, early));

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @param {EarlyThreads | undefined} early
 */
const makeOwner = async (config, options, early) => {
  insistSimulationOptions(config, options);
  const { store, resume = false } = options;
  if (store.isClosed?.())
    throw new UserError(
      'the store is closed, as close() of a simulation does; open it again, or let leave() end the simulation',
    );
  const hold = takeStore(store, {
    ...{ resume, holdsState: findStoredProfile(store) !== undefined },
  });
  try {
    const simulation = await makeAlone(config, options, early, hold.free);
    hold.own(() => simulation.isStarted);
    return simulation;
  } catch (error) {
    hold.free();
    throw error;
  }
};

/** Methods whose errors show the host program's own lines; `call` and the like place theirs themselves. */
const placedMethods = /** @type {const} */ ([
  ...['run', 'runCranks', 'step', 'start', 'stop', 'status', 'release', 'outlines'],
  ...['explainPending', 'explainRejection', 'queueToVatRoot', 'installBundle', 'addDeviceHook'],
  ...['deviceInput', 'physicalInput'],
]);

/**
 * Begin the run, and end the threads that it did not take, or all if it cannot begin.
 *
 * @param {Assembly} assembly
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options  checked
 * @param {EarlyThreads | undefined} early
 */
const begin = async (assembly, config, options, early) => {
  try {
    const begun = await beginRun(assembly, config, options);
    await early?.end();
    return begun;
  } catch (error) {
    await assembly.threads?.find()?.close();
    await assembly.limited.close();
    throw error;
  }
};

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options  checked
 * @param {EarlyThreads | undefined} early
 * @param {() => void} freeStore  called when the simulation is closed, or leaves its store
 */
const makeAlone = async (config, options, early, freeStore) => {
  const { store } = options;
  const assembly = await assemble(config, options, early);
  const { kernel, shelf, watch, drain, observers, collector, findPool, limited, places } = assembly;
  const { notices, countWakes } = await begin(assembly, config, options, early);

  const requireVat = (/** @type {string} */ name) => findVatByName(kernel, name);
  const placer = openPlacer(assembly, options);
  const giveHandedOut = makeHandOut(kernel, observers.guard, options.onHandOut);
  // Hands out again the values that the host may not have received before the run was stopped.
  giveHandedOut();
  const { pump, runCranks, commit, commitBlock } = makeCranks({
    ...{ ...assembly, placer, giveHandedOut },
    insistOpen: () => caller.insistOpen(),
    explain: error => watch.explain(error, nameSource(config, options)),
  });
  const caller = makeCaller(
    {
      ...{ kernel, store, requireVat, pump, commitBlock, findReport: watch.findReport },
      makeExplainer: () => makePendingExplainer(kernel),
      explainEnded: vatName => explainEnded(kernel, watch, vatName),
      isSetUp: () => kernel.promiseStatus(readBootstrapResult(kernel)).state !== 'unresolved',
    },
    options.calls ?? {},
  );
  if (options.resume) caller.calls.forgetStale(store.entries('host.'));

  const simulation = {
    profile: kernel.profile.name,

    /**
     * Lines of text for a person about the start of the run, for example that another engine resumes the state, or that
     * collections are not reproducible.
     *
     * @type {readonly string[]}
     */
    notices: Object.freeze(notices),

    /** The engine's collections inside `bringOutYourDead`: their number and nanoseconds since the last `take()`. */
    collections: Object.freeze({
      take: () => {
        const own = collector.takeSpent();
        // Called in each block; a loop over a list is slow in a locked-down realm.
        addSpent(own, findPool()?.takeSpent());
        addSpent(own, limited.find()?.takeSpent());
        return own;
      },
    }),

    /** The work of each worker thread, if there are any. @returns {WorkerFigures[]} */
    workers: () => [...(findPool()?.figures() ?? []), ...(limited.find()?.figures() ?? [])],

    /**
     * Nanoseconds for which the kernel's thread waited for worker threads: what they were busy beyond that is gained.
     *
     * @returns {number} 0 without threads
     */
    workersWaitNs: () => (findPool()?.waitedNs?.() ?? 0) + (limited.find()?.waitedNs() ?? 0),

    /** The numbers of searches for another placement of vats, of moved vats, and of returns. */
    placement: () => placer?.figures(),

    /** For tests: move a vat to a thread, 0 for the kernel's, between the next blocks. */
    moveVat(/** @type {string} */ vatName, /** @type {number} */ thread) {
      void placer?.move(requireVat(vatName), thread);
    },

    /**
     * For tests: end a worker thread, as if it ended by itself.
     *
     * @param {number} number  from 1
     * @param {boolean} [isLimited]  whether it is one of the threads and processes of vats with limits. Default false
     */
    killWorker: (number, isLimited) => (isLimited ? limited.find() : findPool())?.kill(number),

    /**
     * Run at most `limit` cranks, without committing.
     *
     * @param {number} [limit]
     * @param {number} [untilNs]  items of a later logical time wait; nanoseconds since the start of the run
     * @returns {Promise<number>} number of cranks run; less than the limit if nothing is left
     * @throws {UserError} if a vat does not start, or the simulation was started or closed
     */
    async runCranks(limit, untilNs) {
      caller.insistOwn('runCranks');
      return runCranks(limit, untilNs);
    },

    /** Like `kernel.pump`: run cranks without a new macrotask. A vat's failure to start is a UserError. */
    pump,

    /**
     * Run one crank and commit it.
     *
     * @type {() => Promise<number>} 0 if nothing was queued
     * @throws {TypeError} if it is given anything
     * @throws {UserError} if the simulation was started or closed
     */
    step: async (/** @type {unknown[]} */ ...given) => {
      caller.insistOwn('step', given);
      return caller.driver.alone(async () => {
        const cranks = await runCranks(1);
        await commit();
        return cranks;
      });
    },

    /**
     * Run until nothing is queued, one block at a time. Calls enter between blocks.
     *
     * @param {RunPolicy} [policy]
     * @returns {Promise<number>} cranks run
     * @throws {UserError} if `maxWakes` is reached, or the simulation was started or closed
     */
    async run(policy = {}) {
      caller.insistOwn('run');
      const powers = { kernel, runCranks, commit, caller, countWakes };
      return caller.driver.alone(() => runUntilQuiet(powers, policy));
    },

    ...caller.methods,

    /** Tell whether a value is a handle of this simulation, held or released. @param {unknown} value */
    isHandle: value => caller.calls.isHandle(value),

    /** End the block: resolves when everything since the last commit is in the store. */
    commit,

    /** Like `commit`, but returns a promise only if it must wait. */
    commitBlock,

    get isQuiet() {
      return kernel.isQuiet;
    },

    /** Whether it runs in the background. */
    get isStarted() {
      return caller.driver.isStarted;
    },

    /** Whether the run has stopped because `bootstrap` failed. */
    get isStopped() {
      return kernel.isStopped;
    },

    ...makeInputs({ kernel, shelf, caller, requireVat }),

    /**
     * The reactors of the config's vats and their connections, as plain data for a diagram. Vats that have not yet
     * started are started by the first cranks of the run; nothing else runs, but getters that a hostile vat has put on its
     * reactors.
     *
     * @param {{ maxBank?: number }} [outlineOptions]  a bank of more equal members (default 4) is one entry
     * @throws {UserError} if a vat with reactors runs on another thread
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
     * Tell whether the root object of a vat has a method of this name; undefined if the vat has not yet started, or is
     * a raw one, which has no such object.
     *
     * @param {string} vatName
     * @param {string} method
     */
    rootHasMethod: (vatName, method) => places.rootHasMethod(vatName, method),

    /**
     * Explain why a result is unresolved: its decider, the promise for which that vat waits, and the place in its
     * source where it sent the message without an answer. To be called between blocks, at the end of a run, since it
     * repeats the cranks of waiting vats.
     *
     * @param {string} result  a name from `queueToVatRoot`, or `bootstrapResult`
     * @returns {Promise<string[]>} lines for a person; none if it is resolved
     * @throws {UserError} if it is not a string
     */
    async explainPending(result) {
      insistResult('explainPending()', result);
      return explainPendingInLines(result, { kernel, places, watch, drain });
    },

    /**
     * Find the places where vats sent messages whose results were rejected with an error, the latest first. To be
     * called between blocks, in a failed run, since it repeats the cranks of the sending vats.
     *
     * @param {{ name: string, message: string } | CapData} error  as the vats get it, for example a `VatError`; capdata, as
     *   `status()` gives it, of a reason that is no error
     * @returns {Promise<string[]>} lines for a person; none if no vat sent such a message lately
     * @throws {UserError} if it is neither of them
     */
    async explainRejection(error) {
      return explainRejectionInLines(insistError('explainRejection()', error), {
        ...{ kernel, places, watch, drain },
      });
    },

    /**
     * @param {string} result  a name from `queueToVatRoot`, or `bootstrapResult`
     * @returns {PromiseStatus} `unknown` if it was released
     * @throws {UserError} if it is not a string
     */
    status(result) {
      insistResult('status()', result);
      return kernel.promiseStatus(result);
    },

    /**
     * Release a result from `queueToVatRoot`, or a handle: once for each answer that contained it.
     *
     * @param {string | Handle} held
     * @returns {void | Promise<void>} a promise in the case of a handle
     * @throws {UserError} if it is already released, or is neither of them
     */
    release(held) {
      if (typeof held !== 'string') return caller.calls.releaseHandle(held);
      if (!kernel.state.held.has(held))
        throw new UserError(
          `the result ${quote(held)} is not held; each that queueToVatRoot() gives is released once`,
        );
      kernel.release(held);
    },

    /**
     * The running delivery and its vat, for an observer during a crank (a signal, a debugger); undefined between
     * cranks. `crank` is the crank's number.
     *
     * @returns {{ vatName: string, doing: string, crank: number } | undefined}
     */
    atWork() {
      const { vatName, delivery, cranks } = watch.running;
      if (vatName === undefined || delivery === undefined) return undefined;
      return { vatName, doing: nameDelivery(delivery), crank: cranks };
    },

    /** Memory where another thread reads which vat is at work; engine/work-board.js describes its layout. */
    workBytes: watch.running.board.bytes,

    /** Memory where a worker reads which vat is at work, and the number of the crank. */
    workShared: watch.running.board.shared,

    /** The name of bootstrap's result. */
    get bootstrapResult() {
      return readBootstrapResult(kernel);
    },

    /** The name of the vat behind a launcher, in an indirect run. */
    get launches() {
      return readProgram(kernel).launches;
    },

    /** The name of the vat that got `bootstrap`. */
    get bootstrapVat() {
      return readProgram(kernel).bootstrap;
    },

    /** Numbers of all cranks, and of control cranks. */
    get cranks() {
      return kernel.cranks;
    },

    /** The counters, live. */
    counters: kernel.counters,

    activityHash: () => kernel.activityHash(),

    /** Bytes of the database on disk, and of its tables, streams (transcripts and others) and log. */
    diskBytes: () => store.diskBytes(),
    tableBytes: () => store.tableBytes(),
    streamBytes: () => store.streamBytes(),
    logBytes: () => store.logBytes(),

    /** Resolves when all committed blocks are durable. */
    flushed: () => store.flushed(),

    /** For measurements and inspection. */
    kernel,

    /** Stop, and leave the store open. Uncommitted changes are lost; waiting calls are rejected. */
    async leave() {
      await caller.close();
      watch.stop();
      freeStore();
    },

    /** Stop, and close the store. Uncommitted changes are lost; waiting calls are rejected. */
    async close() {
      await caller.close();
      watch.stop();
      freeStore();
      try {
        await kernel.commitTaken();
      } finally {
        await findPool()?.close();
        await limited.close();
        await store.close();
      }
    },
  };
  return freezeWithGetters(placeErrors(simulation, placedMethods));
};

/**
 * @param {{ count: number, ns: number }} spent  the sum, increased
 * @param {{ count: number, ns: number } | undefined} more
 */
const addSpent = (spent, more) => {
  if (more === undefined) return;
  spent.count += more.count;
  spent.ns += more.ns;
};

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */
