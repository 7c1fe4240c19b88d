// A state as one file, for moving it to another machine: equal states make the same bytes. Keys and streams that may
// differ between equal runs (`local.`) are left out unless the caller wants them.
//
//   file     "swingset-runner state, schema 2\n" | entries in the order of keys | streams in the order of names | end
//   entry    1 u8 | length of the key u16 | key | length of the value u32 | value              (little-endian)
//   stream   2 u8 | length of the name u16 | name | length u64 | bytes
//   end      0 u8 | entries u64 | streams u64 | SHA-256 of everything before it
//
// Reading and writing both go through the file once, a piece at a time.

import { createHash } from 'node:crypto';
import { compareTexts, schemaVersion, UserError } from '#model';
import { isLocal } from './contents.js';
import { openForward } from './forward-file.js';
import { maxKeyBytes } from './keys.js';
import { schemaKey } from './values.js';

/** @import { Forward } from './forward-file.js' */
/** @import { Store } from './store.js' */

const kinds = /** @type {const} */ ({ end: 0, entry: 1, stream: 2 });
const title = 'swingset-runner state, schema ';
const digestBytes = 32;
const longestLine = 80;

/** Bytes written, read, or committed at a time. */
const pieceBytes = 256 * 1024;
const batchBytes = 1024 * 1024;

/**
 * @param {Store} store
 * @param {{ hasLocal: boolean }} options  `hasLocal`: includes what may differ between equal runs
 * @returns {Generator<Uint8Array>}
 */
export function* stateFileChunks(store, { hasLocal }) {
  const hash = createHash('sha256');
  const isWanted = (/** @type {string} */ name) => hasLocal || !isLocal(name);
  /** @type {(kind: number, name: string, lengthBytes: 4 | 8, length: number) => Buffer} */
  const head = (kind, name, lengthBytes, length) => {
    const nameBytes = Buffer.from(name);
    const bytes = Buffer.alloc(3 + nameBytes.length + lengthBytes);
    bytes.writeUInt8(kind, 0);
    bytes.writeUInt16LE(nameBytes.length, 1);
    bytes.set(nameBytes, 3);
    if (lengthBytes === 4) bytes.writeUInt32LE(length, 3 + nameBytes.length);
    else bytes.writeBigUInt64LE(BigInt(length), 3 + nameBytes.length);
    return bytes;
  };
  /** @type {Uint8Array[]} */
  let waiting = [];
  let waitingBytes = 0;
  const take = (/** @type {Uint8Array} */ bytes) => {
    hash.update(bytes);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    return waitingBytes >= pieceBytes;
  };
  const flush = () => {
    const all = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    return all;
  };

  take(Buffer.from(`${title}${schemaVersion}\n`));
  let entries = 0;
  for (const [key] of store.entries('')) {
    if (key === schemaKey || !isWanted(key)) continue;
    const value = store.getBytes(key) ?? new Uint8Array();
    entries += 1;
    take(head(kinds.entry, key, 4, value.length));
    if (take(value)) yield flush();
  }
  let streams = 0;
  for (const name of store.streamNames()) {
    if (!isWanted(name)) continue;
    streams += 1;
    take(head(kinds.stream, name, 8, store.streamLength(name)));
    for (const chunk of store.streamChunks(name)) if (take(chunk)) yield flush();
  }
  const end = Buffer.alloc(17);
  end.writeUInt8(kinds.end, 0);
  end.writeBigUInt64LE(BigInt(entries), 1);
  end.writeBigUInt64LE(BigInt(streams), 9);
  take(end);
  waiting.push(hash.digest());
  yield flush();
}

/** @param {Forward} input @param {string} file */
const readTitle = (input, file) => {
  let line = '';
  while (!line.endsWith('\n') && line.length < longestLine && input.left > 0)
    line += input.some(1, 'its first line').toString('latin1');
  const found = /^swingset-runner state, schema (\d+)\n$/.exec(line);
  if (found === null)
    throw new UserError(`${file} is no state that swingset-runner has exported; name another file`);
  if (Number(found[1]) !== schemaVersion)
    throw new UserError(
      `${file}: the state has schema version ${found[1]}, this program reads version ${schemaVersion}; use the program that wrote it`,
    );
};

/**
 * Reads a name. Names are in order, each once.
 *
 * @param {Forward} input
 * @param {string} last
 */
const readName = (input, last) => {
  const size = input.all(2, 'a name').readUInt16LE();
  if (size < 1 || size > maxKeyBytes) input.refuse(`a name has ${size} bytes`);
  const bytes = input.all(size, 'a name');
  const name = bytes.toString();
  if (!Buffer.from(name).equals(bytes) || (last !== '' && compareTexts(last, name) >= 0))
    input.refuse('a name is out of order, or no text');
  return name;
};

/**
 * Reads the state in a file into an empty store. The caller keeps the store only if this returns.
 *
 * @param {string} file
 * @param {Store} store
 * @throws {UserError} the file is no state, of another schema version, damaged, cut off, or longer than its end
 */
export const readStateFile = (file, store) => {
  const input = openForward(file);
  /** @type {Map<string, Uint8Array>} */
  let puts = new Map();
  let size = 0;
  const commit = () => {
    store.commit({ puts });
    puts = new Map();
    size = 0;
  };
  try {
    readTitle(input, file);
    const counts = { entries: 0, streams: 0 };
    let last = '';
    for (;;) {
      const [kind] = input.some(1, 'the state');
      if (kind === kinds.end) break;
      if (kind === kinds.entry && counts.streams === 0) {
        last = readName(input, last);
        if (last === schemaKey) input.refuse('it has a key that is not its own');
        const value = input.all(input.all(4, 'a value').readUInt32LE(), 'a value');
        puts.set(last, value);
        counts.entries += 1;
        size += value.length + last.length;
        if (size > batchBytes) commit();
      } else if (kind === kinds.stream) {
        if (counts.streams === 0) {
          commit();
          last = '';
        }
        last = readName(input, last);
        if (last.includes('\0')) input.refuse('a name has a NUL');
        counts.streams += 1;
        let left = Number(input.all(8, 'a stream').readBigUInt64LE());
        if (left < 1 || left > input.left) input.refuse(`a stream has ${left} bytes`);
        while (left > 0) {
          const bytes = input.some(left, 'a stream');
          store.commit({ puts, appends: new Map([[last, bytes]]) });
          left -= bytes.length;
        }
      } else {
        input.refuse(`a part is of kind ${kind}`);
      }
    }
    const told = input.all(16, 'the end');
    if (
      Number(told.readBigUInt64LE(0)) !== counts.entries ||
      Number(told.readBigUInt64LE(8)) !== counts.streams
    )
      input.refuse('it says that it has other numbers of entries and streams');
    const digest = input.digest();
    if (!input.all(digestBytes, 'the digest').equals(digest))
      input.refuse('its digest is not that of its bytes');
    if (input.left > 0) input.refuse(`there are ${input.left} bytes behind its end`);
    commit();
  } finally {
    input.close();
  }
};
