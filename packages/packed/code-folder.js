// The folder in which the engine's compiled code is kept for the next process.

import { join } from 'node:path';
import { defaultCacheDir, makePrivateFolder } from '#native/cache-dir.js';

/**
 * The folder, made if it does not exist. `NODE_DISABLE_COMPILE_CACHE` switches it off, as everywhere in Node.
 *
 * @param {string} [cacheDir]  the folder of caches; default: the user's
 * @returns {string | undefined} undefined if no code is kept, the folder of caches cannot be written (a user without a home
 *   directory), or the folder belongs to another user
 */
export const provideCodeFolder = (cacheDir = defaultCacheDir()) => {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    const folder = join(cacheDir, 'node');
    makePrivateFolder(folder);
    return folder;
  } catch {
    return undefined;
  }
};
