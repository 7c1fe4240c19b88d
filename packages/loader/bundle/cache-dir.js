// The default folder of compiled modules, and the making of folders.

import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The default cache folder of compiled sources: `swingset-runner` in `$XDG_CACHE_HOME`, else in `~/.cache`. The call
 * does not create it.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string} an absolute path
 */
export const defaultCacheDir = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'swingset-runner');

/** @param {string} folder */
const isFolder = folder => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Make a folder and its parents. `mkdirSync` with `recursive` never returns on Node 20 where nothing can be added
 * (`/proc`).
 *
 * @param {string} folder
 * @throws {NodeJS.ErrnoException} if the folder cannot be made
 */
export const makeFolder = folder => {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
};
