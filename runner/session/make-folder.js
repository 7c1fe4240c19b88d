// Makes a folder and its parents.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `mkdirSync` with `recursive` never returns on Node 20 where nothing can be added (`/proc`).
 *
 * @param {string} folder
 * @throws {NodeJS.ErrnoException} if the folder cannot be made
 */
export const makeFolder = folder => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};
