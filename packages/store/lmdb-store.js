// The store on disk. A commit writes one record to the block log and keeps the block's changes in memory, where reads
// find them. When the log is full, one durable transaction writes all of them to LMDB (a checkpoint), and the log
// begins again. Opening replays the log on top of LMDB, so the state is always that of a committed block.
//
//   commit ──► block log ──► (full) ──► LMDB            get ──► overlay ──► LMDB
//         └──► overlay   ──────────────►

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Fail, insistOptions, schemaVersion, UserError } from '#model';
import { makeBackgroundSync } from './background-sync.js';
import { openBlockLog } from './block-log.js';
import { openDatabase } from './database.js';
import { lockDirectory } from './directory-lock.js';
import { explainDiskError, insistRoom } from './disk-errors.js';
import { readBoot } from './log-head.js';
import { makeOverlay } from './overlay.js';
import { openPageDatabase } from './page-database.js';
import { makeQueries } from './queries.js';
import { findState, openState, stateFiles } from './state-files.js';
import { schemaKey } from './values.js';

/** @import { OptionRule } from '#model' */
/** @import { BlockLog } from './block-log.js' */
/** @import { Batch, Store } from './store.js' */

/**
 * When a committed block survives a power failure (README.md, "What is promised"): before `commit` returns; soon, in
 * order, reported by `onDurable`; or at the next checkpoint.
 *
 * @typedef {'commit' | 'group' | 'none'} Durability
 */

/** A checkpoint is made when the log holds this much (README.md, "Measured"). */
const defaultLogBytes = 2 * 1024 * 1024;

/**
 * Makes new and removed names in a directory durable.
 *
 * @param {string} dir
 */
const syncDirectory = dir => {
  // Windows refuses to flush a directory; its file system keeps a log of names itself.
  if (process.platform === 'win32') return;
  const fd = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
};

/**
 * Clears up after an error, which a second one must not hide: a disk that has failed often lets nothing be removed. Files
 * that stay have no block, and a lock goes with its process.
 *
 * @param {() => void} clear
 */
const tryTo = clear => {
  try {
    clear();
  } catch {
    // The first error is told.
  }
};

/** @param {string} file  may be absent */
const removeFile = file => {
  if (fs.existsSync(file)) fs.unlinkSync(file);
};

/**
 * Removes a state. The log goes last, since it means nothing without the database: a crash in between leaves no state
 * rather than an old one.
 *
 * @param {string} dir
 */
const removeState = dir => {
  const { database, log } = stateFiles(dir);
  for (const file of [database, `${database}-lock`, log]) {
    removeFile(file);
    syncDirectory(dir);
  }
};

/** @param {Batch} batch @returns {number} roughly the bytes of its changes */
const bytesOf = ({ puts, appends }) => {
  let sum = 0;
  /** @param {string | Uint8Array | undefined} value @param {string} key */
  const add = (value, key) => {
    sum += key.length + (value?.length ?? 0);
  };
  puts.forEach(add);
  appends?.forEach(add);
  return sum;
};

/**
 * Opens the files and begins a generation of the log, so that its old records no longer count, even those after a gap.
 *
 * @param {string} dir  exists, and is locked by this process
 * @param {ReturnType<typeof findState>} found  the state on disk, checked before anything is opened that would change it;
 *   undefined: begin a new one
 * @param {(what: string) => void} onLoss
 */
const openFiles = (dir, found, onLoss) => {
  const files = stateFiles(dir);
  found?.database.close();
  if (found === undefined) removeState(dir);

  /** @type {ReturnType<typeof openDatabase> | undefined} */
  let opened;
  /** @type {BlockLog | undefined} */
  let log;
  try {
    const database = openDatabase(files.database, openPageDatabase);
    opened = database;
    const overlay = makeOverlay(database);
    const { isOurs = false, lost } = found ?? {};
    let { block } = database;
    let replayedBytes = 0;
    for (const batch of found?.blocks() ?? []) {
      overlay.apply(batch);
      replayedBytes += bytesOf(batch);
      block += 1;
    }
    if (replayedBytes > 0) insistRoom(dir, replayedBytes);
    if (lost !== undefined) onLoss(`${files.log}: ${lost}, as after a loss of power`);
    const run = database.run ?? randomBytes(8).toString('hex');
    const slot = { run, boot: readBoot(), generation: database.generation + 1, block };
    log = openBlockLog(files.log, isOurs ? undefined : slot);
    if (isOurs) log.announce(slot);
    else syncDirectory(dir);
    overlay.moveTo({ ...slot, hasLog: true });
    log.restart(slot, log.allocated);
    return { database, log, overlay, slot };
  } catch (error) {
    log?.close();
    opened?.close();
    throw error;
  }
};

