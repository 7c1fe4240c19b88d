// The store on disk. A commit writes one record to the block log and keeps the block's changes in memory, where
// reads find them; when the log is full, all of them go to LMDB in one durable transaction (a checkpoint) and the
// log begins anew. Opening replays what the log holds on top of LMDB, so the state is always that of a committed
// block.
//
//   commit ──► block log ──► (full) ──► LMDB            get ──► overlay ──► LMDB
//         └──► overlay   ──────────────►

import fs from 'node:fs';
import path from 'node:path';
import { compareTexts, Fail, schemaVersion, UserError } from '#model';
import { openBlockLog, readBlocks } from './block-log.js';
import { fillCutPages, isDatabaseFile, openDatabase } from './database.js';
import { lockDirectory } from './directory-lock.js';
import { explainDiskError } from './disk-errors.js';
import { firstCandidate } from './keys.js';
import { makeOverlay } from './overlay.js';
import { asBytes, asText, schemaKey } from './values.js';

/** @import { BlockLog } from './block-log.js' */
/** @import { Batch, Store } from './store.js' */

/**
 * When a committed block survives a loss of power (README.md, "What is promised"): before `commit` returns; soon,
 * in order, told by `onDurable`; or at the next checkpoint.
 *
 * @typedef {'commit' | 'group' | 'none'} Durability
 */

const databaseName = 'data.mdb';
const logName = 'blocks.log';

/** A checkpoint is made when the log holds this much (README.md, "Measured"). */
const defaultLogBytes = 2 * 1024 * 1024;

/** Keys fetched at a time when iterating. */
const pageKeys = 256;

/**
 * A new or removed name in a directory is durable once the directory is.
 *
 * @param {string} dir
 */
const syncDirectory = dir => {
  const fd = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
};

/** @param {string} file  may be absent */
const removeFile = file => {
  if (fs.existsSync(file)) fs.unlinkSync(file);
};

/**
 * Without the database the log means nothing, so it goes second: a crash in between leaves no state at all
 * rather than an old one.
 *
 * @param {string} dir
 */
const removeState = dir => {
  for (const name of [databaseName, `${databaseName}-lock`, logName]) {
    removeFile(path.join(dir, name));
    syncDirectory(dir);
  }
};

/**
 * @param {string} dir  exists, and is ours alone
 * @param {boolean} create
 */
const openFiles = (dir, create) => {
  const databaseFile = path.join(dir, databaseName);
  /** @type {number | undefined} */
  let cutBytes;
  const noState = () =>
    new UserError(
      cutBytes === undefined
        ? `${dir}: no saved state here; start a run in this directory before resuming it`
        : `${dir}: data.mdb is damaged (it was cut off); start afresh or restore a copy`,
    );
  if (create) removeState(dir);
  else if (!fs.existsSync(databaseFile) || fs.statSync(databaseFile).size === 0) throw noState();
  else if (!isDatabaseFile(databaseFile)) {
    throw new UserError(
      `${databaseFile} is not a database, or only the beginning of one; start afresh or restore a copy`,
    );
  } else cutBytes = fillCutPages(databaseFile);

  /** @type {ReturnType<typeof openDatabase> | undefined} */
  let opened;
  /** @type {BlockLog | undefined} */
  let log;
  try {
    const database = openDatabase(databaseFile);
    opened = database;
    log = openBlockLog(path.join(dir, logName));
    if (log.allocated === 0) syncDirectory(dir);
    const overlay = makeOverlay(database);
    let { block, generation } = database;
    if (log.allocated > 0) {
      for (const batch of readBlocks(log.read(), generation, block)) {
        overlay.apply(batch);
        block += 1;
      }
    }
    if (!create) {
      const schema = asText(overlay.get(schemaKey));
      if (schema === undefined) throw noState();
      if (schema !== String(schemaVersion)) {
        throw new UserError(
          `${dir}: the database has schema version ${schema}, this program reads version ${schemaVersion}; ` +
            `use the program that wrote it, or start afresh`,
        );
      }
    }
    // Whatever the log holds, also what lies behind a gap, ends with its generation.
    if (log.allocated > 0 || generation === 0) {
      generation += 1;
      overlay.moveTo(generation, block);
    }
    return { database, log, overlay, generation, block };
  } catch (error) {
    log?.close();
    opened?.close();
    // What cannot be opened stays as it was found.
    if (cutBytes !== undefined) fs.truncateSync(databaseFile, cutBytes);
    throw error;
  }
};

