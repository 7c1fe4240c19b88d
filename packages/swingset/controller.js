// `makeSwingsetController`: the controller by which a host program of SwingSet drives a run. It queues messages and
// runs cranks; nothing is durable before `hostStorage.commit()`.

import { defaultCacheDir, describeErrorBriefly, makeSimulation } from '#host';
import { CriticalVatError } from '#kernel';
import { quote, UserError } from '#model';
import { dumpTables } from './dump.js';
import { installBundle } from './install-bundle.js';
import { changeOptions, reapAll } from './kernel-options.js';
import { krefOf, kslot, serialiseMessage } from './kmarshal.js';
import { listActiveVats, workerOf } from './kv-view.js';
import { asResultPolicy, ResultPolicies } from './result-policy.js';
import { makeLaterAnswers } from './later-answers.js';
import { pin } from './pins.js';
import { askPolicy, insistPolicy, kindOf } from './run-policy.js';
import { makeHostSlog } from './slog/index.js';
import { cellOf } from './swing-store.js';
import { flattenCounters } from './tables.js';

/** @import { CapData } from '#model' */
/** @import { CrankKind, RunPolicy } from './run-policy.js' */

/** Options of SwingSet; those of workers and bundles have no effect here. */
const knownOptions = new Set([
  ...['env', 'verbose', 'debugPrefix', 'slogCallbacks', 'slogSender', 'spawn', 'warehousePolicy'],
  ...['overrideVatManagerOptions', 'kernelBundle', 'kernelBundles', 'xsnapBundleData'],
  ...['bundleHandler', 'profileVats', 'debugVats', 'testTrackDecref', 'kernelStorage'],
  // swingset-runner of agoric-sdk gives it beside a slogSender that writes this file.
  'slogFile',
]);

/** @param {Record<string, unknown>} options */
const checkOptions = options => {
  for (const name of Object.keys(options))
    if (!knownOptions.has(name))
      throw new UserError(`makeSwingsetController: the runtime option ${quote(name)} is unknown`);
};

/** Vats print to the console of the host program, as SwingSet's do. @type {Record<string, (text: string) => void>} */
const printers = /** @type {any} */ (console);

/**
 * Resume the run of a kernel storage.
 *
 * @param {any} kernelStorage  of `initSwingStore`, with a run made by `initializeSwingset`
 * @param {Record<string, Record<string, any>> | null} [deviceEndowments]  by the names of devices
 * @param {Record<string, any>} [runtimeOptions]  `cacheDir`: the folder of compiled sources; `slogSender`,
 *   `slogCallbacks`: they get the slog; other options of SwingSet concern workers and have no effect
 * @returns the controller, with the methods of SwingSet's
 * @throws {UserError} if the storage is not ours or has no run, or an option is unknown
 */
