// Reads what to run from a config file or from a folder's files, and resolves the sources that it names.

export {
  adoptBundle,
  archiveFormat,
  bundleFormat,
  isBundleShape,
  makeBundle,
  openArchive,
  shimPrefix,
  toolsBundle,
} from './bundle-format.js';
export { managerTypes } from './config-fields.js';
export { isRunnable, lookUpBaseDir } from './find-base-dir.js';
export { loadConfig, nameConfig } from './load-config.js';
export { describeNoFile } from './no-file.js';
export {
  completePath,
  findPackage,
  isFile,
  isFolder,
  packageNameOf,
  resolveBare,
} from './package-exports.js';
export { parseJson } from './parse-json.js';
export { makeSourceBounds } from './source-bounds.js';
export { readTextFile } from './read-text.js';
export { lineOf, showPath, showUrl } from './source-path.js';
export { readConfigObject } from './read-config.js';
export { vatModules } from './vat-specs.js';
export { writeZip } from './write-zip.js';

/** @typedef {import('./load-config.js').LoadedConfig} LoadedConfig */
