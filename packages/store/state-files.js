// The files of a state in its directory; checks that they belong together before anything is opened for writing.

import fs from 'node:fs';
import path from 'node:path';
import { schemaVersion, UserError } from '#model';
import { EarlierSchema } from './check-database.js';
import { damagedStore } from './damage.js';
import { headBytes, markOf, readBoot, readSlots } from './log-head.js';
import { makeOverlay } from './overlay.js';
import { openPageDatabase } from './page-database.js';
import { DamagedPage, NoDatabase } from './pages.js';
import { DamagedLog, readLog } from './read-log.js';
import { asText, schemaKey } from './values.js';

/** @import { Batch } from './store.js' */

const databaseName = 'data.mdb';
const logName = 'blocks.log';

/** @param {string} dir */
export const stateFiles = dir => ({
  database: path.join(dir, databaseName),
  log: path.join(dir, logName),
});

/** Nothing was committed in a directory. */
class NoState extends UserError {
  /** @param {string} dir */
  constructor(dir) {
    super(`${dir}: no saved state here; start a run in this directory before resuming it`);
  }
}

/** @param {string} database */
const noDatabase = database =>
  new UserError(
    `${database} is not a database, or only the beginning of one; start afresh or restore a copy`,
  );

/** @param {string} dir @param {string} schema */
const otherSchema = (dir, schema) =>
  new UserError(
    `${dir}: the database has schema version ${schema}, this program reads version ${schemaVersion}; ` +
      `use the program that wrote it, or start afresh`,
  );

/**
 * Checks that a path is a regular file, not something that would be read for ever.
 *
 * @param {string} file
 * @returns {boolean} whether it exists
 */
const isThere = file => {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile())
    damagedStore(file, stat.isDirectory() ? 'it is a directory, no file' : 'it is no file');
  return stat !== undefined;
};

/**
 * @template T
 * @param {string} dir
 * @param {() => T} read
 * @returns {T}
 * @throws {UserError} the database is damaged, or of another schema
 */
const readingPages = (dir, read) => {
  const { database } = stateFiles(dir);
  try {
    return read();
  } catch (error) {
    if (error instanceof EarlierSchema) throw otherSchema(dir, error.message);
    if (error instanceof DamagedPage) return damagedStore(database, error.message, error);
    if (error instanceof NoDatabase) {
      throw noDatabase(database);
    }
    throw error;
  }
};

/**
 * @param {string} dir
 * @throws {UserError} there is no database, or it is empty
 */
const insistDatabase = dir => {
  const { database } = stateFiles(dir);
  isThere(`${database}-lock`);
  if (!isThere(database)) throw new NoState(dir);
  // A new database has its first pages before anything else.
  if (fs.statSync(database).size === 0) throw noDatabase(database);
};

/**
 * The marks by which a database identifies its log.
 *
 * @typedef {{ generation: number, block: number, run: string | undefined, hasLog: boolean }} Marks
 */

/** @returns {Batch[]} */
const noBlocks = () => [];

/**
 * The blocks that are in the log and not in the database. A log announces a generation durably before its database
 * does, so the newest that it has announced is the database's, or the next one if a crash came in between.
 *
 * @param {string} dir
 * @param {Marks} marks
 * @returns {{ blocks: () => Iterable<Batch>, isOurs: boolean, lost: string | undefined }}  `isOurs`: there is a log,
 *   and it can be reused; `lost`: what a power failure lost
 * @throws {UserError} the log is damaged or missing, or belongs to another database
 */
const readStateLog = (dir, { generation, block, run, hasLog }) => {
  const { log, database } = stateFiles(dir);
  if (!isThere(log)) {
    if (hasLog) damagedStore(log, 'it is missing, and data.mdb says that blocks are in it');
    return { blocks: noBlocks, isOurs: false, lost: undefined };
  }
  // A crash while a state was made; there is no block.
  if (generation === 0 || run === undefined)
    return { blocks: noBlocks, isOurs: false, lost: undefined };
  const bytes = fs.readFileSync(log);
  const slots = readSlots(bytes);
  if (slots.length === 0) damagedStore(log, 'it does not begin as a block log does');
  if (slots.some(slot => slot.run !== run)) damagedStore(log, 'it belongs to another data.mdb');
  const newest = slots[slots.length - 1].generation;
  if (newest < generation)
    damagedStore(log, `it is older than data.mdb: of generation ${newest}, not ${generation}`);
  const next = markOf(run, generation + 1).start;
  const hasNext = bytes.subarray(headBytes, headBytes + 8).equals(next);
  if (newest > generation + 1 || (newest > generation && hasNext))
    damagedStore(
      database,
      `it is older than blocks.log: of generation ${generation}, not ${newest}`,
    );
  const slot = slots.find(each => each.generation === generation);
  if (!hasLog) {
    // A crash while a log was removed or a new one made; neither has blocks.
    if (slot !== undefined && bytes.includes(markOf(run, generation).start))
      damagedStore(log, 'it has blocks, and data.mdb says that there are none');
    return { blocks: noBlocks, isOurs: false, lost: undefined };
  }
  if (slot === undefined || slot.block !== block)
    return damagedStore(log, `it does not say where generation ${generation} begins`);
  const isSameBoot = slot.boot !== '' && slot.boot === readBoot();
  try {
    const { blocks, lost } = readLog(bytes, slot, isSameBoot);
    return { blocks, isOurs: true, lost };
  } catch (error) {
    if (error instanceof DamagedLog) return damagedStore(log, error.message, error);
    throw error;
  }
};

/**
 * Reads a state with the blocks of its log, without changing it.
 *
 * @param {string} dir
 * @throws {UserError} it is not there, damaged, or of another schema
 */
export const openState = dir => {
  insistDatabase(dir);
  const database = readingPages(dir, () => openPageDatabase(stateFiles(dir).database));
  try {
    const overlay = makeOverlay(database);
    const log = readStateLog(dir, database);
    for (const batch of log.blocks()) overlay.apply(batch);
    const schema = asText(overlay.get(schemaKey));
    if (schema === undefined) throw new NoState(dir);
    if (schema !== String(schemaVersion)) throw otherSchema(dir, schema);
    return { database, overlay, ...log };
  } catch (error) {
    database.close();
    throw error instanceof DamagedLog
      ? new UserError(
          `${stateFiles(dir).log} is damaged: ${error.message}; restore a copy, or start afresh`,
          { exitCode: 1, cause: error },
        )
      : error;
  }
};

/**
 * Reads the state of a directory that may have none: a crash before the first commit leaves files without a block.
 *
 * @param {string} dir
 * @returns {ReturnType<typeof openState> | undefined}
 * @throws {UserError} it is damaged, or of another schema
 */
export const findState = dir => {
  try {
    return openState(dir);
  } catch (error) {
    if (error instanceof NoState) return undefined;
    throw error;
  }
};
