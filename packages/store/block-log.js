// The log beside the database: the blocks committed since the last checkpoint, one record each, after a head
// (log-head.js). Writing a record is one system call and changes no file metadata, since the file is filled with zeros
// ahead of use and overwritten after each checkpoint.
//
// A generation of records ends when its blocks are durable in the database. A record carries the mark of its
// generation, so a record of an earlier use of the file never counts as a block, and the digest of the record before
// it. `read-log.js` decides which records count.
//
//   record   start of the mark, 8 bytes | length u32 | crc32 u32 | block f64 | durable f64 | before u32 | entries |
//            end of the mark, 8 bytes                                                            (little-endian)
//   entry    1 put     key, value          key    length u16, UTF-8
//            2 delete  key                 value  length u32, bytes
//            3 append  key, value
//            4 delete a stream  key
//
// `length` is the record's, and the checksum covers everything between itself and the end. `durable` is the last block
// known to be on the disk when the record was written; `before` the checksum of the record before, or the digest of the
// generation's slot.

import fs from 'node:fs';
import zlib from 'node:zlib';
import { UserError, writeAscii } from '#model';
import { maxKeyBytes } from './keys.js';
import { formatSlot, headBytes, markOf, slotDigest, slotPosition } from './log-head.js';

/** @import { Mark, Slot } from './log-head.js' */
/** @import { Batch } from './store.js' */

export const recordHeadBytes = 36;
export const recordEndBytes = 8;
export const entryKinds = /** @type {const} */ ({ put: 1, delete: 2, append: 3, deleteStream: 4 });

/** The file is filled ahead in steps of this size: large enough to be rare, small enough for short runs. */
const growthBytes = 256 * 1024;

/**
 * Bytes that a record may have: Node reads and writes less than 2 GiB at once, and the log is read whole, filled up to a
 * whole step.
 */
const mostRecordBytes = 2 ** 31 - 1 - headBytes - growthBytes;

/** Characters up to which a loop is faster than the encoder. */
const shortText = 128;

const zeros = Buffer.alloc(growthBytes);

/**
 * A record under construction, in a reused buffer.
 *
 * @param {number} mostBytes
 */
const makeRecordWriter = mostBytes => {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  // Numbers are written through a DataView, since an indexed store is slow in a locked-down realm
  // (docs/v8-in-a-locked-down-realm.md).
  let view = new DataView(buffer.buffer);
  let at = 0;

  /** @param {number} count */
  const reserve = count => {
    if (at + count <= buffer.length) return;
    const twice = Math.min(buffer.length * 2, mostBytes);
    const larger = Buffer.allocUnsafeSlow(Math.max(at + count, twice));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
    view = new DataView(buffer.buffer);
  };

  const insistSize = () => {
    if (at <= mostBytes) return;
    throw new UserError(
      `a block changes more than ${mostBytes} bytes, which is the most that the store takes at once; nothing of it was kept: make smaller blocks (--blocksize), or let a crank store less`,
      { exitCode: 1 },
    );
  };

  /**
   * @param {string} text
   * @param {number} start  with room for it
   * @returns {number} bytes written
   */
  const writeText = (text, start) => {
    const size = text.length;
    // Most keys and many values are a few ASCII characters, for which a loop is faster than a call.
    if (size > shortText) return buffer.write(text, start);
    if (!writeAscii(view, start, text)) return buffer.write(text, start);
    return size;
  };

  /**
   * @param {number} kind
   * @param {string} key
   */
  const writeKey = (kind, key) => {
    insistSize();
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
     * @throws {UserError} it would be too large
     */
    encode({ puts, appends, deleteStreams }) {
      at = recordHeadBytes;
      if (deleteStreams) for (const name of deleteStreams) writeKey(entryKinds.deleteStream, name);
      puts.forEach((value, key) => {
        if (value === undefined) {
          writeKey(entryKinds.delete, key);
        } else {
          writeKey(entryKinds.put, key);
          writeValue(value);
        }
      });
      appends?.forEach((bytes, name) => {
        writeKey(entryKinds.append, name);
        writeValue(bytes);
      });
      reserve(recordEndBytes);
      at += recordEndBytes;
      insistSize();
      return at;
    },
    /**
     * Completes the record; the view is valid until the next `encode`.
     *
     * @param {Mark} mark
     * @param {number} block
     * @param {number} durable
     * @param {number} before
     */
    seal({ start, end }, block, durable, before) {
      const bodyEnd = at - recordEndBytes;
      buffer.set(start, 0);
      view.setUint32(8, at, true);
      view.setFloat64(16, block, true);
      view.setFloat64(24, durable, true);
      view.setUint32(32, before, true);
      const digest = zlib.crc32(buffer.subarray(16, bodyEnd));
      view.setUint32(12, digest, true);
      buffer.set(end, bodyEnd);
      return { record: buffer.subarray(0, at), digest };
    },
  };
};

