// The folder in which the engine's compiled code is kept for the next process.

import { join } from 'node:path';
import { defaultCacheDir, makePrivateFolder } from '#host/state/cache-dir.js';

/**
 * The folder, made if it does not exist. `NODE_DISABLE_COMPILE_CACHE` switches it off, as everywhere in Node.
 *
 * @returns {string | undefined} undefined if no code is kept, the user has no home directory that can be written, or the
 *   folder belongs to another user
 */
export const provideCodeFolder = () => {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    const folder = join(defaultCacheDir(), 'node');
    makePrivateFolder(folder);
    return folder;
  } catch {
    return undefined;
  }
};
