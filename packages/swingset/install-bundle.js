// Bundles that a host program installs while a run is on, for vats to be made from.

import { quote, UserError } from '#model';

/** @import { Simulation } from '#host' */

/**
 * @param {Simulation} simulation
 * @param {any} bundle  of a bundler: `endoZipBase64`, or another format that vats can be made from
 * @param {string | undefined} alleged  the id that it should have
 * @returns {Promise<string>} its id
 * @throws {UserError} it is no bundle, or another one than alleged
 */
export const installBundle = async (simulation, bundle, alleged) => {
  const own =
    typeof bundle?.endoZipBase64Sha512 === 'string'
      ? `b1-${bundle.endoZipBase64Sha512}`
      : undefined;
  if (alleged !== undefined && own !== undefined && alleged !== own)
    throw new UserError(`alleged bundleID ${quote(alleged)} does not match actual ${quote(own)}`);
  return simulation.installBundle(bundle).id;
};
