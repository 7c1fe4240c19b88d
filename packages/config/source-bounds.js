// Decides which files a vat's sources may import: files in its own directory, in the directories that the config names,
// and in the packages that are installed for them. It checks real paths, so a symbolic link gives no access beyond its
// target, and the checked real path is the one that is read.
//
// A directory of vats is not trusted, and neither is a package in it: it may be a symbolic link, and its `package.json`
// may lead anywhere. The person who runs this installed the packages around it (`node_modules` above it), also where
// they are links to a workspace.

import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { quote, UserError } from '#model';

import { findPackage } from './package-exports.js';
import { showPath } from './source-path.js';

/** @import { ResolvedBare } from './package-exports.js' */

/** @param {string} folder @param {string} path  both real */
export const isInside = (folder, path) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * The operating system resolves a path in one call. Only on Linux is its answer always that of Node's own function, which
 * asks about each folder of a path.
 */
const resolveReal = process.platform === 'linux' ? realpathSync.native : realpathSync;

/** @param {string} path */
const findReal = path => {
  try {
    return resolveReal(path);
  } catch {
    return undefined; // absent, or not readable
  }
};

/** The vat's own directory. @param {string} entryFile  real */
const ownFolder = entryFile =>
  // An installed vat may import from its whole package.
  (entryFile.includes(`${sep}node_modules${sep}`) && findPackage(entryFile)?.folder) ||
  dirname(entryFile);

/**
 * @param {string} entryFile  real path of the vat's file
 * @param {Iterable<string>} [sourceRoots]  directories and files that its sources may import from, beside its own directory
 */
export const makeSourceBounds = (entryFile, sourceRoots = []) => {
  const roots = [ownFolder(entryFile)];
  for (const root of sourceRoots) {
    const real = findReal(root);
    if (real !== undefined) roots.push(real);
  }

  /** Real folders of the packages that were entered from outside. @type {Set<string>} */
  const packages = new Set();

  /** Real paths by paths: modules of a package import the same ones. @type {Map<string, string>} */
  const reals = new Map();

  /** @param {string} path */
  const realOf = path => {
    let real = reals.get(path);
    if (real === undefined) {
      real = resolveReal(path);
      reals.set(path, real);
    }
    return real;
  };

  const isInRoots = (/** @type {string} */ path) => roots.some(root => isInside(root, path));

  /** @param {string} importer @param {string} target */
  const isInPackageOf = (importer, target) =>
    // The vat's own files get no such right: their package may hold files that are not meant for them.
    !isInRoots(importer) &&
    [...packages].some(folder => isInside(folder, importer) && isInside(folder, target));

  /**
   * @param {string} specifier
   * @param {string} place  of the import
   * @param {string} target  real
   * @returns {never}
   */
  const refuse = (specifier, place, target) => {
    throw new UserError(
      `${place}: cannot import ${quote(specifier)}: it leads to ${showPath(target)}, outside of the vat's directory ${showPath(roots[0])}; if that is meant, name its directory in "sourceRoots" of the config`,
    );
  };

  return Object.freeze({
    /**
     * @param {string} file  the resolved path of a relative import
     * @param {{ specifier: string, importer: string, place: string }} from  the importing file is a real path
     * @returns {string} its real path
     */
    admitFile(file, { specifier, importer, place }) {
      const target = realOf(file);
      if (!isInRoots(target) && !isInPackageOf(importer, target)) refuse(specifier, place, target);
      return target;
    },

    /**
     * @param {ResolvedBare} found  the resolved file of a package
     * @param {{ specifier: string, importer: string, place: string }} from
     * @returns {string} its real path
     */
    admitOfPackage({ file, folder, installedIn }, { specifier, place }) {
      const target = realOf(file);
      const home = realOf(folder);
      const isInstalledAround = installedIn !== undefined && !isInRoots(realOf(installedIn));
      const isOwn = installedIn === undefined;
      if (!isInRoots(home) && !isInstalledAround && !isOwn) refuse(specifier, place, home);
      if (!isInside(home, target) && !isInRoots(target)) refuse(specifier, place, target);
      packages.add(home);
      return target;
    },
  });
};

/** @typedef {ReturnType<typeof makeSourceBounds>} SourceBounds */
