// Makes a run in a kernel storage; controller.js resumes it.

import { createHash } from 'node:crypto';
import { defaultCacheDir, initialiseState } from '#host';
import { schemaVersion, UserError } from '#model';
import { makeSwingsetController } from './controller.js';
import { managerTypeKey, snapshotIntervalKey } from './host-keys.js';
import { readSnapshotInterval } from './kernel-options.js';
import { pin } from './pins.js';
import { adoptConfig, systemFormat } from './swingset-config.js';
import { cellOf, initSwingStore } from './swing-store.js';

/** @import { SwingSetConfig } from './swingset-config.js' */

/** Whether a kernel storage has a run. @param {any} kernelStorage @returns {boolean} */
export const swingsetIsInitialized = kernelStorage => cellOf(kernelStorage).isInitialised;

/** @param {readonly string[]} names  of SwingSet's parts that come with this package */
const standInsFor = names =>
  Object.fromEntries(names.map(name => [name, { moduleFormat: systemFormat, name }]));

/** Differs between versions of this package that do not open each other's states. */
const kernelHash = createHash('sha512')
  .update(`${systemFormat} kernel, schema ${schemaVersion}`)
  .digest('hex');

/**
 * A stand-in for the bundle of SwingSet's kernel. By its hash, host programs know whether states that they keep can still be used.
 *
 * @returns {Promise<{ moduleFormat: string, name: string, endoZipBase64Sha512: string }>}
 */
export const buildKernelBundle = async () =>
  harden({ moduleFormat: systemFormat, name: 'kernel', endoZipBase64Sha512: kernelHash });

/**
 * Stand-ins for SwingSet's vats and devices that come with this package. A config may use those of vats as `bundle`.
 *
 * @returns {Promise<Record<string, object>>}
 */
export const buildVatAndDeviceBundles = async () =>
  harden(standInsFor(['adminDevice', 'adminVat', 'comms', 'vattp', 'timer']));

/**
 * Both, as host programs of SwingSet pass them on.
 *
 * @returns {Promise<Record<string, object>>}
 */
export const buildKernelBundles = async () =>
  harden({ kernel: await buildKernelBundle(), ...(await buildVatAndDeviceBundles()) });

/**
 * @typedef {{ config: SwingSetConfig, bootstrapArgs: unknown, env: Record<string, string | undefined> | undefined, omitted: readonly string[] }} KernelConfig
 */

/** Options that leave out one of SwingSet's own vats if they are false. */
const addOptions = {
  addVatAdmin: 'vatAdmin',
  addComms: 'comms',
  addVattp: 'vattp',
  addTimer: 'timer',
};

/**
 * The first half of `initializeSwingset`.
 *
 * @param {SwingSetConfig} config
 * @param {unknown} bootstrapArgs
 * @param {Record<string, unknown>} [initializationOptions]  `addVatAdmin`, `addComms`, `addVattp`, `addTimer`: false
 *   leaves that vat out. Bundles of SwingSet's own vats are ignored, since these come with the system
 * @param {Record<string, any>} [runtimeOptions]
 * @returns {Promise<KernelConfig>}
 */
export const buildSwingsetKernelConfig = async (
  config,
  bootstrapArgs,
  initializationOptions = {},
  { env } = {},
) => ({
  config,
  bootstrapArgs,
  env,
  omitted: Object.entries(addOptions)
    .filter(([option]) => initializationOptions[option] === false)
    .map(([, name]) => name),
});

/**
 * The second half.
 *
 * @param {KernelConfig} kernelConfig
 * @param {any} kernelStorage
 * @param {{ cacheDir?: string }} [runtimeOptions]
 * @returns {Promise<string | undefined>} kref of bootstrap's result
 * @throws {UserError} if the storage has a run, or the config or a source is wrong
 */
export const initializeSwingsetKernel = async (
  { config, bootstrapArgs, env, omitted },
  kernelStorage,
  { cacheDir = defaultCacheDir() } = {},
) => {
  const cell = cellOf(kernelStorage);
  if (cell.isInitialised) throw new UserError('kernel store already initialized');
  const adopted = adoptConfig(config, bootstrapArgs, { env, omitted });
  const { snapshotInterval } = config;
  const interval =
    snapshotInterval === undefined ? undefined : readSnapshotInterval(snapshotInterval);
  const result = await initialiseState(
    { ...adopted, firstRoot: 'vatAdmin' },
    {
      ...{ store: cell.store, cacheDir },
      onKernel: kernel => {
        kernel.setHostValue(managerTypeKey, adopted.managerType);
        if (interval !== undefined) kernel.setHostValue(snapshotIntervalKey, interval);
        const vatId = adopted.pinBootstrapRoot ? kernel.findVat(adopted.bootstrap) : undefined;
        const root =
          vatId === undefined ? undefined : kernel.state.vats.clist(vatId).findKref('o+0');
        if (root !== undefined) pin(kernel, root);
      },
    },
  );
  return result === '' ? undefined : result;
};

/**
 * Make a run in a kernel storage that has none.
 *
 * @param {SwingSetConfig} config
 * @param {unknown} [bootstrapArgs]  `vatParameters.argv` of the bootstrap vat
 * @param {any} [kernelStorage]
 * @param {Record<string, unknown>} [initializationOptions]
 * @param {Record<string, any>} [runtimeOptions]
 * @returns {Promise<string | undefined>} kref of bootstrap's result
 * @throws {UserError} if the storage has a run, or the config or a source is wrong
 */
export const initializeSwingset = async (
  config,
  bootstrapArgs = [],
  kernelStorage = initSwingStore().kernelStorage,
  initializationOptions = {},
  runtimeOptions = {},
) =>
  initializeSwingsetKernel(
    await buildSwingsetKernelConfig(config, bootstrapArgs, initializationOptions, runtimeOptions),
    kernelStorage,
    runtimeOptions.cacheDir === undefined ? {} : { cacheDir: runtimeOptions.cacheDir },
  );

/**
 * Initialise and make the controller in one step.
 *
 * @param {SwingSetConfig} config
 * @param {unknown} [argv]
 * @param {Record<string, any>} [runtimeOptions]  `kernelStorage`; default: one in memory
 * @param {Record<string, Record<string, any>>} [deviceEndowments]
 * @returns the controller, as of `makeSwingsetController`
 * @throws {UserError} if the storage has a run, the config or a source is wrong, or an option is unknown
 */
export const buildVatController = async (
  config,
  argv = [],
  runtimeOptions = {},
  deviceEndowments = {},
) => {
  const own = runtimeOptions.kernelStorage === undefined ? initSwingStore() : undefined;
  const { kernelStorage = own?.kernelStorage } = runtimeOptions;
  const bootstrapResult = swingsetIsInitialized(kernelStorage)
    ? undefined
    : await initializeSwingset(config, argv, kernelStorage, {}, runtimeOptions);
  const controller = await makeSwingsetController(kernelStorage, deviceEndowments, runtimeOptions);
  const shutdown = async () => {
    await controller.shutdown();
    await own?.hostStorage.close();
  };
  return harden({ bootstrapResult, ...controller, shutdown });
};

/**
 * Upgrade a state of an older SwingSet. A state of this package is never one, so nothing is modified.
 *
 * @param {any} kernelStorage
 * @returns {{ modified: boolean }}
 * @throws {UserError} if the storage has no run
 */
export const upgradeSwingset = kernelStorage => {
  if (!swingsetIsInitialized(kernelStorage))
    throw new UserError('the kernel storage has no run; there is nothing to upgrade');
  return harden({ modified: false });
};
