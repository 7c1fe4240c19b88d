// Caches V8's compiled code of modules for the next process, if Node can (from 22.1 on): of
// packages, and of the runner's own modules when it runs its sources. The cache is beside the
// compiled sources of vats, in the user's own cache directory, which others may not write to. If
// the cache cannot be read or written, modules are compiled anew.

import module from 'node:module';
import { join } from 'node:path';

/**
 * Switch the cache on; call this before the modules are loaded. `NODE_DISABLE_COMPILE_CACHE`
 * switches it off, as everywhere in Node.
 *
 * @param {string} cacheDir
 */
export const keepCompiledCode = cacheDir => {
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (dir: string) => unknown }} */ (
    /** @type {unknown} */ (module)
  );
  // `NODE_COMPILE_CACHE` names another directory.
  if (process.env.NODE_COMPILE_CACHE === undefined) enableCompileCache?.(join(cacheDir, 'node'));
};
