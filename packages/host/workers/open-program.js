// Loads the program of a worker thread or process: from the pack if it matches the sources, otherwise through Node.

import { findCacheDir } from '#native/cache-dir.js';
import { openPack, provideCodeFolder } from '#packed';

/**
 * @template T
 * @typedef {object} Program
 * @property {T} program  the module's exports
 * @property {() => void} keepCode  keeps the compiled code for the next one, if there is something new; it takes some 100 ms
 *   then
 */

/**
 * @template T
 * @param {string | undefined} cacheDir  the folder of caches; default: the one that the user has chosen, without which no
 *   compiled code is kept
 * @param {string} file  in this folder
 * @param {() => Promise<T>} importIt  through Node
 * @returns {Promise<Program<T>>}
 */
export const openProgram = async (cacheDir, file, importIt) => {
  const outer = cacheDir ?? findCacheDir();
  const codeFolder = outer === undefined ? undefined : provideCodeFolder(outer);
  const pack = openPack('worker', codeFolder);
  if (pack === undefined) return { program: await importIt(), keepCode() {} };
  const program = await pack.modules.load(`packages/host/workers/${file}`);
  return { program: /** @type {T} */ (program), keepCode: () => pack.code.save() };
};
