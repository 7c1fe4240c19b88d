// Bundles that a host program installs while a run is on, for vats to be made from.

import { adoptBundle } from '#config';
import { quote, UserError } from '#model';

/** @import { Simulation } from '#host' */

/**
 * @param {Simulation} simulation
 * @param {any} bundle  of `@endo/bundle-source`, in any of its formats, or of this package
 * @param {string | undefined} alleged  the id that it should have
 * @returns {Promise<string>} its id
 * @throws {UserError} it is no bundle, or another one than alleged
 */
export const installBundle = async (simulation, bundle, alleged) => {
  const { id } = adoptBundle(bundle, 'the bundle');
  if (alleged !== undefined && alleged !== id)
    throw new UserError(`alleged bundleID ${quote(alleged)} does not match actual ${quote(id)}`);
  return simulation.installBundle(bundle).id;
};
