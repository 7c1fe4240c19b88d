// The output folder of a run.

import { lockOutputFolder, markOutputFolder } from '#host/session.js';
import { isDiskFull, UserError } from '#model';
import { makeFolder } from '#host/state/cache-dir.js';

/**
 * @param {string} folder  made if it does not exist
 * @param {string} [flag]  the flag that chooses another folder
 */
export const provideFolder = (folder, flag = '--outdir') => {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${folder}: cannot make this directory (${code}); choose a place that you may write to with ${flag}`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * Make the default output folder if it does not exist, and mark it as belonging to this directory.
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
      `${folder}: cannot write into this directory (${code}); ${isDiskFull(error) ? 'make room, or ' : ''}choose one that you may write to with --outdir`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * Take the output folder for this process alone, also if it ends before the run does.
 *
 * @param {string} folder  made if it does not exist
 * @returns {() => void}  releases it
 * @throws {UserError} if another run writes into it
 */
export const lockFolder = folder => {
  provideFolder(folder);
  const unlock = lockOutputFolder(folder);
  process.once('exit', unlock);
  return () => {
    process.off('exit', unlock);
    unlock();
  };
};
