// Installs bundles during a run, from which vats can be made.

import { adoptBundle } from '#config';
import { quote, UserError } from '#model';

/** @import { Simulation } from '#host' */

/**
 * @param {Simulation} simulation
 * @param {any} bundle  of `@endo/bundle-source`, in any of its formats, or of this package
 * @param {string | undefined} alleged  the expected id
 * @returns {Promise<string>} its id
 * @throws {UserError} if it is not a bundle, or has another id
 */
export const installBundle = async (simulation, bundle, alleged) => {
  const { id } = adoptBundle(bundle, 'the bundle');
  if (alleged !== undefined && alleged !== id)
    throw new UserError(`alleged bundleID ${quote(alleged)} does not match actual ${quote(id)}`);
  return simulation.installBundle(bundle).id;
};
