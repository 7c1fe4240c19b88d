// A folder without a config file is one all the same: `vat-NAME.js` is the vat NAME, `bootstrap.js` starts.

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { quote, UserError } from '#model';

import { isInside } from './source-bounds.js';
import { showPath } from './source-path.js';
import { nameInner, runnableIn } from './find-base-dir.js';

/** @import { Config, VatConfig } from './read-config.js' */

const vatFile = /^vat-(.+)\.js$/;

/**
 * @param {string} folder
 * @param {string} name  of a file in it, which nobody has named in a config
 * @returns {VatConfig}
 * @throws {UserError} it leads out of the folder
 */
const vatOf = (folder, name) => {
  const sourceFile = join(folder, name);
  // A link to nothing is told of when it is read.
  if (existsSync(sourceFile) && !isInside(realpathSync(folder), realpathSync(sourceFile))) {
    throw new UserError(
      `${showPath(sourceFile)} is a symbolic link that leads out of its folder; name what it leads to as a "sourceSpec" of a swingset.json`,
    );
  }
  return { sourceFile, parameters: {}, creationOptions: {} };
};

/**
 * The vats come in the order of their files' names (by code unit, so that it is the same everywhere), `bootstrap`
 * last: vats are numbered in that order, and every kernel identifier depends on it.
 *
 * @param {string} folder  absolute
 * @returns {Config}
 */
export const scanFolder = folder => {
  const names = readdirSync(folder).sort((left, right) => (left < right ? -1 : 1));
  if (!names.includes('bootstrap.js')) {
    if (runnableIn(folder).length > 0) {
      const shown = showPath(folder);
      throw new UserError(`${shown} ${nameInner(folder, shown)}`);
    }
    throw new UserError(
      `${showPath(folder)} has neither "swingset.json" nor "bootstrap.js"; name a folder that has one, or a config with --config`,
    );
  }
  /** @type {Record<string, VatConfig>} */
  const vats = {};
  for (const name of names) {
    const vatName = vatFile.exec(name)?.[1];
    if (vatName === 'bootstrap') {
      throw new UserError(
        `${showPath(folder)} has both "bootstrap.js" and ${quote(name)}; there is one vat "bootstrap"`,
      );
    }
    if (vatName !== undefined) vats[vatName] = vatOf(folder, name);
  }
  vats.bootstrap = vatOf(folder, 'bootstrap.js');
  return { bootstrap: 'bootstrap', vats, bundles: {}, devices: {}, pinBootstrapRoot: false };
};