/** @type {Readonly<Record<string, OptionRule>>} */
const optionRules = Object.freeze({
  dir: 'string',
  durability: ['commit', 'group', 'none'],
  create: 'boolean',
  logBytes: 'number',
  beforeWait: 'function',
  onLoss: 'function',
});

/** @typedef {Parameters<typeof openLmdbStore>[0]} LmdbOptions */

/**
 * Opens the database in a directory.
 *
 * @param {object} options
 * @param {string} options.dir  the folder of the database, made if `create` is true
 * @param {Durability} options.durability  when a block is on disk: `commit`, before `commit` returns; `group`, soon after;
 *   `none`, at the next checkpoint
 * @param {boolean} options.create  true: begin an empty database, in place of one that is there; false: go on
 *   with the one that is there
 * @param {number} [options.logBytes=2097152]  size of the block log at which a checkpoint is made
 * @param {() => void} [options.beforeWait]  called before a commit waits for the disk
 * @param {(what: string) => void} [options.onLoss]  called if a power failure lost blocks that were not yet durable,
 *   and left later ones
 * @returns {Store}
 * @throws {TypeError} an option is missing, or has an unknown name or a wrong value
 * @throws {UserError} no state, another schema version, in use by another process, no permission, full disk
 */
export const openLmdbStore = options => {
  insistOptions('openLmdbStore()', options, optionRules);
  const { dir, durability, create } = options;
  for (const [name, value] of Object.entries({ dir, durability, create }))
    if (value === undefined)
      throw TypeError(
        `option "${name}" of openLmdbStore() is missing, got undefined; give { dir, durability, create }, as { dir: 'state', durability: 'commit', create: true }`,
      );
  return openDirectory(options, create ? () => undefined : openState);
};

/**
 * Opens the database in a directory, or begins one if nothing was committed there.
 *
 * @param {Omit<LmdbOptions, 'create'>} options
 * @returns {Store}
 * @throws {UserError} as of `openLmdbStore`
 */
export const provideLmdbStore = options => openDirectory({ ...options, create: true }, findState);

/**
 * @param {LmdbOptions} options
 * @param {(dir: string) => ReturnType<typeof findState>} find  the state to go on with; undefined: begin a new one
 * @returns {Store}
 */
