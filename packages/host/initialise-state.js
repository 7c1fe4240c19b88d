// A state that is made and not run yet: for host programs that make it in one step and run it in another.

import { createHash } from 'node:crypto';
import { findStoredProfile, makeKernel } from '#kernel';
import { ensureLockdown } from '#loader';
import { UserError } from '#model';
import { BundleShelf } from './bundle-shelf.js';
import { beginProgram, installConfig, readBootstrapResult } from './new-state.js';

/** @import { KernelStore } from '#kernel' */
/** @import { LoadedConfig } from '#config' */

/**
 * Make a new state in an empty store: bundles, vats, devices, and the message that starts everything. `makeSimulation`
 * takes it up with `resume`.
 *
 * @param {LoadedConfig} config
 * @param {object} options
 * @param {KernelStore} options.store
 * @param {string} [options.cacheDir]  where compiled sources are kept
 * @param {(kernel: import('#kernel').Kernel) => void} [options.onKernel]  told of the kernel before the state is committed
 * @returns {Promise<string>} the name of bootstrap's result; empty if no vat is sent `bootstrap`
 * @throws {UserError} the store holds a state, or a source is not there or wrong
 */
export const initialiseState = async (config, { store, cacheDir, onKernel }) => {
  await ensureLockdown();
  if (findStoredProfile(store) !== undefined)
    throw new UserError('the store holds a state already');
  const kernel = makeKernel('current', {
    store,
    sha256: bytes => createHash('sha256').update(bytes).digest(),
    onVatFault: () => {},
  });
  const parts = { kernel, shelf: new BundleShelf(kernel, cacheDir), cacheDir };
  beginProgram(kernel, await installConfig(config, parts));
  onKernel?.(kernel);
  await kernel.commit();
  return readBootstrapResult(kernel);
};
