// In place of `@endo/bundle-source`: a bundle of this package, which carries what SwingSet's tests read of theirs.

import { bundleVat } from '#loader/bundle';
import { findPackage, isFile } from '#config';

/** @param {string} spec  a file, as SwingSet resolves it: its ending may be left out */
const bundleSource = async spec => {
  const file = isFile(spec) ? spec : `${spec}.js`;
  const folder = findPackage(file)?.folder;
  const { bundle } = await bundleVat(file, { sourceRoots: folder === undefined ? [] : [folder] });
  const { id } = bundle;
  return harden({
    ...bundle,
    moduleFormat: bundle.format,
    endoZipBase64Sha512: id.slice('b1-'.length),
  });
};

export default bundleSource;
