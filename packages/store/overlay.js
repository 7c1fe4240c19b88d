// The changes since the last checkpoint, on top of the database; a reader sees both together.

import { compareTexts } from '#model';
import { ByteStream } from './byte-stream.js';
import { insistKey, insistStreamName } from './keys.js';
import { makeSortedKeys } from './sorted-keys.js';
import { keptValue } from './values.js';

/** @import { openDatabase } from './database.js' */
/** @import { DatabaseReader } from './database-reader.js' */
/** @import { Batch } from './store.js' */

/** @param {DatabaseReader & Partial<Pick<ReturnType<typeof openDatabase>, 'apply' | 'run'>>} database  `apply`: to be written */
export const makeOverlay = database => {
  /** @type {Map<string, string | Uint8Array | undefined>} `undefined`: deleted here, even if the database has it */
  let table = new Map();
  const sorted = makeSortedKeys();
  /** @type {string[]} keys of the table that are not sorted yet, since they are seldom read in order */
  let unsorted = [];
  /** @type {Set<string>} streams whose bytes in the database no longer count */
  const deleted = new Set();
  /** @type {Map<string, ByteStream>} bytes after those in the database; empty streams are kept for reuse */
  const tails = new Map();

  /** @param {string} name  length of the valid bytes in the database */
  const lengthBelow = name => (deleted.has(name) ? 0 : (database.lengths.get(name) ?? 0));

  /** @param {string} name */
  const streamLength = name => lengthBelow(name) + (tails.get(name)?.length ?? 0);

  return Object.freeze({
    /**
     * Checks a whole batch before anything is written.
     *
     * @param {Batch} batch
     */
    insistBatch({ puts, appends }) {
      puts.forEach((_, key) => insistKey(key));
      appends?.forEach((_, name) => {
        if (!tails.has(name)) insistStreamName(name);
      });
    },

    /** @param {Batch} batch */
    apply({ puts, appends, deleteStreams }) {
      if (deleteStreams) {
        for (const name of deleteStreams) {
          deleted.add(name);
          tails.delete(name);
        }
      }
      puts.forEach((value, key) => {
        if (value instanceof Uint8Array) {
          const old = table.get(key);
          // Overwrite a former value of the same length: a new typed array costs more than all the rest.
          if (old instanceof Uint8Array && old.length === value.length) {
            old.set(value);
            return;
          }
        }
        const before = table.size;
        table.set(key, value === undefined ? undefined : keptValue(value));
        if (table.size !== before) unsorted.push(key);
      });
      appends?.forEach((bytes, name) => {
        let tail = tails.get(name);
        if (tail === undefined) {
          tail = new ByteStream();
          tails.set(name, tail);
        }
        tail.append(bytes);
      });
    },

    /**
     * Writes everything to the database, durably, and empties the overlay.
     *
     * @param {{ generation: number, block: number, hasLog: boolean, run: string }} marks  the database's marks from now
     *   on
     */
    moveTo({ generation, block, hasLog, run }) {
      const appends = [...tails].filter(([, tail]) => tail.length > 0);
      const marks = { generation, block, hasLog, ...(database.run === undefined && { run }) };
      database.apply?.({ puts: table, deleteStreams: deleted, appends, ...marks });
      table = new Map();
      sorted.clear();
      unsorted = [];
      deleted.clear();
      // A stream without new bytes may stay so for long; the others keep their buffers.
      for (const [name, tail] of tails) {
        if (tail.length === 0) tails.delete(name);
        else tail.clear();
      }
    },

    /**
     * @param {string} key
     * @returns {string | Uint8Array | undefined} the next block may overwrite bytes
     */
    get(key) {
      const value = table.get(key);
      if (value !== undefined || table.has(key)) return value;
      return database.get(key);
    },

    /** @param {string} key  in the overlay */
    isDeleted: key => table.get(key) === undefined,

    /**
     * Keys written or deleted in the overlay.
     *
     * @param {string} start
     * @param {number} limit
     */
    keysFrom(start, limit) {
      for (const key of unsorted) sorted.add(key);
      unsorted = [];
      return sorted.from(start, limit);
    },

    streamLength,

    streamNames: () =>
      [...new Set([...database.lengths.keys(), ...tails.keys()])]
        .filter(name => streamLength(name) > 0)
        .sort(compareTexts),

    /**
     * Chunks as copies: a checkpoint between two chunks does not change what was read.
     *
     * @param {string} name
     */
    *streamChunks(name) {
      const end = streamLength(name);
      let at = 0;
      while (at < end) {
        const below = lengthBelow(name);
        /** @type {Buffer} */
        let chunk;
        if (at < below) {
          chunk = database.readStreamFrom(name, at);
        } else {
          const [first] = tails.get(name)?.chunks(at - below) ?? [];
          if (first === undefined) return;
          chunk = Buffer.from(first);
        }
        if (at + chunk.length > end) chunk = chunk.subarray(0, end - at);
        yield chunk;
        at += chunk.length;
      }
    },
  });
};
