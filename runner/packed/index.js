// Loads the runner's own modules from one file if the file exists and matches the sources,
// otherwise from the sources. A run is the same with either.

import { join } from 'node:path';
import { CodeCache } from './code-cache.js';
import { PackedModules } from './modules.js';
import { readPack } from './read-pack.js';
import { usesSources } from './uses-sources.js';

/**
 * Open the pack. Returns undefined if the sources must be run: there is no pack, a source was
 * changed, the command needs the sources (uses-sources.js), coverage is measured, or
 * `SWINGSET_RUNNER_SOURCES` is set.
 *
 * @param {readonly string[]} args
 * @param {string | undefined} cacheDir  for compiled code
 */
export const openPack = (args, cacheDir) => {
  const { NODE_V8_COVERAGE, SWINGSET_RUNNER_SOURCES, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_V8_COVERAGE || SWINGSET_RUNNER_SOURCES || usesSources(args)) return undefined;
  const root = join(import.meta.dirname, '../..');
  const pack = readPack(root, join(import.meta.dirname, 'files'));
  if (pack === undefined) return undefined;
  const folder =
    cacheDir === undefined || NODE_DISABLE_COMPILE_CACHE ? undefined : join(cacheDir, 'node');
  const code = new CodeCache(folder, pack.index.digest);
  const modules = new PackedModules(root, pack, code);
  process.once('exit', () => {
    const flags = /** @type {{ takeFlagsBack: () => void } | undefined} */ (
      modules.find('packages/host/process-flags.js')
    );
    flags?.takeFlagsBack();
    code.save();
  });
  return modules;
};
