// The modules that a vat may import without an installed package. The runner provides them ("shims"), so that all vats
// share one E, one Far and one marshalling, and no vat bundles its own copy.

import { builtinModules } from 'node:module';
import { packageNameOf, shimPrefix, vatModules } from '#config';
import { editDistance, findNearestName, quote } from '#model';

/** @import { Bundle } from '#config/bundle-format.js' */

/**
 * Modules that are imported for their effect on the realm. They do nothing here, since the realm is hardened before any
 * vat runs.
 *
 * @type {ReadonlySet<string>}
 */
export const noOpModules = new Set([
  'ses',
  'ses/lockdown',
  '@endo/init',
  '@endo/init/debug.js',
  '@endo/init/legacy.js',
  '@endo/init/pre.js',
  '@endo/init/unsafe-fast.js',
  '@endo/lockdown',
  '@endo/lockdown/commit.js',
  '@endo/lockdown/commit-debug.js',
  '@endo/eventual-send/shim.js',
  '@agoric/install-ses',
  '@agoric/install-metering-and-ses',
  '@agoric/eventual-send/shim',
]);

/**
 * The modules that vats of 2020 and of today may import. The shims define the names that each exports.
 *
 * @type {ReadonlySet<string>}
 */
export const providedModules = new Set([
  '@endo/errors',
  '@endo/eventual-send',
  '@endo/far',
  '@endo/harden',
  '@endo/marshal',
  '@endo/nat',
  '@endo/pass-style',
  '@endo/promise-kit',
  '@agoric/assert',
  '@agoric/eventual-send',
  '@agoric/kmarshal',
  '@agoric/marshal',
  '@agoric/nat',
  '@agoric/produce-promise',
  '@agoric/promise-kit',
  '@agoric/same-structure',
  '@agoric/store',
  '@agoric/time',
  '@agoric/vat-data',
  'swingset-runner/reactor',
  ...vatModules.keys(),
  ...noOpModules,
]);

/**
 * Whether a provided module has all names of its package, so that importers of its namespace miss none.
 *
 * @param {string} specifier  of a provided module
 */
export const isWhole = specifier => specifier.startsWith('@endo/');

/**
 * Finds the names that a provided module exports; undefined for one that an installed package never replaces.
 *
 * @typedef {(specifier: string) => Promise<ReadonlySet<string> | undefined>} ProvidedNames
 */

/**
 * The provided modules that a bundle may import.
 *
 * @param {Bundle} bundle
 * @returns {Set<string>}
 */
export const listProvided = ({ modules, foreign }) => {
  /** @type {Set<string>} */
  const found = new Set();
  // A bundle of another tool names the modules that it left out only while it runs. An archive leaves out none.
  if (foreign && foreign.moduleFormat !== 'endoZipBase64')
    for (const specifier of providedModules) found.add(specifier);
  for (const { imports } of Object.values(modules)) {
    for (const target of Object.values(imports)) {
      if (target.startsWith(shimPrefix)) found.add(target.slice(shimPrefix.length));
    }
  }
  for (const specifier of noOpModules) found.delete(specifier);
  return found;
};

/** @param {string} specifier */
export const isBuiltin = specifier =>
  specifier.startsWith('node:') || builtinModules.includes(specifier);

/**
 * The advice about a package that is neither provided nor installed, to be added to the error.
 *
 * @param {string} specifier
 */
export const hintForMissing = specifier => {
  const name = packageNameOf(specifier);
  if (providedModules.has(name))
    return `; "${name}" itself comes with the program; for its other modules, npm install ${name}`;
  // The names of a scope are alike, so one letter at most counts as a typing error.
  const nearest = findNearestName(specifier, providedModules);
  return nearest !== undefined && editDistance(specifier, nearest) === 1
    ? `; did you mean ${quote(nearest)}?`
    : `; npm install ${name}`;
};
