// The LMDB file. It changes only at checkpoints: one transaction, durable when it returns, writes many blocks and the
// number of the last one. A stream is kept as pieces of one size under consecutive keys, so the stored bytes do not
// depend on how they were divided into blocks; a checkpoint rewrites only the last piece.

import fs from 'node:fs';
import { Fail, UserError } from '#model';
import { loadLmdb } from '#vendored/lmdb.js';
import { damagedStore } from './damage.js';
import {
  addDigest,
  entryDigest,
  keyDigest,
  openValue,
  sealText,
  sealValue,
  subtractDigest,
  tableSeed,
  tagBytes,
} from './digest.js';
import { sumKey } from './check-database.js';
import { pageBytes, pageHeaderBytes } from './pages.js';

/** @import { LmdbTable } from '#vendored/lmdb.js' */
/** @import { ByteStream } from './byte-stream.js' */
/** @import { DatabaseReader } from './database-reader.js' */

/** Loads the library with the first database, since runs in memory do not need it. */
const provideLmdb = () => {
  try {
    return loadLmdb();
  } catch (error) {
    const [why] = /** @type {Error} */ (error).message.split('\n');
    throw new UserError(
      `the database LMDB cannot be loaded for ${process.platform}-${process.arch} (${why}); install again with --include=optional, or compile it with "npm install lmdb", or keep the state in memory with --memdb`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * LMDB keeps a large value in pages of its own, after a header: this is the most that one page of 4,096 bytes holds
 * beside the piece's tag. Pieces below half of it are in the tree's pages.
 */
const pieceBytes = pageBytes - pageHeaderBytes - tagBytes;

/** Pieces read at once; about 64 KiB. */
const piecesPerChunk = 16;

/** A piece's key is the stream's name, NUL, and its number in hexadecimal digits, so that they sort. */
const pieceDigits = 8;

/** Keys as UTF-8, which is shorter than LMDB's own encoding and sorts by bytes. */
const keyEncoder = {
  /** @type {(key: string, target: Buffer, start: number) => number} */
  writeKey: (key, target, start) => start + target.write(key, start),
  /** @type {(source: Buffer, start: number, end: number) => string} */
  readKey: (source, start, end) => source.toString('utf8', start, end),
};

const tableOptions = /** @type {const} */ ({ encoding: 'binary', cache: false, keyEncoder });

/**
 * The changes in a checkpoint.
 *
 * @typedef {object} Changes
 * @property {Iterable<[string, string | Uint8Array | undefined]>} puts
 * @property {Iterable<string>} deleteStreams  before `appends`
 * @property {Iterable<[string, ByteStream]>} appends
 * @property {number} generation  the block log's generation from now on
 * @property {number} block  the last block in the checkpoint
 * @property {boolean} hasLog  whether blocks may be in the log from now on
 * @property {string} [run]  the mark of this database's log, if it is new
 */

/**
 * @param {string} name
 * @param {number} piece
 */
const pieceKey = (name, piece) => `${name}\0${piece.toString(16).padStart(pieceDigits, '0')}`;

/** Bytes of LMDB's table of readers, which takes more than two pages. */
const readersBytes = 3 * 4096;

/** At least the bytes that LMDB writes while it creates a database. */
const firstBytes = 64 * 1024;

/** Files that LMDB opens at once: its table of readers, the database, and twice more for writing to it. */
const openedFiles = /** @type {const} */ (['-lock', '', '', '']);

/**
 * Makes sure that LMDB can open its files: without permission, with too many files open, or without room for its table of
 * readers, the whole process would crash.
 *
 * @param {string} file
 */
const makeRoom = file => {
  // No other process has the database open, so the table has no readers.
  fs.writeFileSync(`${file}-lock`, Buffer.alloc(readersBytes));
  if (!fs.existsSync(file)) {
    fs.writeFileSync(file, Buffer.alloc(firstBytes));
    fs.truncateSync(file);
  }
  /** @type {number[]} */
  const opened = [];
  try {
    for (const end of openedFiles) opened.push(fs.openSync(`${file}${end}`, 'r+'));
  } finally {
    for (const fd of opened) fs.closeSync(fd);
  }
};

export const streamPrefix = 'stream.';

/** A key as an error shows it, cut to fit a line. @param {string} key */
export const showKey = key => JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key);

/**
 * Reads the table `meta`, which describes the database.
 *
 * @param {(key: string) => string | undefined} textOf
 */
export const readMarks = textOf => ({
  generation: Number(textOf('generation') ?? 0),
  block: Number(textOf('block') ?? 0),
  run: textOf('run'),
  hasLog: textOf('log') === '1',
});

/**
 * @param {string} file
 * @param {ReadonlyMap<string, number>} lengths
 * @param {(key: string) => Buffer | undefined} get
 * @returns {(name: string, piece: number) => Buffer}
 */
export const pieceReader = (file, lengths, get) => (name, piece) => {
  const found = get(pieceKey(name, piece));
  const size = Math.min((lengths.get(name) ?? 0) - piece * pieceBytes, pieceBytes);
  if (found?.length === size) return found;
  return damagedStore(
    file,
    `stream ${showKey(name)} has ${found?.length ?? 'no'} bytes in piece ${piece}, not ${size}`,
  );
};

/**
 * Bytes of a stream from `start` on, up to about 64 KiB of them and never beyond its end in the database.
 *
 * @param {(name: string, piece: number) => Buffer} getPiece
 * @param {number} length  of the stream
 * @param {string} name
 * @param {number} start
 * @returns {Buffer}
 */
export const readPieces = (getPiece, length, name, start) => {
  const first = Math.floor(start / pieceBytes);
  const found = [];
  for (let piece = first; piece * pieceBytes < length && piece < first + piecesPerChunk; piece += 1)
    found.push(getPiece(name, piece));
  return Buffer.concat(found).subarray(start - first * pieceBytes);
};

/** The number of all entries, and the sum of their digests. @typedef {{ entries: number, sum: number }} Total */

/**
 * A table whose values have tags and whose entries count in the sum.
 *
 * @param {LmdbTable} table
 * @param {string} name
 * @param {string} file
 * @param {Total} total
 */
const makeTable = (table, name, file, total) => {
  const seed = tableSeed(name);
  /** @param {number} key @param {string} text */
  const leaveOut = (key, text) => {
    // Only its first bytes are used, before anything else is read.
    const old = table.getBinaryFast(text);
    if (old === undefined) return false;
    // From 16 MiB on, lmdb-js gives the mapped bytes, which are no Buffer.
    const tag = Buffer.prototype.readUInt32LE.call(old, 0);
    total.sum = subtractDigest(total.sum, entryDigest(key, tag));
    total.entries -= 1;
    return true;
  };
  return Object.freeze({
    /** @param {string} text @returns {Buffer | undefined} */
    get(text) {
      const sealed = table.getBinary(text);
      if (sealed === undefined) return undefined;
      return (
        openValue(keyDigest(seed, text), sealed) ??
        damagedStore(
          file,
          `table ${name}: what is under key ${showKey(text)} was not written there`,
        )
      );
    },
    /** @param {string} text @param {string | Uint8Array} value */
    put(text, value) {
      const key = keyDigest(seed, text);
      leaveOut(key, text);
      const sealed = typeof value === 'string' ? sealText(key, value) : sealValue(key, value);
      total.sum = addDigest(total.sum, entryDigest(key, sealed.readUInt32LE(0)));
      total.entries += 1;
      table.putSync(text, sealed);
    },
    /** @param {string} text */
    remove(text) {
      if (leaveOut(keyDigest(seed, text), text)) table.removeSync(text);
    },
    /** Writes an entry that is not in the sum. @param {string} text @param {Uint8Array} value */
    putAside(text, value) {
      table.putSync(text, sealValue(keyDigest(seed, text), value));
    },
    keys: table.getKeys.bind(table),
    stats: () => /** @type {Record<string, number>} */ (table.getStats()),
  });
};

/**
 * The number of pages of a tree and of its large values.
 *
 * @param {Record<string, number>} stats  from lmdb-js
 */
const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }) =>
  treeBranchPageCount + treeLeafPageCount + overflowPages;

