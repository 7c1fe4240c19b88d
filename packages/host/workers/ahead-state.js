// The input of a host that runs cranks ahead of the leader (ahead-kernel.js): the kernel's tables at the end of a block,
// as bytes; and a digest by which the leader recognises a delivery that the host foresaw.
//
//   number of keys, each key, value | number of streams, each name, bytes      (lengths are varints)

import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '#model';
import { makeMemoryStore } from '#store';
import { digestBytes, writeRequest } from '#transport';

/** @import { Delivery, When } from '#model' */
/** @import { KernelStore } from '#kernel' */
/** @import { Store } from '#store' */

/** Bound on the bytes of the state. A larger one would keep the run waiting while it is sent. */
const mostBytes = 8 * 1024 * 1024;

/** Keys that the kernel does not read: the host's own, bundles among them, and the schema, which each store writes. */
const isForeign = (/** @type {string} */ key) =>
  key.startsWith('host.') || key.startsWith('local.') || key === 'schema';

/** The reaper counts deliveries in transcripts; no other stream is read. @param {string} name */
const isTranscript = name => name.startsWith('t.');

/**
 * The kernel's tables and transcripts, to be called between blocks.
 *
 * @param {Store} store
 * @returns {Uint8Array | undefined} undefined if they are too large
 */
export const writeAheadState = store => {
  let bytes = 0;
  /** @type {Map<string, Uint8Array>} */
  const appends = new Map();
  for (const name of store.streamNames()) {
    if (!isTranscript(name)) continue;
    bytes += store.streamLength(name);
    if (bytes > mostBytes) return undefined;
    appends.set(name, store.readStream(name));
  }
  /** @type {Map<string, Uint8Array>} */
  const puts = new Map();
  for (const [key] of store.entries('')) {
    if (isForeign(key)) continue;
    const value = store.getBytes(key) ?? new Uint8Array();
    bytes += key.length + value.length;
    if (bytes > mostBytes) return undefined;
    puts.set(key, value);
  }
  const writer = new ByteWriter(bytes + 4096);
  for (const map of [puts, appends]) {
    writer.varint(map.size);
    for (const [name, value] of map) {
      writer.text(name);
      writer.varint(value.length);
      writer.raw(value);
    }
  }
  return writer.view();
};

/** @param {ByteReader} reader @returns {Map<string, Uint8Array>} */
const readMap = reader => {
  const map = new Map();
  for (let left = reader.varint(); left > 0; left -= 1)
    map.set(reader.text(), reader.raw(reader.varint()));
  return map;
};

/**
 * A store with such a state. It keeps no stream of later blocks, since nobody reads them.
 *
 * @param {Uint8Array} bytes
 * @returns {KernelStore}
 * @throws {RangeError} if they are no such state
 */
export const readAheadState = bytes => {
  const reader = new ByteReader(bytes);
  const [puts, appends] = [readMap(reader), readMap(reader)];
  const store = makeMemoryStore();
  void store.commit({ puts, appends, deleteStreams: [] });
  return Object.freeze({
    ...store,
    commit: (/** @type {import('#store').Batch} */ batch) =>
      store.commit({ puts: batch.puts, appends: new Map(), deleteStreams: [] }),
  });
};

const frame = new ByteWriter();

/**
 * Equal for equal deliveries, and for no others.
 *
 * @param {{ vatId: string, when: When, asked: readonly string[], delivery: Delivery }} call
 * @returns {Uint8Array}
 */
export const digestOf = ({ vatId, when, asked, delivery }) => {
  writeRequest(frame, { kind: 'deliver', vatId, when, asked, delivery });
  return createHash('sha256').update(frame.view()).digest().subarray(0, digestBytes);
};

/** @param {Uint8Array} left @param {Uint8Array} right */
export const isSameDigest = (left, right) => Buffer.compare(left, right) === 0;
