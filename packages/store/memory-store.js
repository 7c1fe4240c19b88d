// A store that lives as long as the process. What it answers is what an LMDB store would.

import { ChurnMap, compareTexts, Fail, schemaVersion } from '#model';
import { makeByteStream } from './byte-stream.js';
import { firstCandidate, insistKey, insistStreamName } from './keys.js';
import { makeSortedKeys } from './sorted-keys.js';
import { asBytes, asText, keptValue, schemaKey } from './values.js';

/** @import { ByteStream } from './byte-stream.js' */
/** @import { SortedKeys } from './sorted-keys.js' */
/** @import { Batch, Store } from './store.js' */

/** Keys fetched at a time by `entries`. */
const pageKeys = 256;

/** Deleted values that are kept to be written over. */
const mostSpare = 64;

/** @returns {Store} */
export const makeMemoryStore = () => {
  /** @type {ChurnMap<string, string | Uint8Array>} */
  const table = new ChurnMap();
  /** Made when somebody asks for keys in order; many runs never do. @type {SortedKeys | undefined} */
  let sorted;
  /** Bytes of keys that were deleted, to be used again: pieces of one length come and go. @type {Uint8Array[]} */
  const spare = [];
  /** @type {Map<string, ByteStream>} */
  const streams = new Map();
  let blocks = 0;
  let closed = false;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let tellDurable;

  /** @param {Batch} batch  checked whole before anything is written */
  const insistBatch = ({ puts, appends }) => {
    closed && Fail`commit to a closed store`;
    puts.forEach((_, key) => {
      if (!table.has(key)) insistKey(key);
    });
    appends?.forEach((_, name) => {
      if (!streams.has(name)) insistStreamName(name);
    });
  };

  /**
   * @param {string} key
   * @param {string | Uint8Array | undefined} value
   */
  const put = (key, value) => {
    const old = table.get(key);
    if (value === undefined) {
      if (old === undefined) return;
      table.delete(key);
      sorted?.remove(key);
      if (typeof old !== 'string' && spare.length < mostSpare) spare.push(old);
    } else if (typeof value === 'string') {
      table.set(key, keptValue(value));
      if (old === undefined) sorted?.add(key);
    } else {
      // Bytes of the same length are written over those before: a new typed array costs more than all the rest.
      let bytes = old;
      if (bytes === undefined && spare.at(-1)?.length === value.length) bytes = spare.pop();
      if (bytes instanceof Uint8Array && bytes.length === value.length) bytes.set(value);
      else bytes = new Uint8Array(value);
      if (bytes !== old) table.set(key, bytes);
      if (old === undefined) sorted?.add(key);
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
      stream = makeByteStream();
      streams.set(name, stream);
    }
    stream.append(bytes);
  };

  return Object.freeze({
    get: key => asText(table.get(key)),
    // A copy, since the next block may write over them.
    getBytes: key => asBytes(table.get(key))?.slice(),
    *entries(prefix) {
      let start = prefix;
      for (;;) {
        const keys = keysInOrder().from(start, pageKeys);
        for (const key of keys) {
          if (!key.startsWith(prefix)) return;
          const value = table.get(key);
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
      insistBatch(batch);
      if (blocks === 0) put(schemaKey, String(schemaVersion));
      if (batch.dropStreams) for (const name of batch.dropStreams) streams.delete(name);
      batch.puts.forEach((value, key) => put(key, value));
      batch.appends?.forEach((bytes, name) => append(name, bytes));
      blocks += 1;
      if (tellDurable) tellDurable(blocks);
    },
    readStream: name => Buffer.concat([...(streams.get(name)?.chunks() ?? [])]),
    streamChunks: name => streams.get(name)?.chunks() ?? [],
    streamLength: name => streams.get(name)?.length ?? 0,
    streamNames: () => [...streams.keys()].sort(compareTexts),
    diskBytes: () => 0,
    durableBlocks: () => blocks,
    onDurable(listener) {
      tellDurable = listener;
    },
    flushed: async () => {},
    close: async () => {
      closed = true;
    },
  });
};
