// A simulation: a kernel, a store, and vats made from a config. It is what the runner runs, and what a program
// that imports the package works with.

import { createHash } from 'node:crypto';
import { errorData, findStoredProfile, makeKernel, VatStartError } from '#kernel';
import { quote, UserError } from '#model';
import { makeQclassMarshal, makeSmallcapsMarshal } from '#vat';
import { builtInDevices, builtInVats, comesLater } from './built-in.js';
import { describeErrorBriefly, isErrorOfVat } from './compartment/index.js';
import { hasMethod } from './find-method.js';
import { makeLocalTransport } from './local-transport.js';
import { ensureLockdown, installRejectionPolicy } from './lockdown.js';
import { inMacrotask } from './macrotask.js';
import { replayVat } from './replay.js';
import { probeSettle } from './settle.js';
import { bundleConfiguredVat, makeSupervisor, prepareVat } from './vats.js';

/** @import { Kernel, KernelStore, PromiseStatus, Transport } from '#kernel' */
/** @import { LoadedConfig } from './config/load-config.js' */
/** @import { Running } from './local-transport.js' */
/** @import { Settle } from './settle.js' */
/** @import { VatObserver } from './vats.js' */

/** @typedef {KernelStore & { diskBytes: () => number, flushed: () => Promise<void>, close: () => Promise<void> }} SimulationStore */

/**
 * @typedef {object} SimulationOptions
 * @property {SimulationStore} store  opened by the caller; `close` of the simulation closes it
 * @property {'current' | '2020-09'} [profile]  default `current`; of a resumed state, the one it was made with
 * @property {boolean} [resume]  take up the state in the store; by default the store must be empty
 * @property {string} [cacheDir]  where compiled sources are kept
 * @property {Partial<VatObserver>} [observer]
 * @property {Settle} [settle]  default: probed
 * @property {number} [lookahead]  how many items the kernel may begin early; for transports that overlap
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]  for tests
 */

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest();

const bootstrapKey = 'host.bootstrapResult';
const bootstrapVatKey = 'host.bootstrapVat';
const bundleKey = (/** @type {string} */ id) => /** @type {const} */ (`host.bundle.${id}`);
const urlsKey = (/** @type {string} */ id) => /** @type {const} */ (`local.sourceUrls.${id}`);

/**
 * The marshaller of the host's own messages: data only, no references.
 *
 * @param {Kernel['profile']} profile
 */
const makeHostMarshal = ({ wire }) => {
  const refuse = () => {
    throw new UserError(
      'the arguments of a host message, and the parameters of a vat, can only be data',
    );
  };
  const make = wire.name === 'qclass' ? makeQclassMarshal : makeSmallcapsMarshal;
  return make(refuse, refuse, {});
};

/**
 * A vat's parameters as the body of its start delivery. Those of 2020 are JSON, as they stood in the config.
 *
 * @param {Kernel['profile']} profile
 * @param {ReturnType<typeof makeHostMarshal>} marshal
 * @param {Record<string, unknown>} parameters
 */
const formatParameters = ({ wire }, marshal, parameters) =>
  wire.name === 'qclass' ? JSON.stringify(parameters) : marshal.hardenToCapData(parameters).body;

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

/**
 * Make a simulation, or take up the one that the store holds.
 *
 * @param {LoadedConfig | undefined} config  not needed to resume
 * @param {SimulationOptions} options
 * @throws {UserError} a vat does not evaluate, there is no state to resume, the store holds one already, …
 */
