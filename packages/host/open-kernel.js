// A state to look at, without vats: for dumps, audits and replays of a database that a run has left. Nothing of it is
// changed, and no right to write is needed.

import { quote, UserError } from '#model';
import { readLmdbStore } from '#store';
import { findDatabase, outputFoldersOf } from './output-folder.js';
import { loadStoredKernel } from './report.js';

/**
 * The kernel of a database, loaded and not to be run.
 *
 * @param {string} path  the database's directory, the output directory of a run, or the directory of what was run
 * @param {object} [options]
 * @param {string} [options.demosDir]  where a directory of what was run is looked for that does not exist
 * @param {(what: string) => void} [options.onLoss]  told of blocks that a loss of power took
 * @returns {Promise<{ kernel: import('#kernel').Kernel, dir: string, store: import('#store').Store,
 *   close: () => Promise<void> }>}
 * @throws {UserError} no database is there, it is in use, of another version, …
 */
export const openKernel = async (path, { demosDir, onLoss = () => {} } = {}) => {
  const folders = outputFoldersOf(path, demosDir);
  const dir = findDatabase(folders);
  if (dir === undefined) {
    const others = folders
      .slice(1)
      .map(folder => `, nor in ${quote(folder)}`)
      .join('');
    throw new UserError(
      `there is no database in ${quote(path)}${others}; name the directory of one, or of what was run`,
    );
  }
  const store = readLmdbStore({ dir, onLoss });
  try {
    return { kernel: loadStoredKernel(store), dir, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    if (error instanceof UserError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`${dir} is damaged: ${message}; restore a copy, or start afresh`, {
      exitCode: 1,
      cause: error,
    });
  }
};