/** A reader that does without LMDB. @typedef {DatabaseReader & { generation: number, close: () => unknown }} PlainReader */

/**
 * The reader that stands in once LMDB, after a failed write, gives nothing any more.
 *
 * @param {string} file
 * @param {(file: string) => PlainReader} readWithoutLmdb
 */
const makeStandIn = (file, readWithoutLmdb) => {
  /** @type {PlainReader | undefined} */
  let reader;
  /** The state on disk is not known to be the one in memory. */
  let isUnknown = false;
  return Object.freeze({
    /**
     * @param {() => unknown} read  throws if LMDB gives nothing ("MDB_PANIC")
     * @param {number} generation  of the state in memory
     */
    findNeed(read, generation) {
      try {
        read();
        return;
      } catch {
        // Then the page that names the state may be the old one or the new one.
      }
      try {
        reader = readWithoutLmdb(file);
        isUnknown = reader.generation !== generation;
      } catch {
        isUnknown = true;
      }
    },
    /** @returns {PlainReader | undefined} undefined: LMDB can be read */
    get() {
      if (!isUnknown) return reader;
      throw new UserError(
        `${file} cannot be read any more, since writing it failed; resume when that is mended`,
        { exitCode: 1 },
      );
    },
    close: () => reader?.close(),
  });
};

