// A folder for what a run writes.

import { mkdirSync } from 'node:fs';
import { UserError } from '#model';

/** @param {string} folder  made if it is not there */
export const provideFolder = folder => {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${folder}: cannot make this directory (${code}); choose a place that you may write to with --outdir`,
      { cause: error },
    );
  }
};
