// A folder for what a run writes.

import { markOutputFolder } from '#host/session.js';
import { UserError } from '#model';
import { makeFolder } from './make-folder.js';

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
