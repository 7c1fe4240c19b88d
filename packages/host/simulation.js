// A simulation: a kernel, a store, and vats made from a config. It is what the runner runs, and what a program
// that imports the package works with.

import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { types } from 'node:util';
import { findStoredProfile, makeKernel, methodNameOf } from '#kernel';
import {
  findNearestName,
  freezeWithGetters,
  mostWorkers,
  parseWorkers,
  quote,
  UserError,
} from '#model';
import { BundleShelf } from './bundle-shelf.js';
import { makeCaller } from './calls/index.js';
import { makeCollector } from './collection.js';
import { nameConfig } from '#config';
import { pumpInTurn } from './crank-turns.js';
import { findEngineFacts, noteEngine } from '#observe/engine-facts.js';
import { outlineVats } from '#observe/outlines.js';
import { notReproducible, setEngineFlags } from './engine-flags.js';
import { ensureLockdown } from '#loader';
import { chooseLenient, insistSameLeniency } from './leniency.js';
import { inMacrotask } from './macrotask.js';
import { attachDevice, loadDevice } from './make-device.js';
import {
  beginProgram,
  installConfig,
  makeHostMarshal,
  readBootstrapResult,
  readDeviceRecord,
  readProgram,
  writeDeviceRecord,
} from './new-state.js';
import { makeObserverGuard } from './observers.js';
import { explainPending, explainPendingInLines } from './pending.js';
import { runUntilQuiet } from './run-until-quiet.js';
import { withoutPromiseHooks } from './promise-hooks.js';
import { watchReactions } from './reaction-watch.js';
import { DivergedError, replayVat } from './replay.js';
import { probeSettle } from './settle.js';
import { makeSystemClock } from './system-clock.js';
import { makeVatPlaces } from './vat-places.js';
import { watchVats } from './vat-watch.js';

/** @import { CapData } from '#model' */
/** @import { CrankObserver, Kernel, KernelStore, PhysicalClock, PromiseStatus, Transport } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { CallOptions } from './calls/index.js' */
/** @import { EngineFlags } from './engine-flags.js' */
/** @import { NewState, Program } from './new-state.js' */
/** @import { ReactionObserver } from './reaction-watch.js' */
/** @import { Handle } from './calls/handles.js' */
/** @import { RunPolicy } from './run-until-quiet.js' */
/** @import { Settle } from './settle.js' */
/** @import { OnObserverError } from './observers.js' */
/** @import { VatObserver } from './vats.js' */
/** @import { WorkerFigures, WorkerPool } from './workers/index.js' */

/**
 * Places for vats beside the kernel's thread.
 *
 * @typedef {Pick<WorkerPool, 'isFuller' | 'attach' | 'takeSpent' | 'figures' | 'close'>
 *   & { kill: (number: number) => unknown, rootHasMethod: (vatName: string, method: string) => boolean | undefined }} VatPool
 */

/** @typedef {KernelStore & { diskBytes: () => number, tableBytes: () => number, streamBytes: () => number, logBytes: () => number, flushed: () => Promise<void>, isDurable?: () => boolean, close: () => Promise<void> }} SimulationStore */

/**
 * A run that is repeated: it takes the place of the config, of the clock, and of what the engine finds dead.
 *
 * @typedef {object} RecordedRun
 * @property {(state: NewState) => Promise<Program>} install
 * @property {PhysicalClock} clock
 * @property {(vatId: string) => string | undefined} findDead
 */

