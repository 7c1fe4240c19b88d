// Loads the runner's own modules from one file if the file exists and matches the sources,
// otherwise from the sources. A run is the same with either.

import { join } from 'node:path';
import { CodeCache } from './code-cache.js';
import { PackedModules } from './modules.js';
import { readPack } from './read-pack.js';
import { usesSources } from './uses-sources.js';

const root = join(import.meta.dirname, '../..');

/** @param {string} folder  of the pack @param {string | undefined} codeFolder */
const open = (folder, codeFolder) => {
  const { NODE_V8_COVERAGE, SWINGSET_RUNNER_SOURCES } = process.env;
  if (NODE_V8_COVERAGE || SWINGSET_RUNNER_SOURCES) return undefined;
  const pack = readPack(root, folder);
  if (pack === undefined) return undefined;
  const code = new CodeCache(codeFolder, root, pack.index.digest);
  return { modules: new PackedModules(root, pack, code), code };
};

/**
 * Open the pack of the command line. Returns undefined if the sources must be run: there is no
 * pack, a source was changed, the command needs the sources (uses-sources.js), coverage is
 * measured, or `SWINGSET_RUNNER_SOURCES` is set.
 *
 * @param {readonly string[]} args
 * @param {string | undefined} codeFolder  for compiled code
 */
export const openPack = (args, codeFolder) => {
  if (usesSources(args)) return undefined;
  const pack = open(join(import.meta.dirname, 'files'), codeFolder);
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
 * @param {string | undefined} codeFolder  for compiled code
 */
export const openChartPack = codeFolder => {
  const pack = open(join(import.meta.dirname, 'files/drawing'), codeFolder);
  if (pack === undefined) return undefined;
  process.once('exit', () => pack.code.save());
  return pack.modules;
};
