// Loads the runner's own modules from one file if the file exists and matches the sources,
// otherwise from the sources. A run is the same with either.

import { join } from 'node:path';
import { CodeCache } from './code-cache.js';
import { PackedModules } from './modules.js';
import { readPack } from './read-pack.js';
import { usesSources } from './uses-sources.js';

const root = join(import.meta.dirname, '../..');

/** @param {string} folder  of the pack @param {string | undefined} cacheDir */
const open = (folder, cacheDir) => {
  const { NODE_V8_COVERAGE, SWINGSET_RUNNER_SOURCES, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_V8_COVERAGE || SWINGSET_RUNNER_SOURCES) return undefined;
  const pack = readPack(root, folder);
  if (pack === undefined) return undefined;
  const codeFolder =
    cacheDir === undefined || NODE_DISABLE_COMPILE_CACHE ? undefined : join(cacheDir, 'node');
  const code = new CodeCache(codeFolder, pack.index.digest);
  return { modules: new PackedModules(root, pack, code), code };
};

/**
 * Open the pack of the command line. Returns undefined if the sources must be run: there is no
 * pack, a source was changed, the command needs the sources (uses-sources.js), coverage is
 * measured, or `SWINGSET_RUNNER_SOURCES` is set.
 *
 * @param {readonly string[]} args
 * @param {string | undefined} cacheDir  for compiled code
 */
export const openPack = (args, cacheDir) => {
  if (usesSources(args)) return undefined;
  const pack = open(join(import.meta.dirname, 'files'), cacheDir);
  if (pack === undefined) return undefined;
  const { modules, code } = pack;
  process.once('exit', () => {
    const flags = /** @type {{ takeFlagsBack: () => void } | undefined} */ (
      modules.find('packages/host/engine/process-flags.js')
    );
    flags?.takeFlagsBack();
    code.save();
  });
  return modules;
};

/**
 * Open the pack of the drawing process. Returns undefined if there is none that matches the sources.
 *
 * @param {string | undefined} cacheDir  for compiled code
 */
export const openChartPack = cacheDir => {
  const pack = open(join(import.meta.dirname, 'files/drawing'), cacheDir);
  if (pack === undefined) return undefined;
  process.once('exit', () => pack.code.save());
  return pack.modules;
};