export const makeSwingsetController = async (
  kernelStorage,
  deviceEndowments = {},
  { cacheDir = defaultCacheDir(), ...runtimeOptions } = {},
  // eslint-disable-next-line max-lines-per-function -- the methods of SwingSet's controller, each some lines long, under their names
) => {
  checkOptions(runtimeOptions);
  const cell = cellOf(kernelStorage);
  if (!cell.isInitialised)
    throw new UserError('the kernel storage has no run; call initializeSwingset() first');

  /** Lines of `testLog`. @type {string[]} */
  const log = [];
  let isVerbose = runtimeOptions.verbose === true;
  /** @type {CrankKind} */
  let lastKind = 'none';

  /** Cranks in which the kernel looks for settled promises that only refer to each other: SwingSet has none. */
  let collections = 0;

  const known = /** @type {Record<string, any>} */ ({});
  const storedDevices = cell.kernel?.devices() ?? [];
  for (const { name } of storedDevices)
    if (deviceEndowments?.[name] !== undefined) known[name] = deviceEndowments[name];

  /** @type {ReturnType<typeof makeHostSlog>} */
  const slog = makeHostSlog(runtimeOptions, {
    getKernel: () => kernel,
    managerOf: vatId => workerOf(kernel, vatId),
  });

  const finishStart = slog.begin(['kernel-init-start', 'kernel-init-finish'], {});
  const simulation = await cell.attach(() =>
    makeSimulation(undefined, {
      store: cell.store,
      resume: true,
      cacheDir,
      deviceEndowments: known,
      observer: {
        onTestLog: (_vat, text) => void log.push(text),
        onConsole: (vat, level, text) => {
          printers[level]?.(`${vat}: ${text}`);
          slog.cranks?.print(level, text);
        },
        onVatError: (vat, report) => {
          if (isVerbose) console.error(`${vat}: ${describeErrorBriefly(report)}`);
        },
      },
      crankObserver: {
        ...(slog.cranks !== undefined && {
          begins: slog.cranks.begins,
          delivered: slog.cranks.delivered,
        }),
        applied: flight => {
          slog.cranks?.applied(flight);
          // A vat that ended itself while it started is gone already.
          const isStatic = (/** @type {string} */ vatId) =>
            kernel.vatName(vatId) !== undefined && kernel.vat(vatId).isStatic;
          lastKind = kindOf(flight, isStatic);
          if (flight.found.step === 'collect') collections += 1;
        },
      },
    }),
  );
  const { kernel } = simulation;
  slog.cranks?.begin();
  finishStart();
  const policies = new ResultPolicies(kernel);
  const laterAnswers = makeLaterAnswers(kernel);
  // A failed bootstrap ends the run, for each controller of it.
  if (kernel.isStopped) policies.addStored(simulation.bootstrapResult, 'panic');
  else if (kernel.promiseStatus(simulation.bootstrapResult).state === 'unresolved')
    policies.add(simulation.bootstrapResult, 'panic');

  const insistRuns = () => {
    if (!cell.isRunBy(simulation))
      throw new UserError(
        'this controller runs nothing any more: it was shut down, or another one was made of its storage',
        { exitCode: 1 },
      );
  };

  /** @param {string} name @returns {string} id */
  const vatNameToID = name => {
    const vatId = kernel.findVat(name);
    if (vatId !== undefined && kernel.vat(vatId).state === 'running') return vatId;
    throw new UserError(`vat name ${quote(name)} must exist, but doesn't`);
  };

  /** @param {string} vatId */
  const isRunning = vatId =>
    kernel.vats().some(vat => vat.vatId === vatId && vat.state === 'running');

  /** @param {string} name @returns {string} id */
  const deviceNameToID = name => {
    const deviceId = kernel.findDevice(name);
    if (deviceId !== undefined) return deviceId;
    throw new UserError(`device name ${quote(name)} must exist, but doesn't`);
  };

  /** @param {string} vatId */
  const rootOf = vatId => /** @type {string} */ (kernel.state.vats.clist(vatId).findKref('o+0'));

  /** @param {CapData} methargs */
  const insistKnown = ({ slots }) => {
    for (const kref of slots)
      if (!kernel.isKnown(kref))
        throw new UserError(`the kernel has no ${quote(kref)}, which an argument names`);
  };

  /**
   * @param {string} target  kref
   * @param {string | symbol} method
   * @param {unknown[]} args
   * @param {string} policy
   * @returns {string | undefined} kref of the result, which the host holds
   */
  const send = (target, method, args, policy) => {
    insistRuns();
    if (typeof method !== 'string' && typeof method !== 'symbol')
      throw new TypeError(`the method must be a string or a symbol, got ${typeof method}`);
    if (!Array.isArray(args))
      throw new TypeError(`the arguments must be a list, got ${typeof args}`);
    const resultPolicy = asResultPolicy(policy);
    const methargs = serialiseMessage(method, args);
    insistKnown(methargs);
    if (resultPolicy === 'none') {
      kernel.sendOnly(target, methargs);
      return undefined;
    }
    const result = kernel.queueToTarget(target, methargs);
    policies.add(result, resultPolicy);
    return result;
  };

  /** The end of a critical vat. @type {Error | undefined} */
  let criticalEnd;

  // The host may have ended a vat that was to settle a result.
  const insistNoPanic = () => {
    policies.check();
    if (criticalEnd !== undefined) throw criticalEnd;
  };

  /** @param {number} [limit] @returns {Promise<number>} the cranks that SwingSet has, too */
  const runCranks = async limit => {
    const before = collections;
    try {
      const cranks = await simulation.runCranks(limit);
      return cranks - (collections - before);
    } catch (error) {
      const { cause } = /** @type {{ cause?: unknown }} */ (error);
      if (!(cause instanceof CriticalVatError)) throw error;
      // SwingSet's error has the body of the critical vat's end, and each run from now on throws it.
      criticalEnd = Error(cause.info.body, { cause: error });
      throw criticalEnd;
    }
  };

  /** @returns {Promise<boolean>} whether there was a crank */
  const runOne = async () => {
    for (;;) {
      const before = collections;
      if ((await runCranks(1)) > 0) return true;
      if (collections === before) return false;
    }
  };

  /**
   * Runs until the queue is empty or the policy ends it.
   *
   * @param {RunPolicy | undefined} asked
   * @returns {Promise<{ cranks: number, isEnded: boolean }>} `isEnded`: by the policy
   */
  const runQueue = async asked => {
    let cranks = 0;
    while (asked !== undefined || policies.mayPanic) {
      if (asked?.allowCleanup !== undefined) {
        const allowed = /** @type {any} */ (asked.allowCleanup());
        // SwingSet allows all if the policy returns nothing.
        kernel.setCleanupBudget(allowed ?? true);
      }
      if (!(await runOne())) return { cranks, isEnded: false };
      cranks += 1;
      policies.check();
      if (asked !== undefined && !askPolicy(asked, lastKind, kernel.lastCleanup))
        return { cranks, isEnded: true };
    }
    return { cranks: cranks + (await runCranks()), isEnded: false };
  };

  /**
   * @param {RunPolicy} [policy]
   * @returns {Promise<number>} the number of cranks run
   */
  const run = async policy => {
    insistRuns();
    insistNoPanic();
    const asked = policy === undefined ? undefined : insistPolicy(policy);
    if (asked?.allowCleanup === undefined) kernel.setCleanupBudget(true);
    let count = 0;
    do {
      const { cranks, isEnded } = await runQueue(asked);
      count += cranks;
      if (isEnded) return count;
    } while (await laterAnswers.wait());
    return count;
  };

  /** @param {string} kpid */
  const statusOf = kpid => {
    if (typeof kpid !== 'string')
      throw new TypeError(`the id of a promise must be a string, like "kp40", got ${quote(kpid)}`);
    const status = kernel.promiseStatus(kpid);
    if (status.state === 'unknown')
      throw new UserError(
        `the kernel has no promise ${quote(kpid)}; its result may have been released`,
      );
    return status;
  };

  return harden({
    /** Add a line to `dump().log`. @param {string} text */
    log: text => void log.push(String(text)),

    run,

    /** Run one crank. @returns {Promise<number>} 0 if nothing is queued */
    async step() {
      insistRuns();
      insistNoPanic();
      kernel.setCleanupBudget(true);
      const count = (await runOne()) ? 1 : 0;
      policies.check();
      return count;
    },

    async shutdown() {
      if (cell.isRunBy(simulation)) await cell.leave();
    },

    /** The kernel's tables as data, and the lines of `testLog`. */
    dump: () =>
      JSON.parse(
        JSON.stringify({ ...dumpTables(kernel.state, id => [...kernel.transcript(id)]), log }),
      ),

    /** The lines of `testLog` from a position on. @param {number} [index] @returns {string[]} */
    dumpLog: (index = 0) => log.slice(index),

    /** Whether errors of vats are printed. @param {boolean} flag */
    verboseDebugMode(flag) {
      isVerbose = flag === true;
    },

    /** The kernel's counters, by name. */
    getStats: () => flattenCounters(kernel),

    /** The vats that run, with their options. */
    getStatus: () => ({ activeVats: listActiveVats(kernel) }),

    getActivityhash: () => kernel.activityHash(),

    vatNameToID,
    deviceNameToID,

    /**
     * Queue a message to the root of a vat.
     *
     * @param {string} vatName
     * @param {string | symbol} method
     * @param {unknown[]} [args]  data and tokens of `kslot(kref)`
     * @param {'ignore' | 'logAlways' | 'logFailure' | 'panic' | 'none'} [resultPolicy]
     * @returns {string | undefined} kref of the result; undefined with the policy `none`
     */
    queueToVatRoot: (vatName, method, args = [], resultPolicy = 'ignore') =>
      send(rootOf(vatNameToID(vatName)), method, args, resultPolicy),

    /**
     * Queue a message to an object or a promise.
     *
     * @param {any} target  made by `kslot(kref)`
     * @param {string | symbol} method
     * @param {unknown[]} [args]
     * @param {'ignore' | 'logAlways' | 'logFailure' | 'panic' | 'none'} [resultPolicy]
     */
    queueToVatObject(target, method, args = [], resultPolicy = 'ignore') {
      const kref = krefOf(target);
      if (!kernel.isKnown(kref)) throw new UserError(`the kernel has no ${quote(kref)}`);
      if (kref.startsWith('kd'))
        throw new UserError(`${quote(kref)} is a device; only vats can call one, by D(device)`);
      return send(kref, method, args, resultPolicy);
    },

    /** Keep the root of a vat forever. @param {string} vatName @returns {string} its kref */
    pinVatRoot(vatName) {
      insistRuns();
      const kref = rootOf(vatNameToID(vatName));
      pin(kernel, kref);
      return kref;
    },

    /** Keep an object forever. @param {string} kref */
    pinObject(kref) {
      insistRuns();
      if (!kernel.isKnown(kref)) throw new UserError(`the kernel has no ${quote(kref)}`);
      pin(kernel, kref);
    },

    /** Keep a promise until its resolution is read. @param {string} kpid */
    kpRegisterInterest(kpid) {
      insistRuns();
      statusOf(kpid);
      kernel.hold(kpid);
    },

    /** @param {string} kpid @returns {'unresolved' | 'fulfilled' | 'rejected' | 'unknown'} */
    kpStatus(kpid) {
      if (typeof kpid !== 'string') return 'unknown';
      const { state } = kernel.promiseStatus(kpid);
      return state === 'presence' || state === 'data' ? 'fulfilled' : state;
    },

    /**
     * The resolution of a promise. References in it are kept forever, so that the host program may use them, except
     * with `incref: false`. The host's hold on the promise ends.
     *
     * @param {string} kpid
     * @param {{ incref?: boolean }} [options]
     * @returns {CapData} in krefs
     * @throws {UserError} if it is not settled
     */
    kpResolution(kpid, { incref = true } = {}) {
      insistRuns();
      const { state, data } = statusOf(kpid);
      if (state === 'unresolved' || data === null)
        throw new UserError(`resolution of ${kpid} is still pending`);
      if (incref) for (const kref of data.slots) kernel.hold(kref);
      if (kernel.holds(kpid) > 0) kernel.release(kpid);
      return { body: data.body, slots: [...data.slots] };
    },

    /** @param {any} bundle @param {string} [allegedBundleId] @returns {Promise<string>} its id */
    async validateAndInstallBundle(bundle, allegedBundleId) {
      insistRuns();
      return installBundle(simulation, bundle, allegedBundleId);
    },

    /**
     * End a vat as a failure. An id of no running vat changes nothing, as in SwingSet.
     *
     * @param {string} vatId
     * @param {CapData} reason  without slots
     */
    terminateVat(vatId, reason) {
      insistRuns();
      if (typeof reason?.body !== 'string' || !Array.isArray(reason.slots))
        throw new TypeError('terminateVat: the reason must be capdata, as kser() makes it');
      if (reason.slots.length > 0) throw new UserError('terminateVat: no slots allowed in reason');
      if (!isRunning(vatId)) return;
      try {
        kernel.endVat(vatId, true, { body: reason.body, slots: [] });
      } catch (error) {
        // The next run() tells of the end of a critical vat, as in SwingSet.
        if (!(error instanceof CriticalVatError)) throw error;
        criticalEnd = Error(error.info.body, { cause: error });
      }
    },

    /**
     * Ask every vat for its dead references; given the positions of an earlier call, only vats with a delivery since
     * then.
     *
     * @param {Record<string, number>} [previousVatPos]
     * @returns {Record<string, number>} vat → number of its deliveries
     */
    reapAllVats(previousVatPos = {}) {
      insistRuns();
      return reapAll(kernel, previousVatPos);
    },

    /** Does nothing, since transcripts restore vats. @returns {Promise<string[]>} */
    snapshotAllVats: async () => [],

    /** @param {Record<string, unknown>} options */
    changeKernelOptions(options) {
      insistRuns();
      changeOptions(kernel, options);
    },

    /**
     * Upgrade a vat of the config.
     *
     * @param {string} vatName
     * @param {boolean} shouldPauseFirst  whether its root gets `pauseService()` before, and `resumeService()` if the
     *   upgrade fails
     * @param {string} bundleId  of an installed bundle
     * @param {{ vatParameters?: object, upgradeMessage?: string }} [options]
     * @returns {string | undefined} kref of the result
     */
    upgradeStaticVat(vatName, shouldPauseFirst, bundleId, options = {}) {
      const vatId = vatNameToID(vatName);
      const pauseTarget = shouldPauseFirst ? kslot(rootOf(vatId)) : null;
      const upgradeMessage = options.upgradeMessage || `vat ${vatName} upgraded`;
      const args = [vatId, pauseTarget, bundleId, { ...options, upgradeMessage }];
      return send(rootOf(vatNameToID('vatAdmin')), 'upgradeStaticVat', args, 'ignore');
    },

    /**
     * Queue the items that `upgradeSwingset` left: none, since a state of this package is never one of an older
     * SwingSet.
     */
    injectQueuedUpgradeEvents() {
      insistRuns();
    },

    /** Write an entry of the host program's own to its slog. */
    writeSlogObject: slog.writeSlogObject,

    /** Write an entry before and one behind a function of the host program. */
    slogDuration: slog.slogDuration,

    debug: {
      /**
       * Give a raw device a function of the host program.
       *
       * @param {string} deviceName
       * @param {string} hookName
       * @param {(args: CapData) => CapData} hook  takes and returns capdata in krefs
       */
      addDeviceHook(deviceName, hookName, hook) {
        insistRuns();
        simulation.addDeviceHook(deviceName, hookName, hook);
      },
    },
  });
};
