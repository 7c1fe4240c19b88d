// A store that lives as long as the process. It gives the same answers as an LMDB store.

import { ChurnMap, compareTexts, describeGiven, Fail, schemaVersion } from '#model';
import { ByteStream } from './byte-stream.js';
import { firstCandidate, insistKey, insistStreamName } from './keys.js';
import { makeSortedKeys } from './sorted-keys.js';
import { asBytes, asText, keptValue, schemaKey } from './values.js';

/** @import { SortedKeys } from './sorted-keys.js' */
/** @import { Batch, Store } from './store.js' */

/** Keys fetched at a time by `entries`. */
const pageKeys = 256;

/** Deleted values kept for reuse, at most. */
const mostSpare = 64;

/** The cell of a key's value. A deleted key loses its cell, which is then empty. */
class Cell {
  /** @type {string | Uint8Array | undefined} */
  value = undefined;
}

/**
 * Makes an empty store in the memory of the process, which ends with the process. Commits are visible at once.
 *
 * @type {() => Store}
 * @throws {TypeError} if it is given anything
 */
export const makeMemoryStore = (/** @type {unknown[]} */ ...given) => {
  if (given.length > 0)
    throw TypeError(
      `makeMemoryStore() takes nothing, got ${describeGiven(given[0])}; openLmdbStore({ dir, durability, create }) keeps a state on disk`,
    );
  /** @type {ChurnMap<string, Cell>} */
  const table = new ChurnMap();
  /** Made when keys are first read in order; many runs never do so. @type {SortedKeys | undefined} */
  let sorted;
  /** Values of deleted keys, for reuse: values of the same length come and go. @type {Uint8Array[]} */
  const spare = [];
  /** @type {Map<string, ByteStream>} */
  const streams = new Map();
  let blocks = 0;
  let closed = false;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let tellDurable;

  /**
   * Checks a whole batch before anything is written.
   *
   * @param {Batch} batch
   * @returns {(Cell | undefined)[]} the cell of each put's key before the batch, in order
   * @throws {Error} the store is closed, or a key or stream name is not allowed
   */
  const findCells = ({ puts, appends }) => {
    closed && Fail`commit to a closed store`;
    /** @type {(Cell | undefined)[]} */
    const cells = [];
    puts.forEach((_, key) => {
      const cell = table.get(key);
      if (cell === undefined) insistKey(key);
      cells.push(cell);
    });
    appends?.forEach((_, name) => {
      if (!streams.has(name)) insistStreamName(name);
    });
    return cells;
  };

  /**
   * The cell of a key that may be new, or deleted or written earlier in the same batch.
   *
   * @param {string} key
   */
  const provideCell = key => {
    let cell = table.get(key);
    if (cell === undefined) {
      cell = new Cell();
      table.set(key, cell);
      sorted?.add(key);
    }
    return cell;
  };

  /**
   * @param {string} key
   * @param {Cell | undefined} known
   * @param {string | Uint8Array | undefined} value
   */
  const put = (key, known, value) => {
    if (value === undefined) {
      const cell = known?.value === undefined ? table.get(key) : known;
      if (cell === undefined) return;
      if (typeof cell.value === 'object' && spare.length < mostSpare) spare.push(cell.value);
      cell.value = undefined;
      table.delete(key);
      sorted?.remove(key);
      return;
    }
    const cell = known?.value === undefined ? provideCell(key) : known;
    if (typeof value === 'string') {
      cell.value = keptValue(value);
      return;
    }
    // Overwrite a former value of the same length: a new typed array costs more than all the rest.
    const old = cell.value ?? (spare.at(-1)?.length === value.length ? spare.pop() : undefined);
    if (typeof old === 'object' && old.length === value.length) {
      old.set(value);
      cell.value = old;
    } else {
      cell.value = new Uint8Array(value);
    }
  };

  const keysInOrder = () => {
    if (sorted === undefined) {
      sorted = makeSortedKeys();
      for (const key of table.keys()) sorted.add(key);
    }
    return sorted;
  };

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  const append = (name, bytes) => {
    if (bytes.length === 0) return;
    let stream = streams.get(name);
    if (stream === undefined) {
      stream = new ByteStream();
      streams.set(name, stream);
    }
    stream.append(bytes);
  };

  return Object.freeze({
    get: key => asText(table.get(key)?.value),
    // A copy, since the next block may write over them.
    getBytes: key => asBytes(table.get(key)?.value)?.slice(),
    *entries(prefix) {
      let start = prefix;
      for (;;) {
        const keys = keysInOrder().from(start, pageKeys);
        for (const key of keys) {
          if (!key.startsWith(prefix)) return;
          const value = table.get(key)?.value;
          if (value !== undefined) yield [key, /** @type {string} */ (asText(value))];
        }
        if (keys.length < pageKeys) return;
        start = `${keys[keys.length - 1]}\0`;
      }
    },
    nextKey(prior, prefix) {
      const [key] = keysInOrder().from(firstCandidate(prior, prefix), 1);
      return key?.startsWith(prefix) ? key : undefined;
    },
    commit(batch) {
      const cells = findCells(batch);
      if (blocks === 0) put(schemaKey, undefined, String(schemaVersion));
      if (batch.deleteStreams) for (const name of batch.deleteStreams) streams.delete(name);
      let at = 0;
      batch.puts.forEach((value, key) => {
        put(key, cells[at], value);
        at += 1;
      });
      batch.appends?.forEach((bytes, name) => append(name, bytes));
      blocks += 1;
      if (tellDurable) tellDurable(blocks);
    },
    readStream: name => Buffer.concat([...(streams.get(name)?.chunks() ?? [])]),
    streamChunks: name => streams.get(name)?.chunks() ?? [],
    streamLength: name => streams.get(name)?.length ?? 0,
    streamNames: () => [...streams.keys()].sort(compareTexts),
    diskBytes: () => 0,
    tableBytes: () => 0,
    streamBytes: () => 0,
    logBytes: () => 0,
    durableBlocks: () => blocks,
    onDurable(listener) {
      tellDurable = listener;
    },
    isDurable: () => true,
    flushed: async () => {},
    isClosed: () => closed,
    close: async () => {
      closed = true;
    },
  });
};
