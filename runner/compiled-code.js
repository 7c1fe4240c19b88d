// Keeps V8's compiled code of the runner's own modules for the next process, where Node can (from 22.1 on). It is kept
// beside the compiled sources of vats, in the person's own cache and not in a directory that others may write to. A cache
// that cannot be read or written is done without.

import module from 'node:module';
import { join } from 'node:path';
import { defaultCacheDir } from '#host/cache-dir.js';

/** To be called before the modules are loaded. `NODE_DISABLE_COMPILE_CACHE` switches it off, as everywhere in Node. */
export const keepCompiledCode = () => {
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (dir: string) => unknown }} */ (
    /** @type {unknown} */ (module)
  );
  // A user who named another place for it (`NODE_COMPILE_CACHE`) keeps that.
  if (enableCompileCache === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return;
  try {
    enableCompileCache(join(defaultCacheDir(), 'node'));
  } catch {
    // The person has no home, say.
  }
};
