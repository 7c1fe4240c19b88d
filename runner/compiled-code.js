// Keeps V8's compiled code of modules for the next process, where Node can (from 22.1 on): of packages, and of the runner's
// own where it runs its sources. It is kept beside the compiled sources of vats, in the person's own cache and not in a
// directory that others may write to. A cache that cannot be read or written is done without.

import module from 'node:module';
import { join } from 'node:path';

/**
 * To be called before the modules are loaded. `NODE_DISABLE_COMPILE_CACHE` switches it off, as everywhere in Node.
 *
 * @param {string} cacheDir
 */
export const keepCompiledCode = cacheDir => {
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (dir: string) => unknown }} */ (
    /** @type {unknown} */ (module)
  );
  // A user who named another place for it (`NODE_COMPILE_CACHE`) keeps that.
  if (process.env.NODE_COMPILE_CACHE === undefined) enableCompileCache?.(join(cacheDir, 'node'));
};
