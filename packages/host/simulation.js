// A simulation: a kernel, a store, and vats made from a config. It is what the runner runs, and what a program
// that imports the package works with.

import { freezeWithGetters, quote, UserError } from '#model';
import { outlineVats } from '#observe/outlines.js';
import { makeCaller } from './calls/index.js';
import { makeHostMarshal, readBootstrapResult, readProgram } from './new-state.js';
import { explainRejectionInLines } from './explain-rejection.js';
import { explainPendingInLines, makePendingExplainer } from './pending.js';
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

/** @import { PromiseStatus } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Handle } from './calls/handles.js' */
/** @import { RunPolicy } from './run-until-quiet.js' */
/** @import { SimulationOptions } from './simulation/options.js' */
/** @import { WorkerFigures } from './workers/index.js' */

/**
 * Make a simulation, or take up the one that the store holds.
 *
 * @param {LoadedConfig | undefined} config  not needed to resume and to repeat a recording
 * @param {SimulationOptions} options
 * @throws {TypeError} an option has a name or a type that it cannot have, or the store is missing
 * @throws {UserError} a vat does not evaluate, there is no state to resume, the store holds one already, a vat does something
 *   else than it did, …
 */
export const makeSimulation = async (config, options) => {
  insistSimulationOptions(config, options);
  const { store } = options;
  const assembly = await assemble(config, options);
  const { kernel, shelf, watch, settle, observers, collector, pool, limited, places } = assembly;
  const { notices, countWakes } = await beginRun(assembly, config, options);

  const requireVat = (/** @type {string} */ name) => findVatByName(kernel, name);
  const placer = openPlacer(assembly);
  const giveHandedOut = makeHandOut(kernel, observers.guard, options.onHandOut);
  // Hands out again the values that the host may not have received before the run was stopped.
  giveHandedOut();
  const { pump, runCranks, commit, commitBlock } = makeCranks({
    ...{ kernel, settle, placer, giveHandedOut, rehearse: assembly.rehearse },
    insistOpen: () => caller.insistOpen(),
    explain: error => watch.explain(error, nameSource(config, options)),
  });
  const caller = makeCaller(
    {
      ...{ kernel, store, requireVat, pump, commitBlock, findReport: watch.findReport },
      makeExplainer: () => makePendingExplainer(kernel),
      isSetUp: () => kernel.promiseStatus(readBootstrapResult(kernel)).state !== 'unresolved',
    },
    options.calls ?? {},
  );
  const marshal = makeHostMarshal(kernel.profile);
  const inputs = makeInputs({ kernel, shelf, caller, marshal, requireVat });
  if (options.resume) caller.calls.dropStale(store.entries('host.'));

  return freezeWithGetters({
    profile: kernel.profile.name,

    /**
     * Notices for a person about how the run begins: that another engine takes up the state than ran it before, that its
     * collections are not reproducible. Lines of text.
     *
     * @type {readonly string[]}
     */
    notices: Object.freeze(notices),

    /** The engine's collections inside `bringOutYourDead`: how many since the last `take()`, and their nanoseconds. */
    collections: Object.freeze({
      take: () => {
        const own = collector.takeSpent();
        // Each block asks, and a loop over a list is slow in a locked-down realm.
        addSpent(own, pool?.takeSpent());
        addSpent(own, limited.find()?.takeSpent());
        return own;
      },
    }),

    /** The work of each worker thread, if there are any. @returns {WorkerFigures[]} */
    workers: () => [...(pool?.figures() ?? []), ...(limited.find()?.figures() ?? [])],

    /** How often another placement of vats was looked for, how many vats moved, and how often it was taken back. */
    placement: () => placer?.figures(),

    /** For tests: a vat moves to a thread, 0 for the kernel's, between the next blocks. */
    moveVat(/** @type {string} */ vatName, /** @type {number} */ thread) {
      placer?.move(requireVat(vatName), thread);
    },

    /** For tests: a worker thread ends as if by itself. @param {number} number  from 1 */
    killWorker: number => pool?.kill(number),

    /**
     * Run at most `limit` cranks, without committing.
     *
     * @param {number} [limit]
     * @param {number} [untilNs]  items of a later logical time wait
     * @returns {Promise<number>} how many were run; fewer than the limit when nothing is left
     * @throws {UserError} a vat does not start, or the simulation is started or closed
     */
    async runCranks(limit, untilNs) {
      caller.insistOwn('runCranks');
      return runCranks(limit, untilNs);
    },

    /** Runs cranks without a new macrotask: as `kernel.pump`, with a vat's failure to start as a UserError. */
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
      const powers = { kernel, runCranks, commit, caller, countWakes };
      return caller.driver.alone(() => runUntilQuiet(powers, policy));
    },

    ...caller.methods,

    /** Whether a value is a handle of this simulation, held or released. @param {unknown} value */
    isHandle: value => caller.calls.isHandle(value),

    /** End the block: all since the last commit is in the store when this returns. */
    commit,

    /** Ends the block as `commit` does, and returns a promise only if it must wait. */
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
     * @throws {UserError} a vat with reactors runs on another thread
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
     * @throws {UserError} it is no string
     */
    async explainPending(result) {
      insistResult('explainPending()', result);
      return explainPendingInLines(result, { kernel, places, watch, settle });
    },

    /**
     * Where vats sent the messages whose results were rejected with an error, the latest first. Between blocks. It repeats the
     * cranks of the vats that sent them, so it is for a run that has failed.
     *
     * @param {{ name: string, message: string }} error  as the vats are told of it; a `VatError`, for example
     * @returns {Promise<string[]>} lines for a person; none if no vat sent such a message, or too long ago
     * @throws {UserError} it is no error
     */
    async explainRejection(error) {
      return explainRejectionInLines(insistError('explainRejection()', error), {
        ...{ kernel, places, watch, settle },
      });
    },

    /**
     * @param {string} result  a name that `queueToVatRoot` gave, or `bootstrapResult`
     * @returns {PromiseStatus} `unknown` if it was let go of
     * @throws {UserError} it is no string
     */
    status(result) {
      insistResult('status()', result);
      return kernel.promiseStatus(result);
    },

    /**
     * Let go of a result that `queueToVatRoot` named, or of a handle: once for each answer that brought it.
     *
     * @param {string | Handle} held
     * @returns {void | Promise<void>} of a handle, a promise for it
     * @throws {UserError} it was released already, or is neither
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
     * The running delivery and its vat, for an observer during a crank (a signal, a debugger): undefined between cranks.
     * `crank` tells one crank from another.
     *
     * @returns {{ vatName: string, doing: string, crank: number } | undefined}
     */
    atWork() {
      const { vatName, delivery, cranks } = watch.running;
      if (vatName === undefined || delivery === undefined) return undefined;
      return { vatName, doing: nameDelivery(delivery), crank: cranks };
    },

    /** Memory that tells another thread which vat is at work; work-board.js describes its layout. */
    workBytes: watch.running.board.bytes,

    /** Memory that tells a worker which vat is at work, with the number of the crank. */
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
        await limited.close();
        await store.close();
      }
    },
  });
};

/**
 * @param {{ count: number, ns: number }} spent  gets more
 * @param {{ count: number, ns: number } | undefined} more
 */
const addSpent = (spent, more) => {
  if (more === undefined) return;
  spent.count += more.count;
  spent.ns += more.ns;
};

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */
