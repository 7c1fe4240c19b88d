// The LMDB file. It changes only at checkpoints: one transaction, durable when it returns, takes in many blocks
// and the number of the last of them. A stream is kept as pieces of one size under consecutive keys, so what is
// stored does not depend on how its bytes were divided into blocks; a checkpoint rewrites the last piece only.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Fail } from '#model';

/** @import { Database } from 'lmdb' */
/** @import { ByteStream } from './byte-stream.js' */

/**
 * The library is loaded with the first database: it takes 25 ms, which runs in memory do not have to wait.
 *
 * @returns {typeof import('lmdb')}
 */
const loadLmdb = () => createRequire(import.meta.url)('lmdb');

const pageBytes = 4096;

/**
 * LMDB keeps a large value in pages of its own, behind a header of 24 bytes: this is the most that one page of
 * 4,096 holds. Pieces below half of it lie in the tree's pages.
 */
export const pieceBytes = 4072;

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
 * What a checkpoint writes.
 *
 * @typedef {object} Changes
 * @property {Iterable<[string, string | Uint8Array | undefined]>} puts
 * @property {Iterable<string>} dropStreams  before `appends`
 * @property {Iterable<[string, ByteStream]>} appends
 * @property {number} generation  of the block log from now on
 * @property {number} block  the last one taken in
 */

/**
 * @param {string} name
 * @param {number} piece
 */
const pieceKey = (name, piece) => `${name}\0${piece.toString(16).padStart(pieceDigits, '0')}`;

/** Page number, transaction, padding; then flags, of which 8 says that the page describes the database. */
const flagsOffset = 18;
const descriptionFlag = 8;
const magicOffset = 24;
const magic = 0xbeefc0de;
const formatVersion = 2;

/** In the description: the size of a page, the number of the last page, and that of the transaction. */
const pageSizeOffset = 48;
const lastPageOffset = 144;
const transactionOffset = 152;
const descriptionBytes = 160;

/**
 * Whether a file has what every LMDB file begins with: two pages that describe it, both whole. LMDB makes them before
 * anything else; a loss of power in that moment can leave a part of them. lmdb-js crashes the process when LMDB refuses a
 * file, and LMDB itself when a description ends in its midst.
 *
 * @param {string} file
 */
export const isDatabaseFile = file => {
  const fd = fs.openSync(file, 'r');
  try {
    if (fs.fstatSync(fd).size < 2 * pageBytes) return false;
    return [0, pageBytes].every(position => {
      const bytes = new Uint8Array(descriptionBytes);
      fs.readSync(fd, bytes, 0, descriptionBytes, position);
      // LMDB writes numbers as the machine has them.
      const [foundMagic, foundVersion] = new Uint32Array(bytes.buffer, magicOffset);
      const [flags] = new Uint16Array(bytes.buffer, flagsOffset);
      const [foundPageBytes] = new Uint32Array(bytes.buffer, pageSizeOffset);
      const [lastPage] = new BigUint64Array(bytes.buffer, lastPageOffset);
      return (
        (flags & descriptionFlag) !== 0 &&
        foundMagic === magic &&
        (foundVersion & 0xffff) === formatVersion &&
        foundPageBytes === pageBytes &&
        lastPage >= 1n
      );
    });
  } finally {
    fs.closeSync(fd);
  }
};

/**
 * A file that was cut off (a copy that was broken off, say) would end the process with a bus error when LMDB reads
 * what is not there. With zeros in their place, LMDB finds the pages damaged.
 *
 * @param {string} file  a database
 * @returns {number | undefined} its size before, in bytes, if something was missing
 */
export const fillCutPages = file => {
  const fd = fs.openSync(file, 'r+');
  try {
    const view = new DataView(new ArrayBuffer(2 * pageBytes));
    fs.readSync(fd, view, 0, 2 * pageBytes, 0);
    const read = (/** @type {number} */ position) => Number(view.getBigUint64(position, true));
    // The page of the later transaction counts.
    const at =
      read(transactionOffset) > read(pageBytes + transactionOffset)
        ? lastPageOffset
        : pageBytes + lastPageOffset;
    const wholeBytes = (read(at) + 1) * pageBytes;
    const { size } = fs.fstatSync(fd);
    if (size >= wholeBytes) return undefined;
    fs.ftruncateSync(fd, wholeBytes);
    return size;
  } finally {
    fs.closeSync(fd);
  }
};

/** LMDB's table of readers, two and some pages of it. */
const readersBytes = 3 * 4096;

/** What LMDB writes while it makes a database, with much to spare. */
const firstBytes = 64 * 1024;

/**
 * Make sure that LMDB can make its files: where it cannot, or finds no room for its table of readers, the whole
 * process would crash.
 *
 * @param {string} file
 */
const makeRoom = file => {
  // Nobody else has the database open, so the readers in the table are none.
  fs.writeFileSync(`${file}-lock`, Buffer.alloc(readersBytes));
  if (!fs.existsSync(file)) {
    fs.writeFileSync(file, Buffer.alloc(firstBytes));
    fs.truncateSync(file);
  }
};

