// The bytes of a record of a run's log. Each has its own number and the hash of the record before, so that a loss, a
// torn, moved or altered record, or two concurrent leaders are detected at the first wrong record (log-reader.js).
//
//   "SRL1" | kind u8 | seq | epoch | block | checkpoint | before, 32 bytes | activity, 32 bytes
//   | 0 u8, length, payload   or   1 u8, length, SHA-256 of a blob that has the payload
//   | SHA-256 of everything before it
//
// Numbers are varints. `block` counts blocks up to and with this record, `checkpoint` is the number of the last record that is a
// checkpoint, 0 for none, `activity` the activity hash at the end of the block. The hash of a record is its last 32 bytes.

import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '#model';

/** Changed with every change of the layout. */
const magic = Uint8Array.from(Buffer.from('SRL1'));

/** The index is the byte, so entries are only added at the end. */
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
 * `begin`: the run's facts, JSON. `lease`: a leader begins with a new epoch, JSON. `renewal`: the leader's sign of
 * life. `block`: a batch (batch-bytes.js). `checkpoint`: the whole state. `release`: the leader has stopped, and
 * another may take over at once. `end`: the result of the run, JSON.
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
 * @throws {RangeError} if it is not a record, or was altered
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
