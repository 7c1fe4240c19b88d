// A folder for what a run writes.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { markOutputFolder } from '#host/session.js';
import { UserError } from '#model';

/**
 * @param {string} folder  made if it is not there
 * @param {string} [flag]  that names another
 */
export const provideFolder = (folder, flag = '--outdir') => {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${folder}: cannot make this directory (${code}); choose a place that you may write to with ${flag}`,
      { cause: error },
    );
  }
};

/**
 * A folder that nobody named, for what is run: made if it is not there, and marked as this directory's.
 *
 * @param {string} folder
 * @param {string} baseDir  absolute
 */
export const takeOutputFolder = (folder, baseDir) => {
  provideFolder(folder);
  try {
    markOutputFolder(folder, baseDir);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${folder}: cannot write into this directory (${code}); make room, or choose one that you may write to with --outdir`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * Node's own recursive form never ends where nothing can be added (`/proc`, on Node 20).
 *
 * @param {string} folder
 */
const makeFolder = folder => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};