/**
 * @typedef {object} SimulationOptions
 * @property {SimulationStore} store  opened by the caller; `close` of the simulation closes it
 * @property {'current' | '2020-09'} [profile]  default `current`; of a resumed state, the one it was made with
 * @property {boolean} [resume]  take up the state in the store; by default the store must be empty
 * @property {boolean} [lenient]  of a new state: whether objects of methods that nobody declared `Far` pass by reference between
 *   vats, as they did in 2020. Default: what the config says, and `false`, which refuses them as SwingSet does, if it says
 *   nothing. A resumed state keeps what it was made with. Under profile `2020-09` they always pass
 * @property {boolean} [endDiverging]  a vat that does something else than it did, when the state is resumed, is ended, as by
 *   a fault and as an input of the run; by default the state cannot be resumed then
 * @property {string} [cacheDir]  where compiled sources are kept
 * @property {Partial<VatObserver>} [observer]
 * @property {Record<string, Record<string, any>>} [deviceEndowments]  what the host program gives to devices of the
 *   config, by their names
 * @property {(deviceName: string, data: string, number: number) => unknown} [onHandOut]  takes what devices hand
 *   out, once the block is committed. It has taken it when it returns, or when its promise is fulfilled; what it has not taken
 *   when the run is stopped, or killed, it is given again when the run is resumed, with the same number
 * @property {PhysicalClock} [clock]  physical time for reactors that ask for it; by default the system's, from the moment
 *   at which the run begins. What it shows is recorded as an input of the run
 * @property {RecordedRun} [recording]  repeat this one; there is no config then
 * @property {CrankObserver} [crankObserver]  watches cranks and commits; a `StopRun` that it throws ends the run
 * @property {OnObserverError} [onObserverError]  told what a callback of these options threw, which changes nothing of the
 *   run; default: a warning of the process, once for each callback
 * @property {(vatId: string) => ReactionObserver} [observeReactions]  watches the reactions of a vat that has any, on this thread;
 *   not those that are run again to resume it
 * @property {(kernel: Kernel) => void} [onKernel]  told of the kernel before anything runs
 * @property {EngineFlags} [engineFlags]  which flags of V8 are set, for the whole process: `collections` by default, those
 *   under which what the engine finds dead is the same in every run; `speed` for more; `none` for a run whose activity hash
 *   need not repeat
 * @property {CallOptions} [calls]  bounds of `call()`: how many may wait, and how long
 * @property {Settle} [settle]  default: probed
 * @property {number | 'auto'} [workers]  so many threads beside the kernel's on which vats run; `auto` is one less than the cores,
 *   0 (the default) none. It changes how long a run takes, and nothing else. Default: what the config says
 * @property {(parts: { kernel: Kernel, shelf: BundleShelf, watch: ReturnType<typeof watchVats> }) => Promise<VatPool>} [openPool]  in
 *   place of threads: other places for vats (packages/cluster)
 * @property {number} [workerDelays]  for tests: a seed of random waits in worker threads
 * @property {number} [lookahead]  how many items the kernel may begin early; for transports that overlap
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]  for tests and measurements
 * @property {Record<string, unknown>} [vatPowers]  for measurements: given to the vats beside their usual powers. What a
 *   vat learns from them is not recorded, so a run that depends on it cannot be resumed
 */

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest();

/** @type {readonly (keyof CrankObserver & string)[]} */
const crankCallbacks = ['begins', 'ran', 'delivered', 'applied', 'commits', 'committed'];

/** @param {import('#model').Delivery} delivery */
const nameDelivery = delivery => {
  switch (delivery[0]) {
    case 'message':
      return `${methodNameOf(delivery[2])}()`;
    case 'startVat':
      return 'its start';
    case 'react':
      return 'its reactions';
    default:
      return delivery[0];
  }
};

/**
 * @param {KernelStore} store
 * @param {SimulationOptions} options
 * @returns {'current' | '2020-09'}
 */
const chooseProfile = (store, { profile, resume = false }) => {
  const stored = findStoredProfile(store);
  if (!resume) {
    if (stored !== undefined) {
      throw new UserError(
        'the store holds a state already; take it up with --resume, or start anew with --init',
      );
    }
    return profile ?? 'current';
  }
  if (stored === undefined)
    throw new UserError('there is no state to resume; run without --resume first');
  if (profile !== undefined && profile !== stored) {
    throw new UserError(
      `the state was made with --profile ${stored}, not ${profile}; leave --profile out to resume it`,
    );
  }
  return /** @type {'current' | '2020-09'} */ (stored);
};

/** How many items of a tag the kernel looks at for vats on other threads. */
const workerLookahead = 256;

/**
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @returns {number} threads
 */
const chooseWorkers = (config, { workers }) => {
  const wanted = workers === undefined ? config?.workers : workers;
  const subject = workers === undefined ? '"workers" of the config' : 'the option "workers"';
  if (wanted === 'auto') return Math.min(availableParallelism() - 1, mostWorkers);
  if (wanted !== undefined) return Number(parseWorkers(wanted, subject));
  const vats = Object.values(config?.vats ?? {});
  return vats.some(({ creationOptions }) => creationOptions?.managerType === 'worker') ? 1 : 0;
};

/**
 * Few runs have worker threads, so what they need is loaded when one does.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof watchVats>} parts.watch
 * @param {number} parts.workers
 * @param {boolean} parts.isAuto
 * @param {SimulationOptions} parts.options
 */
const openThreads = async ({ kernel, shelf, watch, workers, isAuto, options }) => {
  const { LoadMeter, makePlacer, makeWorkerPool, meterTransport } =
    await import('./workers/index.js');
  const { cacheDir, workerDelays } = options;
  const meter = new LoadMeter();
  const pool = makeWorkerPool({
    ...{ kernel, shelf, watch, count: workers, cacheDir, meter },
    ...(workerDelays !== undefined && { delays: workerDelays }),
  });
  return { pool, meter, meterTransport, isAuto, makePlacer };
};