/**
 * Open the database in a directory.
 *
 * @param {object} options
 * @param {string} options.dir
 * @param {Durability} options.durability
 * @param {boolean} options.create  true: begin an empty database, in place of one that is there; false: go on
 *   with the one that is there
 * @param {number} [options.logBytes]  size of the block log at which a checkpoint is made
 * @param {() => void} [options.beforeWait]  called before a commit waits for the disk
 * @returns {Store}
 * @throws {UserError} no state, another schema version, in use by another process, no permission, full disk
 */
export const openLmdbStore = ({
  dir,
  durability,
  create,
  logBytes = defaultLogBytes,
  beforeWait = () => {},
}) => {
  /** @type {() => void} */
  let unlock = () => {};
  /** @type {ReturnType<typeof openFiles>} */
  let files;
  try {
    if (create) {
      const made = makeDirectory(dir);
      if (made !== undefined) syncDirectory(path.dirname(made));
    } else if (!fs.existsSync(dir)) {
      throw new UserError(`${dir}: no such directory; a run is resumed from where it was saved`);
    }
    unlock = lockDirectory(dir);
    files = openFiles(dir, create);
  } catch (error) {
    unlock();
    throw explainDiskError(error, dir);
  }
  const { database, log, overlay } = files;
  let { generation, block } = files;

  const firstBlock = block;
  /** The last block that survives a loss of power. */
  let durable = block;
  // Both change at checkpoints only.
  let databaseBytes = database.sizeBytes();
  let tableBytes = database.tableBytes();
  let closed = false;
  /** @type {unknown} what made further commits impossible */
  let failure;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let tellDurable;
  /** @type {{ block: number, resolve: () => void, reject: (reason: unknown) => void }[]} in order of block */
  let waiting = [];

  /** @param {number} upTo */
  const setDurable = upTo => {
    if (upTo <= durable) return;
    durable = upTo;
    if (waiting.length > 0) {
      for (const one of waiting) if (one.block <= durable) one.resolve();
      waiting = waiting.filter(one => one.block > durable);
    }
    if (tellDurable) tellDurable(durable - firstBlock);
  };

  /** @param {unknown} error */
  const fail = error => {
    failure = explainDiskError(error, dir);
    for (const one of waiting) one.reject(failure);
    waiting = [];
    return failure;
  };

  // One call to force the log to disk is under way at a time; it covers all blocks written before it began.
  let syncing = false;
  /** @type {() => void} */
  let whenSynced = () => {};
  const syncInBackground = () => {
    if (syncing || durable === block || failure !== undefined) return;
    syncing = true;
    const upTo = block;
    fs.fdatasync(log.fd, error => {
      syncing = false;
      // After a failed sync nobody knows which pages are on disk, so there is no second try.
      if (error) fail(error);
      else setDurable(upTo);
      whenSynced();
      if (!closed && (durability === 'group' || waiting.length > 0)) syncInBackground();
    });
  };

  const checkpoint = () => {
    overlay.moveTo(generation + 1, block);
    generation += 1;
    log.restart(logBytes);
    databaseBytes = database.sizeBytes();
    tableBytes = database.tableBytes();
    setDurable(block);
  };

  /** @param {Batch} batch */
  const commit = batch => {
    closed && Fail`commit to a closed store`;
    if (failure !== undefined) throw failure;
    overlay.insistBatch(batch);
    const whole = wholeBatch(batch, block === 0);
    try {
      const size = log.encode(whole);
      if (log.used > 0 && log.used + size > logBytes) checkpoint();
      if (durability === 'commit') beforeWait();
      log.write(generation, block + 1);
      if (durability === 'commit') log.sync();
    } catch (error) {
      throw fail(error);
    }
    block += 1;
    overlay.apply(whole);
    if (durability === 'commit') setDurable(block);
    else if (durability === 'group') syncInBackground();
  };

  /**
   * Keys of both, in order, as far as both are known: `next` is where to go on, undefined at the end.
   *
   * @param {string} start
   * @param {number} limit
   */
  const keysFrom = (start, limit) => {
    const below = database.keysFrom(start, limit);
    const above = overlay.keysFrom(start, limit);
    /** @type {string[]} */
    const keys = [];
    let i = 0;
    let j = 0;
    for (;;) {
      // A full page says nothing about the keys behind its last.
      if (i === below.length && below.length === limit) break;
      if (j === above.length && above.length === limit) break;
      if (i === below.length && j === above.length) return { keys, next: undefined };
      const order =
        i === below.length ? 1 : j === above.length ? -1 : compareTexts(below[i], above[j]);
      const key = order <= 0 ? below[i] : above[j];
      if (order <= 0) i += 1;
      if (order >= 0) j += 1;
      if (order < 0 || !overlay.isDeleted(key)) keys.push(key);
    }
    const last = i === below.length && below.length === limit ? below[limit - 1] : above[limit - 1];
    return { keys, next: `${last}\0` };
  };

  /** @param {string} prefix */
  function* entries(prefix) {
    /** @type {string | undefined} */
    let start = prefix;
    while (start !== undefined) {
      const { keys, next } = keysFrom(start, pageKeys);
      for (const key of keys) {
        if (!key.startsWith(prefix)) return;
        const value = asText(overlay.get(key));
        if (value !== undefined) yield /** @type {[string, string]} */ ([key, value]);
      }
      start = next;
    }
  }

  /**
   * @param {string} prior
   * @param {string} prefix
   */
  const nextKey = (prior, prefix) => {
    /** @type {string | undefined} */
    let start = firstCandidate(prior, prefix);
    // Deleted keys may fill the first pages, so they grow.
    for (let limit = 4; start !== undefined; limit = Math.min(limit * 4, pageKeys)) {
      const { keys, next } = keysFrom(start, limit);
      if (keys.length > 0) return keys[0].startsWith(prefix) ? keys[0] : undefined;
      start = next;
    }
    return undefined;
  };

  const flushed = async () => {
    if (failure !== undefined) throw failure;
    if (durable === block) return;
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        waiting.push({ block, resolve, reject });
        syncInBackground();
      })
    );
  };

  const close = async () => {
    if (closed) return;
    closed = true;
    try {
      if (syncing) {
        await /** @type {Promise<void>} */ (
          new Promise(resolve => {
            whenSynced = resolve;
          })
        );
      }
      if (failure === undefined && log.used > 0) checkpoint();
    } catch (error) {
      throw fail(error);
    } finally {
      log.close();
      await database.close();
      // After a failure the log still holds blocks that the database does not.
      if (failure === undefined) removeFile(path.join(dir, logName));
      unlock();
    }
  };

  return Object.freeze({
    get: key => asText(overlay.get(key)),
    // A copy, since the next block may write over them.
    getBytes: key => asBytes(overlay.get(key))?.slice(),
    entries,
    nextKey,
    commit,
    readStream: name => Buffer.concat([...overlay.streamChunks(name)]),
    streamChunks: overlay.streamChunks,
    streamLength: overlay.streamLength,
    streamNames: overlay.streamNames,
    diskBytes: () => databaseBytes + log.allocated,
    tableBytes: () => tableBytes,
    durableBlocks: () => durable - firstBlock,
    onDurable(listener) {
      tellDurable = listener;
    },
    flushed,
    close,
  });
};

/**
 * The batch as it is logged and applied, which reads it twice. The first block of a database also says which
 * schema its keys and values follow.
 *
 * @param {Batch} batch
 * @param {boolean} isFirst
 * @returns {Batch}
 */
const wholeBatch = ({ puts, appends, dropStreams }, isFirst) => ({
  puts: isFirst ? withSchema(puts) : puts,
  appends,
  // A block that drops none has an empty list, which need not be walked.
  dropStreams:
    Array.isArray(dropStreams) && dropStreams.length === 0
      ? undefined
      : dropStreams && [...dropStreams],
});

/** @param {Batch['puts']} puts */
const withSchema = puts => {
  /** @type {Map<string, string | Uint8Array | undefined>} */
  const all = new Map([[schemaKey, String(schemaVersion)]]);
  puts.forEach((value, key) => all.set(key, value));
  return all;
};

/**
 * Make a directory and those above it. Node's own recursive form never ends where a directory can be listed but not
 * be added to (`/proc`, on Node 20).
 *
 * @param {string} dir
 * @returns {string | undefined} the topmost one that was made
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