/**
 * @param {string} file  with a head; may be absent if `first` is given
 * @param {Slot} [first]  slot of the first generation, for a new file
 * @param {number} [mostBytes]  of a record
 */
export const openBlockLog = (file, first, mostBytes = mostRecordBytes) => {
  if (first !== undefined) makeLogFile(file, first);
  const fd = fs.openSync(file, 'r+');
  const writer = makeRecordWriter(mostBytes);
  let allocated = fs.fstatSync(fd).size;
  let at = headBytes;
  let mark = markOf('', 0);
  /** Digest of the last record, or of the slot. */
  let before = 0;
  /** Bytes of the last record. */
  let lastBytes = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {number} position
   */
  const writeAll = (bytes, position) => writeWhole(fd, bytes, position);

  return Object.freeze({
    fd,
    /** Bytes of the file. */
    get allocated() {
      return allocated;
    },
    /** Bytes of the file that hold records. */
    get used() {
      return at - headBytes;
    },
    /**
     * @param {Batch} batch  kept in the record buffer until `write`
     * @returns {number} bytes that the record will take
     * @throws {UserError} it would be too large; the log is as it was
     */
    encode: batch => writer.encode(batch),
    /**
     * Adds the batch that was encoded last. If this throws, the file may end in part of a record, which reading
     * ignores; the log must not be written to again.
     *
     * @param {number} block
     * @param {number} durable  the last block known to be on the disk
     */
    write(block, durable) {
      const { record, digest } = writer.seal(mark, block, durable, before);
      while (allocated < at + record.length) {
        const count = growthBytes - (allocated % growthBytes);
        writeAll(zeros.subarray(0, count), allocated);
        allocated += count;
      }
      writeAll(record, at);
      at += record.length;
      lastBytes = record.length;
      before = digest;
    },
    sync: () => fs.fdatasyncSync(fd),
    /**
     * Takes back the record that was written last, since forcing it to disk has failed: the system may show it for as
     * long as it has the page, and the disk may have it. The log must not be written to again.
     *
     * @returns {boolean} whether it is gone, from the disk too; otherwise reading may find it, or not
     */
    takeBack() {
      const start = at - lastBytes;
      try {
        // From the end, whose mark a record that is cut off does not have.
        for (let end = at; end > start; end -= growthBytes) {
          const from = Math.max(start, end - growthBytes);
          writeAll(zeros.subarray(0, end - from), from);
        }
        // A failed sync is never repeated for the same bytes, which the system may take for written. These are new ones.
        fs.fdatasyncSync(fd);
        return true;
      } catch {
        return false;
      }
    },
    /**
     * Announces a generation, durably. Its records may be written after the database announces it too.
     *
     * @param {Slot} slot
     */
    announce(slot) {
      writeDurably(file, fd, formatSlot(slot), slotPosition(slot.generation));
    },
    /**
     * Begins again at the start of the file, whose blocks are durable in the database.
     *
     * @param {Slot} slot  announced
     * @param {number} limitBytes  a file grown beyond this by a large block is cut back
     */
    restart(slot, limitBytes) {
      at = headBytes;
      mark = markOf(slot.run, slot.generation);
      before = slotDigest(slot);
      if (allocated > limitBytes + growthBytes) {
        fs.ftruncateSync(fd, limitBytes);
        allocated = limitBytes;
      }
    },
    close: () => fs.closeSync(fd),
  });
};

/** @typedef {ReturnType<typeof openBlockLog>} BlockLog */

/**
 * @param {number} fd
 * @param {Uint8Array} bytes
 * @param {number} position
 */
const writeWhole = (fd, bytes, position) => {
  let done = 0;
  // A write may be cut short, as when the disk is nearly full; the next one then throws the reason.
  while (done < bytes.length)
    done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
};

/**
 * Writes bytes durably. Only these bytes must reach the disk: a sync of the whole file would write all records that
 * durability `none` leaves to the system.
 *
 * @param {string} file
 * @param {number} fd  of the same file, for systems without such a write
 * @param {Uint8Array} bytes
 * @param {number} position
 */
const writeDurably = (file, fd, bytes, position) => {
  const { O_DSYNC, O_WRONLY } = fs.constants;
  if (O_DSYNC === undefined) {
    writeWhole(fd, bytes, position);
    fs.fdatasyncSync(fd);
    return;
  }
  const durableFd = fs.openSync(file, O_WRONLY | O_DSYNC);
  try {
    writeWhole(durableFd, bytes, position);
  } finally {
    fs.closeSync(durableFd);
  }
};

/**
 * Makes a log file, which appears with a whole head or not at all.
 *
 * @param {string} file
 * @param {Slot} slot
 */
const makeLogFile = (file, slot) => {
  const made = `${file}.new`;
  const fd = fs.openSync(made, 'w', 0o666);
  try {
    const head = Buffer.alloc(headBytes);
    head.set(formatSlot(slot), slotPosition(slot.generation));
    writeWhole(fd, head, 0);
    fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(made, file);
};
