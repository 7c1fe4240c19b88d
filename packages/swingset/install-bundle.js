// Installs bundles during a run, from which vats can be made. As in SwingSet, a bundle must have an id that its maker gave
// it: that of an archive is the hash of its content, that of a program's text would be this kernel's own.

import { adoptBundle, archiveFormat, bundleFormat } from '#config';
import { isRecord, quote, UserError } from '#model';

/** @import { Simulation } from '#host' */

/** The fields of an archive. */
const archiveFields = ['moduleFormat', 'endoZipBase64', 'endoZipBase64Sha512'];

/** @param {any} bundle @throws {UserError} */
const insistArchive = bundle => {
  const { moduleFormat } = bundle;
  if (moduleFormat !== archiveFormat)
    throw new UserError(
      `the bundle has the module format ${quote(moduleFormat)}; validateAndInstallBundle takes ${quote(archiveFormat)}, which bundleSource() makes`,
    );
  for (const field of archiveFields)
    if (typeof bundle[field] !== 'string')
      throw new UserError(
        `the bundle's ${quote(field)} must be a string, as bundleSource() makes it, got ${typeof bundle[field]}`,
      );
  for (const field of Object.keys(bundle))
    if (!archiveFields.includes(field))
      throw new UserError(
        `the bundle has the field ${quote(field)}; it has ${archiveFields.map(quote).join(', ')}`,
      );
};

/**
 * @param {Simulation} simulation
 * @param {any} bundle  an archive of `@endo/bundle-source`, or a bundle of this package
 * @param {string | undefined} alleged  the expected id
 * @returns {Promise<string>} its id
 * @throws {UserError} if it is no such bundle, is damaged, or has another id
 */
export const installBundle = async (simulation, bundle, alleged) => {
  if (!isRecord(bundle))
    throw new UserError(`the bundle must be what bundleSource() makes, got ${quote(bundle)}`);
  if (bundle.format !== bundleFormat) insistArchive(bundle);
  const { id } = adoptBundle(bundle, 'the bundle');
  if (alleged !== undefined && alleged !== id)
    throw new UserError(`alleged bundleID ${quote(alleged)} does not match actual ${quote(id)}`);
  return simulation.installBundle(bundle).id;
};
