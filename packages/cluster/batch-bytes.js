// Writes a block of the store as bytes for the log, and reads it.
//
//   number of streams to delete, each name | number of puts, each key, 0 or 1 and the value | number of appends, each name, bytes
//
// Numbers are varints; strings and bytes have their length before them. Two values for a key are both written, in order.

import { ByteReader, ByteWriter } from '#model';

/** @import { Batch } from '#store' */

const encoder = new TextEncoder();

/** @param {ByteWriter} writer @param {Uint8Array} bytes */
const writeBytes = (writer, bytes) => {
  writer.varint(bytes.length);
  writer.raw(bytes);
};

/**
 * @param {Batch} batch
 * @returns {Uint8Array} a copy
 */
export const writeBatch = ({ puts, appends, deleteStreams = [] }) => {
  const writer = new ByteWriter(4096);
  const deleted = [...deleteStreams];
  writer.varint(deleted.length);
  for (const name of deleted) writer.text(name);
  let count = 0;
  puts.forEach(() => {
    count += 1;
  });
  writer.varint(count);
  puts.forEach((value, key) => {
    writer.text(key);
    writer.byte(value === undefined ? 0 : 1);
    if (value !== undefined)
      writeBytes(writer, typeof value === 'string' ? encoder.encode(value) : value);
  });
  count = 0;
  appends?.forEach(() => {
    count += 1;
  });
  writer.varint(count);
  appends?.forEach((bytes, name) => {
    writer.text(name);
    writeBytes(writer, bytes);
  });
  return writer.view().slice();
};

/**
 * @param {Uint8Array} bytes
 * @returns {Batch & { puts: Map<string, Uint8Array | undefined>, appends: Map<string, Uint8Array>, deleteStreams: string[] }}
 * @throws {RangeError} if they are not a batch; a TypeError if a text in them is no UTF-8
 */
export const readBatch = bytes => {
  const reader = new ByteReader(bytes);
  const deleteStreams = [];
  for (let left = reader.varint(); left > 0; left -= 1) deleteStreams.push(reader.text());
  /** @type {Map<string, Uint8Array | undefined>} */
  const puts = new Map();
  for (let left = reader.varint(); left > 0; left -= 1) {
    const key = reader.text();
    puts.set(key, reader.byte() === 0 ? undefined : reader.raw(reader.varint()));
  }
  /** @type {Map<string, Uint8Array>} */
  const appends = new Map();
  for (let left = reader.varint(); left > 0; left -= 1)
    appends.set(reader.text(), reader.raw(reader.varint()));
  if (!reader.done) throw RangeError('a block goes on behind its end');
  return { puts, appends, deleteStreams };
};
