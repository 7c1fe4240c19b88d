// Opens a random program through the host API of SwingSet or of this kernel.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configOf } from '../deliveries/config.js';
import { makeProgram } from '../deliveries/program.js';

const loadThere = async () => {
  const { resolve } = createRequire(join(process.cwd(), 'program.js'));
  /** @param {string} name @returns {Promise<any>} a package of the checkout */
  const load = name => import(pathToFileURL(resolve(name)).href);
  await load('@endo/init');
  return { ...(await load('@agoric/swingset-vat')), ...(await load('@agoric/swing-store')) };
};

const loadHere = async () => {
  const { ensureLockdown } = await import('#loader/lockdown.js');
  await ensureLockdown();
  return {
    ...(await import('../../../packages/swingset/index.js')),
    ...(await import('../../../packages/swingset/swing-store.js')),
  };
};

/**
 * @param {string} where  `there`, in a folder that has SwingSet's packages installed, or `here`
 * @param {string} sources  folder of the actor
 * @param {string} bundlesFile  keeps the bundles of SwingSet's kernel
 * @returns {Promise<(seed: number, slogSender?: (entry: any) => void) => Promise<{ controller: any, kvStore: any }>>} opens a
 *   program that has not begun to run
 */
export const loadKernel = async (where, sources, bundlesFile) => {
  const isThere = where === 'there';
  const swingset = /** @type {any} */ (await (isThere ? loadThere() : loadHere()));
  if (isThere && !existsSync(bundlesFile))
    writeFileSync(bundlesFile, JSON.stringify(await swingset.buildKernelBundles()));
  const kernelBundles = isThere && JSON.parse(readFileSync(bundlesFile, 'utf8'));
  return async (seed, slogSender = () => {}) => {
    const config = {
      ...configOf(makeProgram(seed), {
        actor: { sourceSpec: join(sources, 'actor.js') },
        device: { sourceSpec: join(sources, 'device-echo.js') },
      }),
      ...(isThere && { defaultManagerType: 'local' }),
    };
    const { kernelStorage } = swingset.initSwingStore();
    const omitted = { addComms: false, addVattp: false, addTimer: false };
    const options = { ...omitted, ...(isThere && { kernelBundles }) };
    await swingset.initializeSwingset(config, [], kernelStorage, options, { slogSender });
    const controller = await swingset.makeSwingsetController(
      kernelStorage,
      { echo: {} },
      { slogSender },
    );
    controller.pinVatRoot('bootstrap');
    return { controller, kvStore: kernelStorage.kvStore };
  };
};
