// The log beside the database: the blocks committed since the database was last brought up to date, one record
// each. Writing a record is one call of the system and touches no file metadata, as the file is filled with zeros
// ahead of use and written over again after each checkpoint.
//
// A record counts only if its checksum is right, it belongs to the generation that the database names, and it is
// the block after the one before it. A generation ends when its blocks are durable in the database, so a record
// left over from an earlier use of the file, or one that reached the disk although the record before it did not,
// is never taken for a block.
//
//   record   length u32 | crc32 u32 | generation f64 | block f64 | entries           (little-endian)
//   entry    1 put     key, value          key    length u16, UTF-8
//            2 delete  key                 value  length u32, bytes
//            3 append  key, value
//            4 drop    key
//
// `length` is the record's, and the checksum covers everything behind itself.

import fs from 'node:fs';
import zlib from 'node:zlib';
import { Fail, writeAscii } from '#model';
import { maxKeyBytes } from './keys.js';

/** @import { Batch } from './store.js' */

const headerBytes = 24;
const putByte = 1;
const deleteByte = 2;
const appendByte = 3;
const dropByte = 4;

/** The file is filled ahead in steps of this size: few enough of them, and short runs keep a small file. */
const growthBytes = 256 * 1024;

/** Characters up to which a loop is quicker than the encoder. */
const shortText = 128;

const zeros = Buffer.alloc(growthBytes);

/**
 * A record under construction, in a buffer that is used again and again.
 */
const makeRecordWriter = () => {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  // Numbers go through a DataView, since an indexed store takes 25 ns in a locked-down realm (bench/lockdown).
  let view = new DataView(buffer.buffer);
  let at = 0;

  /** @param {number} count */
  const reserve = count => {
    if (at + count <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + count, buffer.length * 2));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
    view = new DataView(buffer.buffer);
  };

  /**
   * @param {string} text
   * @param {number} start  with room for it
   * @returns {number} bytes written
   */
  const writeText = (text, start) => {
    const size = text.length;
    // Most keys and many values are a few ASCII characters, which a loop writes before a call would have begun.
    if (size > shortText) return buffer.write(text, start);
    if (!writeAscii(view, start, text)) return buffer.write(text, start);
    return size;
  };

  /**
   * @param {number} kind
   * @param {string} key
   */
  const writeKey = (kind, key) => {
    reserve(3 + maxKeyBytes);
    view.setUint8(at, kind);
    const size = writeText(key, at + 3);
    view.setUint16(at + 1, size, true);
    at += 3 + size;
  };

  /** @param {string | Uint8Array} value */
  const writeValue = value => {
    let size;
    if (typeof value === 'string') {
      reserve(4 + value.length * 3);
      size = writeText(value, at + 4);
    } else {
      size = value.length;
      reserve(4 + size);
      buffer.set(value, at + 4);
    }
    view.setUint32(at, size, true);
    at += 4 + size;
  };

  return {
    /**
     * @param {Batch} batch
     * @returns {number} bytes of the record
     */
    encode({ puts, appends, dropStreams }) {
      at = headerBytes;
      if (dropStreams) for (const name of dropStreams) writeKey(dropByte, name);
      puts.forEach((value, key) => {
        if (value === undefined) {
          writeKey(deleteByte, key);
        } else {
          writeKey(putByte, key);
          writeValue(value);
        }
      });
      appends?.forEach((bytes, name) => {
        writeKey(appendByte, name);
        writeValue(bytes);
      });
      return at;
    },
    /**
     * Complete the record; the view is valid until the next `encode`.
     *
     * @param {number} generation
     * @param {number} block
     */
    seal(generation, block) {
      view.setUint32(0, at, true);
      view.setFloat64(8, generation, true);
      view.setFloat64(16, block, true);
      const record = buffer.subarray(0, at);
      view.setUint32(4, zlib.crc32(record.subarray(8)), true);
      return record;
    },
  };
};

/**
 * @param {Buffer} record  whole and checked
 * @returns {Batch}
 */
const decodeRecord = record => {
  /** @type {Map<string, Buffer | undefined>} */
  const puts = new Map();
  /** @type {Map<string, Buffer>} */
  const appends = new Map();
  /** @type {string[]} */
  const dropStreams = [];
  let at = headerBytes;
  const readKey = () => {
    const size = record.readUInt16LE(at + 1);
    const key = record.toString('utf8', at + 3, at + 3 + size);
    at += 3 + size;
    return key;
  };
  const readValue = () => {
    const size = record.readUInt32LE(at);
    const value = record.subarray(at + 4, at + 4 + size);
    at += 4 + size;
    return value;
  };
  while (at < record.length) {
    const kind = record[at];
    const key = readKey();
    if (kind === putByte) puts.set(key, readValue());
    else if (kind === deleteByte) puts.set(key, undefined);
    else if (kind === appendByte) appends.set(key, readValue());
    else if (kind === dropByte) dropStreams.push(key);
    else Fail`block log: entry of kind ${kind}; this schema version knows 1 to 4`;
  }
  return { puts, appends, dropStreams };
};

/**
 * The blocks of `generation` after `block`, as far as they reached the disk without a gap.
 *
 * @param {Buffer} bytes  the log's content
 * @param {number} generation
 * @param {number} block  the last one that is in the database
 * @returns {Generator<Batch>}
 */
export function* readBlocks(bytes, generation, block) {
  let at = 0;
  let last = block;
  while (at + headerBytes <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    if (length < headerBytes || at + length > bytes.length) return;
    const record = bytes.subarray(at, at + length);
    if (record.readDoubleLE(8) !== generation || record.readDoubleLE(16) !== last + 1) return;
    if (record.readUInt32LE(4) !== zlib.crc32(record.subarray(8))) return;
    yield decodeRecord(record);
    last += 1;
    at += length;
  }
}

/**
 * @param {string} file  created if absent
 */
export const openBlockLog = file => {
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o666);
  const writer = makeRecordWriter();
  let allocated = fs.fstatSync(fd).size;
  let at = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {number} position
   */
  const writeAll = (bytes, position) => {
    let done = 0;
    // A write may be cut short, as when the disk is nearly full; the next one then tells why.
    while (done < bytes.length) {
      done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
    }
  };

  return Object.freeze({
    fd,
    /** Bytes of the file. */
    get allocated() {
      return allocated;
    },
    /** Bytes of it that hold records. */
    get used() {
      return at;
    },
    /** The whole content, as it was found. */
    read: () => fs.readFileSync(file),
    /**
     * @param {Batch} batch  kept in the record buffer until `write`
     * @returns {number} bytes that it will take
     */
    encode: batch => writer.encode(batch),
    /**
     * Add the batch that was encoded last. If this throws, the file may end in part of a record, which reading
     * leaves out; the log must not be written to again.
     *
     * @param {number} generation
     * @param {number} block
     */
    write(generation, block) {
      const record = writer.seal(generation, block);
      while (allocated < at + record.length) {
        writeAll(zeros, allocated);
        allocated += growthBytes;
      }
      writeAll(record, at);
      at += record.length;
    },
    sync: () => fs.fdatasyncSync(fd),
    /**
     * Begin again at the start of the file: its records are durable in the database.
     *
     * @param {number} limitBytes  a file grown beyond this by a large block is cut back
     */
    restart(limitBytes) {
      at = 0;
      if (allocated > limitBytes + growthBytes) {
        fs.ftruncateSync(fd, limitBytes);
        allocated = limitBytes;
      }
    },
    close: () => fs.closeSync(fd),
  });
};

/** @typedef {ReturnType<typeof openBlockLog>} BlockLog */