const openDirectory = (options, find) => {
  const { dir, durability, create } = options;
  const { logBytes = defaultLogBytes, beforeWait = () => {}, onLoss = () => {} } = options;
  if (dir === '')
    throw TypeError(`option "dir" of openLmdbStore() is empty; give a directory, as 'state'`);
  if (!(logBytes > 0))
    throw TypeError(
      `option "logBytes" of openLmdbStore() has a wrong value, got ${logBytes}; give a number of bytes above 0`,
    );
  /** @type {() => void} */
  let unlock = () => {};
  /** @type {ReturnType<typeof openFiles>} */
  let files;
  /** The topmost directory that is made for it. @type {string | undefined} */
  let made;
  let isNew = false;
  try {
    if (create) {
      made = makeDirectory(dir);
      if (made !== undefined) syncDirectory(path.dirname(made));
    } else if (!fs.existsSync(dir)) {
      throw new UserError(`${dir}: no such directory; a run is resumed from where it was saved`);
    }
    unlock = lockDirectory(dir);
    const found = find(dir);
    isNew = found === undefined;
    files = openFiles(dir, found, onLoss);
  } catch (error) {
    // Before the directory is gone.
    const isKept = !create || !(isNew || made !== undefined);
    const explained = explainDiskError(error, dir, isKept ? 'found' : 'nothing');
    if (isNew) tryTo(() => removeState(dir));
    tryTo(unlock);
    if (made !== undefined) removeDirectories(dir, made);
    throw explained;
  }
  const { database, log, overlay } = files;
  let { slot } = files;
  let { block } = slot;

  // These change at checkpoints only.
  let databaseBytes = database.sizeBytes();
  let tableBytes = database.tableBytes();
  let streamBytes = database.streamBytes();
  let closed = false;
  const sync = makeBackgroundSync(log, block, durability === 'group', (error, kept) =>
    explainDiskError(error, dir, block === 0 && kept === 'committed' ? 'nothing' : kept),
  );

  /** @param {boolean} hasLog  blocks will be in the log */
  const checkpoint = hasLog => {
    insistRoom(dir, log.used);
    slot = { ...slot, generation: slot.generation + 1, block };
    log.announce(slot);
    overlay.moveTo({ ...slot, hasLog });
    log.restart(slot, logBytes);
    databaseBytes = database.sizeBytes();
    tableBytes = database.tableBytes();
    streamBytes = database.streamBytes();
    sync.setDurable(block);
  };

  /** @param {Batch} batch */
  const commit = batch => {
    closed && Fail`commit to a closed store`;
    sync.insistWhole();
    overlay.insistBatch(batch);
    const whole = wholeBatch(batch, block === 0);
    const size = log.encode(whole);
    try {
      if (log.used > 0 && log.used + size > logBytes) checkpoint(true);
      if (durability === 'commit') beforeWait();
      log.write(block + 1, sync.durable);
    } catch (error) {
      sync.fail(error);
      sync.insistWhole();
    }
    if (durability === 'commit') {
      try {
        log.sync();
      } catch (error) {
        sync.fail(error, log.takeBack() ? 'committed' : 'uncertain');
        sync.insistWhole();
      }
    }
    block += 1;
    overlay.apply(whole);
    if (durability === 'commit') sync.setDurable(block);
    else sync.noteBlock(block);
  };

  const { get, getBytes, entries, nextKey } = makeQueries(database, overlay);

  const closeFiles = async () => {
    try {
      log.close();
      await database.close();
      // After a failure the log still holds blocks that the database does not.
      if (!sync.hasFailed) removeFile(stateFiles(dir).log);
      else if (block === 0) removeState(dir);
    } finally {
      unlock();
    }
  };

  const closeOnce = async () => {
    closed = true;
    try {
      await sync.end();
      if (!sync.hasFailed) checkpoint(false);
    } catch (error) {
      sync.fail(error);
    }
    await closeFiles().catch(error => sync.fail(error));
    sync.insistTold();
  };

  /** @type {Promise<void> | undefined} the first call's, which every later one waits for */
  let closing;
  const close = () => (closing ??= closeOnce());

  return Object.freeze({
    get,
    getBytes,
    entries,
    nextKey,
    commit,
    readStream: name => Buffer.concat([...overlay.streamChunks(name)]),
    streamChunks: overlay.streamChunks,
    streamLength: overlay.streamLength,
    streamNames: overlay.streamNames,
    diskBytes: () => databaseBytes + log.allocated,
    tableBytes: () => tableBytes,
    streamBytes: () => streamBytes,
    logBytes: () => log.used,
    durableBlocks: sync.durableBlocks,
    onDurable: sync.onDurable,
    isDurable: () => durability === 'none' || sync.durable === block,
    flushed: () => sync.flushed(block),
    isClosed: () => closed,
    close,
  });
};

/**
 * The batch that is logged and applied, which reads it twice. The first block of a database also has the schema of its
 * keys and values.
 *
 * @param {Batch} batch
 * @param {boolean} isFirst
 * @returns {Batch}
 */
const wholeBatch = ({ puts, appends, deleteStreams }, isFirst) => ({
  puts: isFirst ? withSchema(puts) : puts,
  appends,
  // A block that deletes no stream has an empty list.
  deleteStreams:
    Array.isArray(deleteStreams) && deleteStreams.length === 0
      ? undefined
      : deleteStreams && [...deleteStreams],
});

/** @param {Batch['puts']} puts */
const withSchema = puts => {
  /** @type {Map<string, string | Uint8Array | undefined>} */
  const all = new Map([[schemaKey, String(schemaVersion)]]);
  puts.forEach((value, key) => all.set(key, value));
  return all;
};

/**
 * Removes directories that were made for a state which could not be begun, as far as they are empty.
 *
 * @param {string} dir
 * @param {string} topmost
 */
const removeDirectories = (dir, topmost) => {
  try {
    for (let each = dir; ; each = path.dirname(each)) {
      fs.rmdirSync(each);
      if (each === topmost) return;
    }
  } catch {
    // Somebody else has put something there.
  }
};

/**
 * Makes a directory and those above it. Node's own recursive form never ends where a directory can be listed but not
 * added to (`/proc`, on Node 20).
 *
 * @param {string} dir
 * @returns {string | undefined} the topmost directory that was made
 */
const makeDirectory = dir => {
  if (fs.existsSync(dir)) return undefined;
  const above = makeDirectory(path.dirname(dir));
  try {
    fs.mkdirSync(dir);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ENOENT') throw error;
    throw new UserError(`${dir}: no directory can be made here; choose another for the database`, {
      cause: error,
    });
  }
  return above ?? dir;
};
