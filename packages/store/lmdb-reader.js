// Reads a saved state without changing anything in the directory: the state that openLmdbStore would find. It needs no
// write permission, takes no lock, and leaves the blocks of the log there.

import fs from 'node:fs';
import { Fail, UserError } from '#model';
import { insistUnused } from './directory-lock.js';
import { explainDiskError } from './disk-errors.js';
import { makeQueries } from './queries.js';
import { openState } from './state-files.js';

/** @import { Store } from './store.js' */

/**
 * @param {object} options
 * @param {string} options.dir
 * @param {(what: string) => void} [options.onLoss]  called if a power failure lost blocks that were not yet durable,
 *   and left later ones
 * @returns {Store}  read-only
 * @throws {UserError} no state, a damaged one, another schema version, in use by another process, no permission
 */
export const readLmdbStore = ({ dir, onLoss = () => {} }) => {
  /** @type {ReturnType<typeof openState>} */
  let files;
  try {
    if (!fs.existsSync(dir))
      throw new UserError(`${dir}: no such directory; a run is resumed from where it was saved`);
    insistUnused(dir);
    files = openState(dir);
  } catch (error) {
    throw explainDiskError(error, dir);
  }
  const { database, overlay, lost } = files;
  if (lost !== undefined) onLoss(`${dir}: ${lost}, as after a loss of power`);
  return Object.freeze({
    ...makeQueries(database, overlay),
    commit: () => Fail`commit to a store that is only read`,
    readStream: name => Buffer.concat([...overlay.streamChunks(name)]),
    streamChunks: overlay.streamChunks,
    streamLength: overlay.streamLength,
    streamNames: overlay.streamNames,
    diskBytes: database.sizeBytes,
    tableBytes: database.tableBytes,
    streamBytes: database.streamBytes,
    logBytes: () => 0,
    durableBlocks: () => 0,
    onDurable: () => {},
    isDurable: () => true,
    flushed: async () => {},
    close: database.close,
  });
};
