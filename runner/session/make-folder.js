// Makes a folder and those above it.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Node's own recursive form never ends where nothing can be added (`/proc`, on Node 20).
 *
 * @param {string} folder
 * @throws {NodeJS.ErrnoException} it cannot be made
 */
export const makeFolder = folder => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};
