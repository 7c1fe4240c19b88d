// Loads the system's own modules from one file if the file exists and matches the sources, otherwise
// from the sources. A run is the same with either.

import { join } from 'node:path';
import { CodeCache } from './code-cache.js';
import { PackedModules } from './modules.js';
import { readPack } from './read-pack.js';

export { provideCodeFolder } from './code-folder.js';

const root = join(import.meta.dirname, '../..');

/** Folders of the packs: of the command line, its drawing process, and the threads and processes of vats. */
const folders = { command: 'files', drawing: 'files/drawing', worker: 'files/worker' };

/**
 * Open a pack. Returns undefined if the sources must be run: there is no pack, a source was changed,
 * coverage is measured, or `SWINGSET_RUNNER_SOURCES` is set.
 *
 * @param {keyof typeof folders} name
 * @param {string | undefined} codeFolder  for compiled code; it is private, since the code is run
 * @returns {{ modules: PackedModules, code: CodeCache } | undefined}
 */
export const openPack = (name, codeFolder) => {
  const { NODE_V8_COVERAGE, SWINGSET_RUNNER_SOURCES } = process.env;
  if (NODE_V8_COVERAGE || SWINGSET_RUNNER_SOURCES) return undefined;
  const pack = readPack(root, join(import.meta.dirname, folders[name]));
  if (pack === undefined) return undefined;
  const code = new CodeCache(codeFolder, root, pack.index.digest);
  return { modules: new PackedModules(root, pack, code), code };
};
