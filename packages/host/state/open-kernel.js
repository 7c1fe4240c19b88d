// Opens a state for reading, without vats, for dumps, audits and replays of a run's database. Nothing is changed, and
// read permission is enough.

import { quote, UserError } from '#model';
import { readLmdbStore } from '#store';
import { findDatabase, outputFoldersOf } from './output-folder.js';
import { loadStoredKernel } from '../reports/report.js';
import { readWhole } from './read-whole.js';

/**
 * Load the kernel of a database for reading.
 *
 * @param {string} path  the database's directory, a run's output directory, or the directory of the program
 * @param {object} [options]
 * @param {string} [options.demosDir]  a directory of the program that does not exist is searched here
 * @param {(what: string) => void} [options.onLoss]  called if blocks were lost by a power failure
 * @returns {Promise<{ kernel: import('#kernel').Kernel, dir: string, store: import('#store').Store,
 *   close: () => Promise<void> }>}
 * @throws {UserError} if there is no database, or it is in use, damaged or of another version
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
    const kernel = readWhole(`${dir} is`, () => loadStoredKernel(store));
    return { kernel, dir, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
};
