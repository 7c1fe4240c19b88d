// Caches V8's compiled code of modules for the next process, if Node can (from 22.1 on): of
// packages, and of the runner's own modules when it runs its sources. If the cache cannot be read or
// written, modules are compiled anew.

import module from 'node:module';

/**
 * Switch the cache on; call this before the modules are loaded. `NODE_DISABLE_COMPILE_CACHE`
 * switches it off, as everywhere in Node.
 *
 * @param {string} folder  private, since Node runs what it finds there
 */
export const keepCompiledCode = folder => {
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (dir: string) => unknown }} */ (
    /** @type {unknown} */ (module)
  );
  // `NODE_COMPILE_CACHE` names another directory.
  if (process.env.NODE_COMPILE_CACHE === undefined) enableCompileCache?.(folder);
};
