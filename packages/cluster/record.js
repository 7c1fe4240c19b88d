// A record of a run's log, as bytes. Each names its own place and the hash of the record before, so that whatever is lost,
// torn, moved, altered or written by two leaders at once is found where it happened (log-reader.js).
//
//   "SRL1" | kind u8 | seq | epoch | block | checkpoint | before, 32 bytes | activity, 32 bytes
//   | 0 u8, length, payload   or   1 u8, length, SHA-256 of a blob that has the payload
//   | SHA-256 of everything before it
//
// Numbers are varints. `block` counts blocks up to and with this record, `checkpoint` is the number of the last record that is a
// checkpoint, 0 for none, `activity` the activity hash at the end of the block. The hash of a record is its last 32 bytes.

import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '#model';

/** A change of the layout changes it. */
const magic = Uint8Array.from(Buffer.from('SRL1'));

/** The position is the byte: entries are only added at the end. */
const kinds = /** @type {const} */ ([
  'begin',
  'lease',
  'renewal',
  'block',
  'checkpoint',
  'release',
  'end',
]);

const hashBytes = 32;

export const noHash = '0'.repeat(2 * hashBytes);

/**
 * `begin`: what is run, JSON. `lease`: a leader begins, with a new epoch, JSON. `renewal`: it is still there. `block`: a batch
 * (batch-bytes.js). `checkpoint`: the whole state. `release`: the leader has stopped, and another may take over at once.
 * `end`: the run has come to its end, JSON.
 *
 * @typedef {(typeof kinds)[number]} RecordKind
 */

/**
 * @typedef {object} LogEntry
 * @property {RecordKind} kind
 * @property {number} seq
 * @property {number} epoch
 * @property {number} block
 * @property {number} checkpoint
 * @property {string} before  hexadecimal
 * @property {string} activity  hexadecimal
 * @property {{ bytes: Uint8Array } | { blob: string, length: number }} payload
 */

/** @param {Uint8Array} bytes */
export const sha256Hex = bytes => createHash('sha256').update(bytes).digest('hex');

/** @param {string} hex */
const fromHex = hex => Uint8Array.from(Buffer.from(hex, 'hex'));

/** @param {Uint8Array} bytes */
const toHex = bytes => Buffer.from(bytes).toString('hex');

/**
 * @param {LogEntry} entry
 * @returns {Uint8Array}
 */
export const writeRecord = entry => {
  const { payload } = entry;
  const writer = new ByteWriter(256);
  writer.raw(magic);
  writer.byte(kinds.indexOf(entry.kind));
  writer.varint(entry.seq);
  writer.varint(entry.epoch);
  writer.varint(entry.block);
  writer.varint(entry.checkpoint);
  writer.raw(fromHex(entry.before));
  writer.raw(fromHex(entry.activity));
  if ('blob' in payload) {
    writer.byte(1);
    writer.varint(payload.length);
    writer.raw(fromHex(payload.blob));
  } else {
    writer.byte(0);
    writer.varint(payload.bytes.length);
    writer.raw(payload.bytes);
  }
  const body = writer.view();
  const whole = new Uint8Array(body.length + hashBytes);
  whole.set(body);
  whole.set(createHash('sha256').update(body).digest(), body.length);
  return whole;
};

/** The hash of a record. @param {Uint8Array} bytes  of a whole one */
export const hashOf = bytes => toHex(bytes.subarray(bytes.length - hashBytes));

/**
 * @param {Uint8Array} bytes
 * @returns {LogEntry}
 * @throws {RangeError} it is no record, or not as it was written
 */
export const readRecord = bytes => {
  const end = bytes.length - hashBytes;
  if (end < magic.length) throw RangeError(`it has ${bytes.length} bytes, too few for a record`);
  const body = bytes.subarray(0, end);
  if (!magic.every((byte, i) => body[i] === byte))
    throw RangeError('it does not begin as a record of this version does');
  if (sha256Hex(body) !== toHex(bytes.subarray(end)))
    throw RangeError('its bytes are not those that were written: it was altered, or cut off');
  const reader = new ByteReader(body);
  reader.raw(magic.length);
  const byte = reader.byte();
  const kind = kinds[byte];
  if (kind === undefined) throw RangeError(`byte ${byte} names no kind of record`);
  const [seq, epoch, block, checkpoint] = [
    ...[reader.varint(), reader.varint(), reader.varint(), reader.varint()],
  ];
  const before = toHex(reader.raw(hashBytes));
  const activity = toHex(reader.raw(hashBytes));
  const form = reader.byte();
  if (form > 1) throw RangeError(`byte ${form} names no form of a payload`);
  const isBlob = form === 1;
  const length = reader.varint();
  const payload = isBlob
    ? { blob: toHex(reader.raw(hashBytes)), length }
    : { bytes: reader.raw(length).slice() };
  if (!reader.done) throw RangeError('it goes on behind its end');
  return { kind, seq, epoch, block, checkpoint, before, activity, payload };
};