/** @param {string} file  a database or absent; nobody else may have it open */
export const openDatabase = file => {
  makeRoom(file);
  const root = loadLmdb().open({
    path: file,
    noSubdir: true,
    maxDbs: 3,
    // The file must not depend on the machine's page size, and `pieceBytes` is made for this one.
    pageSize: pageBytes,
    // With this on, lmdb-js reports a transaction before it is durable.
    overlappingSync: false,
    ...tableOptions,
  });
  /** @type {Database<Buffer, string>} */
  const state = root.openDB({ name: 'state', ...tableOptions });
  /** @type {Database<Buffer, string>} */
  const pieces = root.openDB({ name: 'pieces', ...tableOptions });
  /** @type {Database<Buffer, string>} */
  const meta = root.openDB({ name: 'meta', ...tableOptions });

  let closed = false;

  /** @param {string} key */
  const numberOf = key => Number(meta.getBinary(key)?.toString('latin1') ?? 0);

  /** @type {Map<string, number>} bytes of each stream */
  const lengths = new Map();
  for (const key of meta.getKeys({ start: 'stream.' })) {
    if (key.startsWith('stream.')) lengths.set(key.slice('stream.'.length), numberOf(key));
  }

  /** @param {string} name */
  const dropStream = name => {
    const length = lengths.get(name);
    if (length === undefined) return;
    for (let piece = 0; piece * pieceBytes < length; piece += 1) {
      pieces.removeSync(pieceKey(name, piece));
    }
    meta.removeSync(`stream.${name}`);
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
    if (filled > 0) {
      const last = pieces.getBinary(pieceKey(name, number));
      last?.length === filled || Fail`stream ${name} does not end at byte ${before}`;
      piece.set(/** @type {Buffer} */ (last));
    }
    for (const chunk of bytes.chunks()) {
      let done = 0;
      while (done < chunk.length) {
        const count = Math.min(chunk.length - done, pieceBytes - filled);
        piece.set(chunk.subarray(done, done + count), filled);
        filled += count;
        done += count;
        if (filled === pieceBytes) {
          pieces.putSync(pieceKey(name, number), piece);
          number += 1;
          filled = 0;
        }
      }
    }
    if (filled > 0) pieces.putSync(pieceKey(name, number), piece.subarray(0, filled));
    const length = before + bytes.length;
    meta.putSync(`stream.${name}`, Buffer.from(String(length)));
    lengths.set(name, length);
  };

  return Object.freeze({
    /** Of the block log whose records belong on top of this state. */
    generation: numberOf('generation'),
    /** The last block that is in. */
    block: numberOf('block'),
    lengths: /** @type {ReadonlyMap<string, number>} */ (lengths),

    /**
     * @param {string} key
     * @returns {Buffer | undefined}
     */
    get(key) {
      // lmdb-js would read from a map that is gone.
      closed && Fail`read from a closed store`;
      return state.getBinary(key);
    },

    /**
     * Up to `limit` keys in order, beginning with the smallest that is not before `start`.
     *
     * @param {string} start
     * @param {number} limit
     * @returns {string[]}
     */
    keysFrom(start, limit) {
      closed && Fail`read from a closed store`;
      // Without a start lmdb-js leaves out keys that begin with a control character.
      return [...state.getKeys({ start: start === '' ? '\x00' : start, limit })];
    },

    /**
     * Bytes of a stream from `start` on, up to about 64 KiB of them and never beyond its end in the database.
     *
     * @param {string} name
     * @param {number} start
     * @returns {Buffer}
     */
    readStreamFrom(name, start) {
      closed && Fail`read from a closed store`;
      const length = lengths.get(name) ?? 0;
      const first = Math.floor(start / pieceBytes);
      const found = [];
      for (
        let piece = first;
        piece * pieceBytes < length && piece < first + piecesPerChunk;
        piece += 1
      ) {
        found.push(
          pieces.getBinary(pieceKey(name, piece)) ?? Fail`stream ${name} has no piece ${piece}`,
        );
      }
      return Buffer.concat(found).subarray(start - first * pieceBytes);
    },

    /**
     * One durable transaction.
     *
     * @param {Changes} changes
     */
    apply({ puts, dropStreams, appends, generation, block }) {
      root.transactionSync(() => {
        for (const [key, value] of puts) {
          if (value === undefined) state.removeSync(key);
          else state.putSync(key, typeof value === 'string' ? Buffer.from(value) : toBuffer(value));
        }
        for (const name of dropStreams) dropStream(name);
        for (const [name, bytes] of appends) appendTo(name, bytes);
        meta.putSync('generation', Buffer.from(String(generation)));
        meta.putSync('block', Buffer.from(String(block)));
      });
    },

    /** Bytes of the pages that the table of keys takes: its tree, and what is too large for that. */
    tableBytes() {
      const { treeBranchPageCount, treeLeafPageCount, overflowPages } =
        /** @type {Record<string, number>} */ (state.getStats());
      return (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageBytes;
    },

    /** Bytes of the files. */
    sizeBytes: () => fs.statSync(file).size + fs.statSync(`${file}-lock`).size,

    async close() {
      closed = true;
      await root.close();
    },
  });
};

/** @param {Uint8Array} value */
const toBuffer = value => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
