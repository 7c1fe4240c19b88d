// The database's library. Its packages have install scripts, of which package managers warn though nothing of them is needed;
// so its modules come as one file, and only the package with the binary for this machine is installed (`@lmdb/lmdb-…`).

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

const file = fileURLToPath(new URL('./files/lmdb/lmdb.cjs', import.meta.url));

/**
 * @typedef {object} LmdbTable
 * @property {(key: string) => Buffer | undefined} getBinary
 * @property {(key: string) => Buffer | undefined} getBinaryFast  valid until the next call
 * @property {(key: string, value: Uint8Array) => unknown} putSync
 * @property {(key: string) => unknown} removeSync
 * @property {(options?: { start?: string, limit?: number }) => Iterable<string>} getKeys
 * @property {() => object} getStats
 */

/**
 * @typedef {object} LmdbRoot
 * @property {(options: object) => LmdbTable} openDB
 * @property {<T>(act: () => T) => T} transactionSync
 * @property {() => Promise<void>} close
 */

/** @typedef {{ open: (options: object) => LmdbRoot }} Lmdb */

/**
 * Where there is no binary for this machine, a package `lmdb` that its user has compiled is taken.
 *
 * @returns {Lmdb}
 * @throws {Error} neither can be loaded
 */
export const loadLmdb = () => {
  if (!fs.existsSync(file)) return require('lmdb');
  try {
    return require(file);
  } catch (error) {
    try {
      return require('lmdb');
    } catch {
      throw error;
    }
  }
};