/**
 * @param {string} file  a database that was checked, or absent; no other process may have it open
 * @param {(file: string) => PlainReader} readWithoutLmdb
 */
export const openDatabase = (file, readWithoutLmdb) => {
  makeRoom(file);
  const root = provideLmdb().open({
    path: file,
    noSubdir: true,
    maxDbs: 3,
    // The file must not depend on the machine's page size, and `pieceBytes` is made for this one.
    pageSize: pageBytes,
    // With this on, lmdb-js reports a transaction before it is durable.
    overlappingSync: false,
    ...tableOptions,
  });
  /** @type {Total} */
  const total = { entries: 0, sum: 0 };
  /** @param {string} name */
  const open = name => makeTable(root.openDB({ name, ...tableOptions }), name, file, total);
  const state = open('state');
  const pieces = open('pieces');
  const meta = open('meta');

  let closed = false;
  const standIn = makeStandIn(file, readWithoutLmdb);

  const findStandIn = () => {
    // lmdb-js would read memory that is no longer mapped.
    closed && Fail`read from a closed store`;
    return standIn.get();
  };

  /** @param {string} key */
  const textOf = key => meta.get(key)?.toString('latin1');
  const { generation, block, run, hasLog } = readMarks(textOf);
  let lastGeneration = generation;
  [total.entries, total.sum] = (textOf(sumKey) ?? '0 0').split(' ').map(Number);

  /** @type {Map<string, number>} bytes of each stream */
  const lengths = new Map();
  for (const key of meta.keys({ start: streamPrefix })) {
    if (key.startsWith(streamPrefix))
      lengths.set(key.slice(streamPrefix.length), Number(textOf(key)));
  }

  /** @param {string} name */
  const deleteStream = name => {
    const length = lengths.get(name);
    if (length === undefined) return;
    for (let piece = 0; piece * pieceBytes < length; piece += 1)
      pieces.remove(pieceKey(name, piece));
    meta.remove(`${streamPrefix}${name}`);
    lengths.delete(name);
  };

  /**
   * @param {string} name
   * @param {ByteStream} bytes
   */
  const appendTo = (name, bytes) => {
    const before = lengths.get(name) ?? 0;
    let number = Math.floor(before / pieceBytes);
    let filled = before % pieceBytes;
    const piece = Buffer.allocUnsafe(pieceBytes);
    if (filled > 0) piece.set(getPiece(name, number));
    for (const chunk of bytes.chunks()) {
      let done = 0;
      while (done < chunk.length) {
        const count = Math.min(chunk.length - done, pieceBytes - filled);
        piece.set(chunk.subarray(done, done + count), filled);
        filled += count;
        done += count;
        if (filled === pieceBytes) {
          pieces.put(pieceKey(name, number), piece);
          number += 1;
          filled = 0;
        }
      }
    }
    if (filled > 0) pieces.put(pieceKey(name, number), piece.subarray(0, filled));
    const length = before + bytes.length;
    meta.put(`${streamPrefix}${name}`, Buffer.from(String(length)));
    lengths.set(name, length);
  };

  const getPiece = pieceReader(file, lengths, pieces.get);

  return Object.freeze({
    file,
    /** The generation of the block log whose records follow this state. */
    generation,
    /** The last block in the database. */
    block,
    /** The mark of this database's block log; undefined in a new one. */
    run,
    /** Whether blocks may be in a log. */
    hasLog,
    lengths: /** @type {ReadonlyMap<string, number>} */ (lengths),

    /**
     * @param {string} key
     * @returns {Buffer | undefined}
     */
    get(key) {
      return (findStandIn() ?? state).get(key);
    },

    /**
     * Up to `limit` keys in order, from the smallest that is not before `start`.
     *
     * @param {string} start
     * @param {number} limit
     * @returns {string[]}
     */
    keysFrom(start, limit) {
      const other = findStandIn();
      if (other !== undefined) return other.keysFrom(start, limit);
      // Without a start lmdb-js omits keys that begin with a control character.
      return [...state.keys({ start: start === '' ? '\x00' : start, limit })];
    },

    /**
     * Bytes of a stream from `start` on, up to about 64 KiB of them and never beyond its end in the database.
     *
     * @param {string} name
     * @param {number} start
     * @returns {Buffer}
     */
    readStreamFrom(name, start) {
      const other = findStandIn();
      if (other !== undefined) return other.readStreamFrom(name, start);
      return readPieces(getPiece, lengths.get(name) ?? 0, name, start);
    },

    /**
     * Writes changes in one durable transaction.
     *
     * @param {Changes} changes
     */
    apply({
      puts,
      deleteStreams,
      appends,
      generation: next,
      block: last,
      hasLog: logged,
      run: id,
    }) {
      const totalBefore = { ...total };
      /** @type {Map<string, number | undefined>} of the streams that change */
      const lengthsBefore = new Map();
      for (const name of deleteStreams) lengthsBefore.set(name, lengths.get(name));
      for (const [name] of appends) lengthsBefore.set(name, lengths.get(name));
      try {
        root.transactionSync(() => {
          for (const [key, value] of puts) {
            if (value === undefined) state.remove(key);
            else state.put(key, value);
          }
          for (const name of deleteStreams) deleteStream(name);
          for (const [name, bytes] of appends) appendTo(name, bytes);
          if (id !== undefined) meta.put('run', Buffer.from(id));
          const marks = { generation: next, block: last, log: logged ? 1 : 0 };
          for (const [key, value] of Object.entries(marks))
            meta.put(key, Buffer.from(String(value)));
          meta.putAside(sumKey, Buffer.from(`${total.entries} ${total.sum}`));
        });
        lastGeneration = next;
      } catch (error) {
        // The transaction has changed nothing, and the state can still be read.
        Object.assign(total, totalBefore);
        for (const [name, length] of lengthsBefore) {
          if (length === undefined) lengths.delete(name);
          else lengths.set(name, length);
        }
        standIn.findNeed(() => meta.keys({ limit: 1 })[Symbol.iterator]().next(), lastGeneration);
        throw error;
      }
    },

    /** Bytes of the pages that hold the table of keys. */
    tableBytes: () => pagesOf(state.stats()) * pageBytes,

    /** Bytes of the pages that hold streams. */
    streamBytes: () => pagesOf(pieces.stats()) * pageBytes,

    /** Bytes of the files. */
    sizeBytes: () => fs.statSync(file).size + fs.statSync(`${file}-lock`).size,

    async close() {
      closed = true;
      standIn.close();
      await root.close();
    },
  });
};