export const makeSimulation = async (config, options) => {
  const { store, resume = false, cacheDir, lookahead = 0, wrapTransport = t => t } = options;
  await ensureLockdown();
  const settle = options.settle ?? (await probeSettle());
  const profileName = chooseProfile(store, options);

  let isReplaying = resume;
  const given = options.observer ?? {};
  /** Errors that were told of. @type {WeakSet<object>} */
  const told = new WeakSet();
  /** The last error of each vat, by its name. @type {Map<string, unknown>} */
  const lastErrors = new Map();
  /** @type {VatObserver} */
  const observer = {
    // A replayed vat has said everything before.
    onConsole: (...said) => (isReplaying ? undefined : given.onConsole?.(...said)),
    onVatError: (vatName, error) => {
      if (typeof error === 'object' && error !== null) {
        if (told.has(error)) return;
        told.add(error);
      }
      lastErrors.set(vatName, error);
      if (!isReplaying) given.onVatError?.(vatName, error);
    },
  };
  /** @type {Running} */
  const running = { vatName: undefined };
  const removePolicy = installRejectionPolicy(reason => {
    const { vatName } = running;
    if (vatName === undefined) return false;
    // A rejection that came from another vat was told of there.
    if (isErrorOfVat(reason)) observer.onVatError(vatName, reason);
    return true;
  });

  const kernel = makeKernel(profileName, {
    store,
    sha256,
    lookahead,
    onVatFault: (vatId, problem) => {
      const name = kernel.vats().find(vat => vat.vatId === vatId)?.name ?? vatId;
      observer.onVatError(name, Error(`vat ${name} was ended: ${problem}`));
    },
  });
  const marshal = makeHostMarshal(kernel.profile);

  const makeState = async () => {
    if (config === undefined) throw new UserError('a new simulation needs a config');
    const [device] = Object.keys(config.devices);
    if (device !== undefined) {
      throw new UserError(
        `device ${quote(device)}: devices of a config come with dynamic vats, which this version does not have`,
      );
    }
    /** @type {Parameters<Kernel['initialise']>[0]['vats']} */
    const vats = [];
    for (const [name, vat] of Object.entries(config.vats)) {
      const { bundle, sourceUrls } = await bundleConfiguredVat(name, vat, config, cacheDir);
      kernel.setHostValue(bundleKey(bundle.id), JSON.stringify(bundle));
      kernel.setHostValue(urlsKey(bundle.id), JSON.stringify(sourceUrls));
      vats.push({
        name,
        source: bundle.id,
        parameters: formatParameters(kernel.profile, marshal, vat.parameters),
        isBuiltIn: false,
        pipelining: vat.creationOptions.enablePipelining === true,
        options: /** @type {Record<string, unknown>} */ ({ ...vat.creationOptions }),
      });
    }
    for (const name of builtInVats) {
      if (config.vats[name]) continue;
      vats.push({
        name,
        source: 'built-in',
        parameters: formatParameters(kernel.profile, marshal, {}),
        isBuiltIn: true,
        pipelining: name === 'comms',
        options: {},
      });
    }
    const result = kernel.initialise({
      vats,
      devices: [...builtInDevices],
      bootstrap: config.bootstrap,
    });
    kernel.setHostValue(bootstrapKey, result);
    kernel.setHostValue(bootstrapVatKey, config.bootstrap);
  };

  /** The root objects of vats on this thread, by name. @type {Map<string, unknown>} */
  const roots = new Map();

  /** @param {ReturnType<Kernel['vats']>[number]} vat */
  const attachVat = async ({ vatId, name, source, isBuiltIn }) => {
    const sourceUrls = isBuiltIn ? {} : JSON.parse(kernel.getHostValue(urlsKey(source)) ?? '{}');
    const prepared = isBuiltIn
      ? undefined
      : await prepareVat(
          JSON.parse(kernel.getHostValue(bundleKey(source)) ?? 'null'),
          sourceUrls,
          cacheDir,
        );
    const supervisor = makeSupervisor({
      vatId,
      name,
      profile: kernel.profile,
      prepared,
      sourceUrls,
      observer,
      onRoot: root => roots.set(name, root),
    });
    const transport = makeLocalTransport({
      vatName: name,
      supervisor,
      settle,
      running,
      onError: error => observer.onVatError(name, error),
    });
    if (resume) await inMacrotask(() => replayVat(name, transport, kernel.transcript(vatId)));
    kernel.attachVat(vatId, wrapTransport(transport, vatId));
  };

  const attachDevices = () => {
    for (const { deviceId, name } of kernel.devices()) {
      kernel.attachDevice(deviceId, method => ({
        kind: 'throw',
        data: errorData(kernel.profile.wire, comesLater(`the method ${method} of device ${name}`)),
      }));
    }
  };

  /**
   * A vat that did not start, with the place in the author's file.
   *
   * @param {unknown} error
   */
  const explained = error => {
    if (!(error instanceof VatStartError)) return error;
    const { vatName, problem } = error;
    const made = lastErrors.get(vatName);
    const isIts = made instanceof Error && made.message === problem;
    const why = isIts && !(made instanceof UserError) ? describeErrorBriefly(made) : problem;
    return new UserError(`vat ${vatName} did not start: ${why}`, { exitCode: 1, cause: error });
  };

  try {
    if (resume) kernel.load();
    else await makeState();
    attachDevices();
    for (const vat of kernel.vats()) if (vat.state === 'running') await attachVat(vat);
    if (!resume && !kernel.profile.startsVatsInCranks) {
      for (const { vatId, isBuiltIn } of kernel.vats()) {
        if (!isBuiltIn) await inMacrotask(() => kernel.startOutside(vatId));
      }
    }
  } catch (error) {
    removePolicy();
    throw explained(error);
  }
  isReplaying = false;

  /**
   * @param {string} name
   * @returns {string}
   */
  const requireVat = name => {
    const vatId = kernel.findVat(name);
    if (vatId === undefined) {
      const names = kernel.vats().map(vat => quote(vat.name));
      throw new UserError(`there is no vat ${quote(name)}; there are ${names.join(', ')}`);
    }
    return vatId;
  };

  /** @param {number} limit */
  const pump = limit => {
    try {
      return kernel.pump(limit);
    } catch (error) {
      throw explained(error);
    }
  };

  /**
   * Run at most `limit` cranks, without committing.
   *
   * @param {number} [limit]
   * @returns {Promise<number>} how many were run; fewer than the limit when nothing is left
   */
  const runCranks = async (limit = Infinity) => {
    let total = 0;
    for (;;) {
      const { cranks, waiting } = await inMacrotask(() => pump(limit - total));
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
   * @param {unknown[]} [args]  data
   * @returns {() => string}  queues it, and returns a name for the result
   * @throws {UserError} there is no such vat, or an argument is no data
   */
  const prepareMessage = (vatName, method, args = []) => {
    const vatId = requireVat(vatName);
    const { body } = marshal.messageToCapData(method, harden([...args]));
    return () => kernel.queueToVatRoot(vatId, { body, slots: [] });
  };

  const commit = async () => {
    await kernel.commit();
  };

  return Object.freeze({
    profile: kernel.profile.name,

    runCranks,

    /** The same for who is in a macrotask already: as `kernel.pump`, with a vat's failure to start as a UserError. */
    pump,

    /** Run one crank and commit it. @returns {Promise<number>} 0 when nothing was queued */
    async step() {
      const cranks = await runCranks(1);
      await commit();
      return cranks;
    },

    /**
     * Run until nothing is queued, a block at a time.
     *
     * @param {object} [policy]
     * @param {number} [policy.blockSize]  cranks a block
     * @param {number} [policy.maxCranks]  stop after so many
     * @param {(cranks: number) => void} [policy.onBlock]  after each commit
     * @returns {Promise<number>} cranks run
     */
    async run({ blockSize = 200, maxCranks = Infinity, onBlock = () => {} } = {}) {
      let total = 0;
      while (total < maxCranks && !kernel.isQuiet) {
        const cranks = await runCranks(Math.min(blockSize, maxCranks - total));
        await commit();
        total += cranks;
        onBlock(cranks);
      }
      return total;
    },

    /** End the block: all since the last commit is in the store when this returns. */
    commit,

    get isQuiet() {
      return kernel.isQuiet;
    },

    /**
     * Queue a message to the root object of a vat; it runs with the next cranks. Hold the result with
     * `status`, and let go of it with `release`.
     *
     * @param {string} vatName
     * @param {string} method
     * @param {unknown[]} [args]  data
     * @returns {string} a name for the result
     * @throws {UserError} there is no such vat, or an argument is no data
     */
    queueToVatRoot: (vatName, method, args) => prepareMessage(vatName, method, args)(),

    prepareMessage,

    /**
     * Whether the root object of a vat has a method of this name; false of a vat that has not started yet.
     *
     * @param {string} vatName
     * @param {string} method
     */
    rootHasMethod: (vatName, method) => hasMethod(roots.get(vatName), method),

    /** @param {string} result @returns {PromiseStatus} */
    status: result => kernel.promiseStatus(result),

    /** @param {string} result */
    release(result) {
      kernel.release(result);
    },

    /** The name of bootstrap's result. */
    get bootstrapResult() {
      return kernel.getHostValue(bootstrapKey) ?? '';
    },

    /** The name of the vat that was sent `bootstrap`. */
    get bootstrapVat() {
      return kernel.getHostValue(bootstrapVatKey) ?? '';
    },

    /** Numbers of cranks: all, and the control cranks among them. */
    get cranks() {
      return kernel.cranks;
    },

    /** The counters, live. */
    counters: kernel.counters,

    activityHash: () => kernel.activityHash(),

    diskBytes: () => store.diskBytes(),

    /** All committed blocks are durable when this resolves. */
    flushed: () => store.flushed(),

    /** For those who measure or look inside. */
    kernel,

    /** Stop; what was not committed is lost. */
    async close() {
      removePolicy();
      await store.close();
    },
  });
};

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */

/** A vat's error on one line, with the place in the author's file. */
export { describeErrorBriefly };
