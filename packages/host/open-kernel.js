// A state to look at, without vats: for dumps and audits of a database that a run has left.

import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { quote, UserError } from '#model';
import { openLmdbStore } from '#store';
import { loadStoredKernel } from './report.js';

/** @param {string} dir */
const hasDatabase = dir => {
  const file = join(dir, 'data.mdb');
  return existsSync(file) && statSync(file).size > 0;
};

/**
 * The kernel of a database, loaded and not to be run.
 *
 * @param {string} path  the database's directory, the output directory of a run, or the directory of what was run
 * @returns {Promise<{ kernel: import('#kernel').Kernel, dir: string, store: import('#store').Store,
 *   close: () => Promise<void> }>}
 * @throws {UserError} no database is there, it is in use, of another version, …
 */
export const openKernel = async path => {
  const usual = join('swingset-out', basename(path.replace(/\/+$/, '')), 'state');
  const dir = [path, join(path, 'state'), usual].find(hasDatabase);
  if (dir === undefined) {
    throw new UserError(
      `there is no database in ${quote(path)}, nor in ${quote(usual)}; name the directory of one, or of what was run`,
    );
  }
  const store = openLmdbStore({ dir, durability: 'none', create: false });
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
