// Makes a state without running it, for host programs that make and run it in two steps.

import { createHash } from 'node:crypto';
import { findStoredProfile, makeKernel } from '#kernel';
import { ensureLockdown } from '#loader';
import { UserError } from '#model';
import { BundleShelf } from '../vats/bundle-shelf.js';
import { chooseLenient } from './leniency.js';
import { readBootstrapResult } from './bootstrap-result.js';
import { beginProgram, installConfig } from './new-state.js';

/** @import { KernelStore } from '#kernel' */
/** @import { LoadedConfig } from '#config' */

/**
 * Make a new state in an empty store: bundles, vats, devices, and the message `bootstrap`. `makeSimulation` continues
 * from it with `resume`.
 *
 * @param {LoadedConfig} config
 * @param {object} options
 * @param {KernelStore} options.store
 * @param {string} [options.cacheDir]  folder of compiled sources
 * @param {(kernel: import('#kernel').Kernel) => void} [options.onKernel]  called with the kernel before the state is
 *   committed
 * @returns {Promise<string>} kref of bootstrap's result; empty if no vat gets `bootstrap`
 * @throws {UserError} if the store has a state, or a source is missing or wrong
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
  const program = await installConfig(config, parts);
  program.strict = !chooseLenient(config, {}, 'current');
  beginProgram(kernel, program);
  onKernel?.(kernel);
  await kernel.commit();
  return readBootstrapResult(kernel);
};
