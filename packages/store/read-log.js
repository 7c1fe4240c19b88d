// Reads the valid records of a block log: those of the database's present generation, from its start, each one whole,
// for the next block, and chained to the record before. The bytes after them are either left by a crash or damage, and
// damage is reported.
//
// A killed process leaves a last record that is cut off, and nothing after it. A power failure may in addition leave
// later records without earlier ones, and holes in a record, unless a commit waited for the disk; but a record says
// which blocks were on the disk when it was written. So the following is damage:
//
// - an invalid record is followed by one that was written when the missing block was on the disk;
// - the machine has not been started since, and there is anything of the generation after an invalid record, or that
//   record has an end;
// - a whole record is in the place of another.
//
// If the power may have failed, and later blocks are there without earlier ones, the state is that before the gap,
// which durability `group` and `none` allow; the loss is reported.

import zlib from 'node:zlib';
import { entryKinds, recordEndBytes, recordHeadBytes } from './block-log.js';
import { headBytes, markOf, slotDigest } from './log-head.js';

/** @import { Mark, Slot } from './log-head.js' */
/** @import { Batch } from './store.js' */

/** A log is damaged in a way that no crash leaves behind. */
export class DamagedLog extends Error {}

/**
 * @typedef {object} LogRecord
 * @property {number} start
 * @property {number} end
 * @property {number} block
 * @property {number} durable
 * @property {number} before
 * @property {number} digest
 */

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {Mark} mark
 * @returns {LogRecord | undefined} undefined if there is no whole record of this generation here
 */
const readRecord = (bytes, start, mark) => {
  if (start + recordHeadBytes + recordEndBytes > bytes.length) return undefined;
  if (bytes.compare(mark.start, 0, 8, start, start + 8) !== 0) return undefined;
  const length = bytes.readUInt32LE(start + 8);
  const end = start + length;
  if (length < recordHeadBytes + recordEndBytes || end > bytes.length) return undefined;
  const digest = bytes.readUInt32LE(start + 12);
  if (zlib.crc32(bytes.subarray(start + 16, end - recordEndBytes)) !== digest) return undefined;
  return {
    ...{ start, end, digest },
    block: bytes.readDoubleLE(start + 16),
    durable: bytes.readDoubleLE(start + 24),
    before: bytes.readUInt32LE(start + 32),
  };
};

/**
 * @param {Buffer} bytes
 * @param {LogRecord} record
 * @returns {Batch}
 */
const decodeRecord = (bytes, { start, end }) => {
  /** @type {Map<string, Buffer | undefined>} */
  const puts = new Map();
  /** @type {Map<string, Buffer>} */
  const appends = new Map();
  /** @type {string[]} */
  const deleteStreams = [];
  const bodyEnd = end - recordEndBytes;
  let at = start + recordHeadBytes;
  const take = (/** @type {number} */ size) => {
    at += size;
    if (at > bodyEnd) throw new DamagedLog(`the record at byte ${start} ends in an entry`);
    return bytes.subarray(at - size, at);
  };
  while (at < bodyEnd) {
    const [kind] = take(1);
    const key = take(take(2).readUInt16LE()).toString('utf8');
    const takeValue = () => take(take(4).readUInt32LE());
    if (kind === entryKinds.put) puts.set(key, takeValue());
    else if (kind === entryKinds.delete) puts.set(key, undefined);
    else if (kind === entryKinds.append) appends.set(key, takeValue());
    else if (kind === entryKinds.deleteStream) deleteStreams.push(key);
    else throw new DamagedLog(`the record at byte ${start} has an entry of kind ${kind}`);
  }
  return { puts, appends, deleteStreams };
};

/**
 * @param {Buffer} bytes
 * @param {Buffer} pattern
 * @param {number} from
 */
function* occurrences(bytes, pattern, from) {
  for (let at = bytes.indexOf(pattern, from); at >= 0; at = bytes.indexOf(pattern, at + 1))
    yield at;
}

/**
 * @param {Buffer} bytes  the log's content
 * @param {Slot} slot  of the database's generation
 * @param {boolean} isSameBoot  whether the machine was not started since the generation began
 * @returns {{ blocks: () => Generator<Batch>, lost: string | undefined }}  `lost`: what a power failure lost
 * @throws {DamagedLog}
 */
export const readLog = (bytes, slot, isSameBoot) => {
  const mark = markOf(slot.run, slot.generation);
  /** @type {LogRecord[]} */
  const records = [];
  let last = slot.block;
  let before = slotDigest(slot);
  let at = headBytes;
  for (;;) {
    const record = readRecord(bytes, at, mark);
    if (record === undefined) break;
    if (record.block !== last + 1 || record.before !== before)
      throw new DamagedLog(
        `at byte ${at} is block ${record.block}, chained to another record; block ${last + 1} belongs here`,
      );
    records.push(record);
    last = record.block;
    before = record.digest;
    at = record.end;
  }
  const lost = judgeRest(bytes, { at, last, mark, isSameBoot });
  return {
    *blocks() {
      for (const record of records) yield decodeRecord(bytes, record);
    },
    lost,
  };
};

/**
 * @param {Buffer} bytes
 * @param {{ at: number, last: number, mark: Mark, isSameBoot: boolean }} where  the end of the valid records
 * @returns {string | undefined}
 */
const judgeRest = (bytes, { at, last, mark, isSameBoot }) => {
  const missing = `the record of block ${last + 1} at byte ${at} is damaged`;
  /** @type {LogRecord | undefined} */
  let later;
  for (const start of occurrences(bytes, mark.start, at)) {
    const record = readRecord(bytes, start, mark);
    if (record === undefined) continue;
    const { block, durable } = record;
    if (block <= last) throw new DamagedLog(`block ${block} is there again at byte ${start}`);
    if (durable > last || isSameBoot)
      throw new DamagedLog(`${missing}, and block ${block} is there, at byte ${start}`);
    later ??= record;
  }
  if (isSameBoot) {
    for (const end of occurrences(bytes, mark.end, at))
      throw new DamagedLog(`${missing}, and the end of a record is there, at byte ${end}`);
  }
  if (later === undefined) return undefined;
  return `the record of block ${last + 1} is missing, and block ${later.block} is there: blocks from ${last + 1} on are lost`;
};
