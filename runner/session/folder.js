// A folder for what a run writes.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '#model';

/** @param {string} folder  made if it is not there */
export const provideFolder = folder => {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${folder}: cannot make this directory (${code}); choose a place that you may write to with --outdir`,
      { cause: error },
    );
  }
};

/**
 * Node's own recursive form never ends where nothing can be added (`/proc`, on Node 20).
 *
 * @param {string} folder
 */
const makeFolder = folder => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};
