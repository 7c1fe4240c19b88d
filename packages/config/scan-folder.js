// Makes a config from a folder without a config file: `vat-NAME.js` is the vat NAME, and `bootstrap.js` starts.

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { explainFileError, quote, UserError } from '#model';

import { isInside } from './source-bounds.js';
import { showPath } from './source-path.js';
import { nameInner, runnableIn } from './find-base-dir.js';

/** @import { Config, VatConfig } from './read-config.js' */

const vatFile = /^vat-(.+)(?<!\.d)\.(?:js|ts)$/;

/** A file without a vat's name; it is refused, since nothing else would tell its author. */
const namelessVat = /^vat-?\.(?:js|ts)$/;

/** A name close to that of a vat's file. Without a mark behind "vat" it may be anything: vats.js, vatican.js. */
const nearlyVat = /^(?:[Vv]at[-_. ]|vat(?=[A-Z]))(.+)\.[cm]?([jt]s)x?$/;

const nearlyBootstrap = /^(?:vat-)?bootstrap\.[cm]?([jt]s)x?$/i;

/** @param {string} name  of a file @returns {string | undefined} the name that it was probably meant to have */
const findMeant = name => {
  const [, bootEnding] = nearlyBootstrap.exec(name) ?? [];
  if (bootEnding !== undefined) return `bootstrap.${bootEnding}`;
  const [, vat, ending] = nearlyVat.exec(name) ?? [];
  return vat === undefined || vat.endsWith('.d') ? undefined : `vat-${vat}.${ending}`;
};

/**
 * @param {string} folder
 * @returns {string[]}
 * @throws {UserError} if it cannot be read
 */
const listNames = folder => {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw explainFileError(error, showPath(folder));
  }
};

/**
 * Notices about files of a folder whose names are close to a vat's file name.
 *
 * @param {string} folder  absolute
 * @returns {string[]} a sentence for each
 */
export const findFileNotices = folder =>
  listNames(folder)
    .sort()
    .flatMap(name => {
      const meant = findMeant(name);
      return meant === undefined || meant === name
        ? []
        : [`${showPath(join(folder, name))} is no vat by its name; one would be ${quote(meant)}`];
    });

/**
 * @param {string} folder
 * @param {string} name  of a file in it
 * @returns {VatConfig}
 * @throws {UserError} if it is a symbolic link that leads out of the folder
 */
const vatOf = (folder, name) => {
  const sourceFile = join(folder, name);
  // A dangling link fails when it is read.
  if (existsSync(sourceFile) && !isInside(realpathSync(folder), realpathSync(sourceFile))) {
    throw new UserError(
      `${showPath(sourceFile)} is a symbolic link that leads out of its folder; name its target as a "sourceSpec" of a swingset.json`,
    );
  }
  return { sourceFile, parameters: {}, creationOptions: {} };
};

/**
 * Make the config of a folder. The vats stand in the order of their file names by code unit, `bootstrap` last. Vats are
 * numbered in this order, and every kernel identifier depends on it, so it must not depend on the locale.
 *
 * @param {string} folder  absolute
 * @returns {Config}
 */
export const scanFolder = folder => {
  const names = listNames(folder).sort((left, right) => (left < right ? -1 : 1));
  const bootstraps = names.filter(name => name === 'bootstrap.js' || name === 'bootstrap.ts');
  if (names.includes('swingset.json'))
    throw new UserError(
      `${showPath(join(folder, 'swingset.json'))} is no file; a config is made of one`,
    );
  if (bootstraps.length === 0) {
    if (runnableIn(folder).length > 0) {
      const shown = showPath(folder);
      throw new UserError(`${shown} ${nameInner(folder, shown)}`);
    }
    const meant = names.find(name => nearlyBootstrap.test(name));
    const remedy =
      meant === undefined
        ? 'name a folder that has one, or a config with --config'
        : `call ${quote(meant)} ${quote(findMeant(meant))}, or name a config with --config`;
    throw new UserError(
      `${showPath(folder)} has neither "swingset.json" nor "bootstrap.js" (or "bootstrap.ts"); ${remedy}`,
    );
  }
  /** @type {Map<string, VatConfig>} */
  const vats = new Map();
  for (const name of names) {
    const vatName = vatFile.exec(name)?.[1];
    if (vatName === 'bootstrap') {
      throw new UserError(
        `${showPath(folder)} has both "bootstrap.js" and ${quote(name)}; there is one vat "bootstrap"`,
      );
    }
    if (vatName !== undefined && vats.has(vatName)) {
      throw new UserError(
        `${showPath(folder)} has the vat ${quote(vatName)} twice: "vat-${vatName}.js" and "vat-${vatName}.ts"`,
      );
    }
    if (vatName !== undefined) vats.set(vatName, vatOf(folder, name));
    else if (namelessVat.test(name))
      throw new UserError(
        `${showPath(join(folder, name))} names no vat; call it "vat-NAME.js", and bootstrap gets it as vats.NAME`,
      );
  }
  if (bootstraps.length > 1) {
    throw new UserError(
      `${showPath(folder)} has both "bootstrap.js" and "bootstrap.ts"; there is one vat "bootstrap"`,
    );
  }
  vats.set('bootstrap', vatOf(folder, bootstraps[0]));
  return {
    bootstrap: 'bootstrap',
    // A vat may be called `__proto__`, which an assignment would lose.
    vats: Object.fromEntries(vats),
    bundles: {},
    devices: {},
    pinBootstrapRoot: false,
  };
};
