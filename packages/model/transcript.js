// A transcript is the sequence of a vat's cranks: the deliveries, the kernel's answers, and the vat's syscalls.
// Replaying it restores the vat. Entries follow each other without framing; a run of reactor cranks without syscalls is
// one `quiet` entry.

import {
  readAnswer,
  readDelivery,
  readSyscall,
  writeAnswer,
  writeDelivery,
  writeSyscall,
} from './delivery.js';
import { quote } from './errors.js';
import { schemaVersion } from './schema.js';
import { makeTag } from './tag.js';

/** @import { ByteReader, ByteWriter } from './bytes.js' */
/** @import { Answer, Delivery, Syscall } from './delivery.js' */
/** @import { Tag } from './tag.js' */

/**
 * @typedef {object} DeliverEntry
 * @property {'deliver'} kind
 * @property {Tag} tag
 * @property {number} stage
 * @property {Delivery} delivery  in vrefs
 * @property {Answer[]} answers
 * @property {Syscall[]} syscalls  in vrefs
 */

/**
 * @typedef {object} QuietEntry
 * @property {'quiet'} kind
 * @property {Tag} firstTag
 * @property {Tag} endTag
 * @property {number} endStage
 * @property {number} cranks
 */

/** @typedef {DeliverEntry | QuietEntry} TranscriptEntry */

/** The byte before each entry; new kinds get new numbers. */
const deliverByte = 1;
const quietByte = 2;

/**
 * @param {ByteWriter} writer
 * @param {Tag} tag
 */
const writeTag = (writer, { timeNs, microstep }) => {
  writer.varint(timeNs);
  writer.varint(microstep);
};

/** @param {ByteReader} reader */
const readTag = reader => makeTag(reader.varint(), reader.varint());

/**
 * @param {ByteWriter} writer
 * @param {TranscriptEntry} entry
 */
export const writeTranscriptEntry = (writer, entry) => {
  if (entry.kind === 'quiet') {
    writer.byte(quietByte);
    writeTag(writer, entry.firstTag);
    writeTag(writer, entry.endTag);
    writer.varint(entry.endStage);
    writer.varint(entry.cranks);
    return;
  }
  const { tag, stage, delivery, answers, syscalls } = entry;
  beginDelivered(writer, tag, stage);
  writeDelivery(writer, delivery);
  writer.varint(answers.length);
  for (let i = 0; i < answers.length; i += 1) writeAnswer(writer, answers[i]);
  writer.varint(syscalls.length);
  for (let i = 0; i < syscalls.length; i += 1) writeSyscall(writer, syscalls[i]);
};

/**
 * Begins a `deliver` entry. The caller then writes the delivery, the number of answers and each answer, and the number
 * of syscalls and each syscall.
 *
 * @param {ByteWriter} writer
 * @param {Tag} tag
 * @param {number} stage
 */
export const beginDelivered = (writer, tag, stage) => {
  writer.byte(deliverByte);
  writeTag(writer, tag);
  writer.varint(stage);
};

/**
 * The exact inverse of `writeTranscriptEntry`.
 *
 * @param {ByteReader} reader
 * @returns {TranscriptEntry}
 * @throws {RangeError} for a kind that this schema version does not know, and for a cut record
 */
export const readTranscriptEntry = reader => {
  const byte = reader.byte();
  if (byte === quietByte) {
    const firstTag = readTag(reader);
    const endTag = readTag(reader);
    return { kind: 'quiet', firstTag, endTag, endStage: reader.varint(), cranks: reader.varint() };
  }
  if (byte !== deliverByte) {
    throw RangeError(
      `byte ${quote(byte)} names no kind of transcript entry in schema version ${schemaVersion}`,
    );
  }
  const tag = readTag(reader);
  const stage = reader.varint();
  const delivery = readDelivery(reader);
  const answers = Array.from({ length: reader.varint() }, () => readAnswer(reader));
  const syscalls = Array.from({ length: reader.varint() }, () => readSyscall(reader));
  return { kind: 'deliver', tag, stage, delivery, answers, syscalls };
};