/**
 * Make a simulation, or take up the one that the store holds.
 *
 * @param {LoadedConfig | undefined} config  not needed to resume and to repeat a recording
 * @param {SimulationOptions} options
 * @throws {UserError} a vat does not evaluate, there is no state to resume, the store holds one already, a vat does something
 *   else than it did, …
 */
export const makeSimulation = async (config, options) => {
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
  /** Give the host something; it has taken it when its callback has returned, or the promise of that is fulfilled. */
  const handOut = guard(
    'onHandOut',
    onHandOut &&
      ((
        /** @type {string} */ deviceName,
        /** @type {string} */ data,
        /** @type {number} */ number,
      ) => {
        const taking = /** @type {unknown} */ (onHandOut(deviceName, data, number));
        if (types.isPromise(taking)) return taking.then(() => kernel.noteTaken(number));
        return kernel.noteTaken(number);
      }),
  );
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

  const attachDevices = async () => {
    const { deviceEndowments = {} } = options;
    for (const name of Object.keys(deviceEndowments)) {
      if (kernel.findDevice(name) === undefined)
        throw new UserError(
          `endowments are given to device ${quote(name)}, which the run does not have`,
        );
    }
    for (const { deviceId, name } of kernel.devices()) {
      const record = readDeviceRecord(kernel, name);
      if (deviceEndowments[name] !== undefined && !record.isEndowed) {
        // What the host program does for the device is not recorded.
        record.isEndowed = true;
        writeDeviceRecord(kernel, name, record);
      }
      const code = await loadDevice(name, record, shelf);
      const endowments = deviceEndowments[name] ?? {};
      const { hooks: observer } = watch;
      const onWake = () => {
        wakes += 1;
      };
      attachDevice({ deviceId, name, record, code, kernel, shelf, endowments, observer, onWake });
    }
    kernel.keepBuilt();
  };

  /** The one that says how reactors are joined: a state has it from its beginning. */
  const configName = resume
    ? 'the config that the state was made from'
    : recording
      ? 'the recorded config'
      : nameConfig(config);

  const explained = (/** @type {unknown} */ error) => watch.explain(error, configName);

  /** @type {{ vatId: string, error: DivergedError }[]} */
  const diverged = [];

  /**
   * Bring a vat back to where it was.
   *
   * @param {{ vatId: string, name: string }} vat
   * @param {Transport} transport
   * @returns {Promise<DivergedError | undefined>} if it does something else than it did, and is to be ended for that
   */
  const replay = async ({ vatId, name }, transport) => {
    try {
      await inMacrotask(() =>
        withoutPromiseHooks(settle, () => replayVat(name, transport, kernel.transcript(vatId))),
      );
    } catch (error) {
      if (options.endDiverging && error instanceof DivergedError) return error;
      throw error;
    }
  };

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
    await attachDevices();
    for (const vat of kernel.vats()) {
      if (vat.state !== 'running') continue;
      // A vat of the system gets its place with its first delivery.
      if (vat.isBuiltIn && !resume) continue;
      const transport = await places.attach(vat);
      if (resume && !transport.isRestored) {
        const error = await replay(vat, transport);
        if (error !== undefined) {
          transport.close();
          diverged.push({ vatId: vat.vatId, error });
          continue;
        }
      }
      kernel.attachVat(vat.vatId, transport);
    }
    if (!resume && !kernel.profile.startsVatsInCranks) {
      for (const { vatId, isBuiltIn } of kernel.vats()) {
        if (isBuiltIn) continue;
        await inMacrotask(() => withoutPromiseHooks(settle, () => kernel.startOutside(vatId)));
      }
    }
  } catch (error) {
    watch.stop();
    throw explained(error);
  }
  watch.goLive();

  /** Ends the vats that do not replay, behind all items that were queued. */
  const endDiverged = () => {
    for (const { vatId, error } of diverged) {
      const { name } = kernel.vat(vatId);
      kernel.endDiverging(vatId);
      watch.hooks.onVatError(name, Error(`vat ${name} was ended: it ${error.difference}`));
    }
  };
  try {
    endDiverged();
  } catch (error) {
    watch.stop();
    throw explained(error);
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  const requireVat = name => {
    const vatId = kernel.findVat(name);
    if (vatId !== undefined) return vatId;
    const names = kernel.vats().map(vat => vat.name);
    const nearest = findNearestName(name, names);
    const hint =
      nearest === undefined
        ? `there are ${names.map(quote).join(', ')}`
        : `did you mean ${quote(nearest)}?`;
    throw new UserError(`there is no vat ${quote(name)}; ${hint}`);
  };

  /**
   * Make a vat of another thread on this one, between cranks, where it is.
   *
   * @param {string} vatId
   */
  const bringHere = async vatId => {
    const transport = await places.makeHere(vatId);
    // What it showed then is shown already.
    watch.keepBack();
    try {
      const difference = await watch.mute(() => replay(kernel.vat(vatId), transport));
      if (difference === undefined) return transport;
      transport.close();
      return undefined;
    } catch (error) {
      // It goes on where it is.
      if (!(error instanceof DivergedError)) throw error;
      transport.close();
      return undefined;
    } finally {
      watch.takeKept();
    }
  };

  const placer = threads?.makePlacer({
    ...{ kernel, meter: threads.meter, pool: threads.pool },
    ...{ describe: places.describeMovable, bringHere },
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

  /**
   * A message for a vat's root, ready to be queued as often as it is called.
   *
   * @param {string} vatName
   * @param {string} method
   * @param {unknown[]} [args]  data and handles
   * @returns {() => string}  queues it, and returns a name for the result
   * @throws {UserError} there is no such vat, or an argument cannot be passed
   */
  const prepareMessage = (vatName, method, args = []) => {
    caller.insistOpen();
    const vatId = requireVat(vatName);
    const data = values.encodeCall(`${vatName}.${method}()`, method, args);
    return () => kernel.queueToVatRoot(vatId, data);
  };

  /** The host is given what devices have handed out in committed blocks. */
  const giveHandedOut = () => {
    const handedOut = kernel.takeHandedOut();
    for (let i = 0; i < handedOut.length; i += 1) {
      const { deviceId, data, number } = handedOut[i];
      handOut?.(kernel.deviceName(deviceId), data, number);
    }
  };
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
  const { values } = caller.calls;
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

    /**
     * Queue a message to the root object of a vat; it runs with the next cranks. Hold the result with
     * `status`, and let go of it with `release`.
     *
     * @param {string} vatName
     * @param {string} method
     * @param {unknown[]} [args]  data and handles
     * @returns {string} a name for the result
     * @throws {UserError} there is no such vat, or an argument cannot be passed
     */
    queueToVatRoot(vatName, method, args) {
      const result = prepareMessage(vatName, method, args)();
      caller.driver.poke();
      return result;
    },

    prepareMessage,

    /**
     * Install a bundle for vats to be made from, between cranks. It is recorded as an input of the run.
     *
     * @param {object} bundle  what a bundler made
     * @returns {{ id: string, isNew: boolean }} its id; whether it was not installed before
     * @throws {UserError} it is no bundle
     */
    installBundle(bundle) {
      const { id, isNew } = shelf.installForeign(bundle);
      if (isNew) {
        kernel.noteBundle(id);
        // Vats may wait for it (waitForBundleCap).
        if (kernel.profile.startsVatsInCranks)
          kernel.release(prepareMessage('vatAdmin', 'bundleInstalled', [id])());
        caller.driver.poke();
      }
      return { id, isNew };
    },

    /**
     * Give a device a function that it calls while a vat calls it (`callKernelHook` of raw devices). Such a run cannot be
     * replayed from its recording, as one whose devices have endowments.
     *
     * @param {string} deviceName
     * @param {string} name  of the function
     * @param {(args: CapData) => CapData} hook  takes and returns capdata in krefs
     * @throws {UserError} there is no such device
     */
    addDeviceHook(deviceName, name, hook) {
      const deviceId = kernel.findDevice(deviceName);
      if (deviceId === undefined) throw new UserError(`there is no device ${quote(deviceName)}`);
      const record = readDeviceRecord(kernel, deviceName);
      if (!record.isEndowed) writeDeviceRecord(kernel, deviceName, { ...record, isEndowed: true });
      kernel.addDeviceHook(deviceId, name, hook);
    },

    /**
     * Hand something to a device, between cranks. It is recorded as an input of the run.
     *
     * @param {string} deviceName
     * @param {string} data  as the device takes it
     * @throws {UserError} there is no such device
     */
    deviceInput(deviceName, data) {
      const deviceId = kernel.findDevice(deviceName);
      if (deviceId === undefined) throw new UserError(`there is no device ${quote(deviceName)}`);
      kernel.deviceInput(deviceId, data);
      caller.driver.poke();
    },

    /**
     * Schedule a physical action of the root reactor of a vat, between cranks. It is recorded as an input of the run,
     * with the tag that the clock gives it.
     *
     * @param {string} vatName
     * @param {string} action  its name
     * @param {unknown} [value]  data
     * @throws {UserError} there is no such vat or action, or the value is no data
     */
    physicalInput(vatName, action, value) {
      const vatId = requireVat(vatName);
      const { body } = marshal.hardenToCapData(value);
      kernel.physicalInput(vatId, action, { body, slots: [] });
      caller.driver.poke();
    },

    /**
     * Nothing comes any more: programs of reactors that still run end at the next microstep, where their reactions to
     * `shutdown` run with the next cranks. It is recorded as an input of the run.
     */
    stopPrograms() {
      kernel.stopPrograms();
    },

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

/** A vat's error on one line, with the place in the author's file. */
