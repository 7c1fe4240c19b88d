// The fields of frames (frames.js) that several kinds have: lists, yes or no, grants, questions.

import { makeTag, quote, readSyscall, writeSyscall } from '#model';

/** @import { ByteReader, ByteWriter, Grant } from '#model' */
/** @import { Question } from './frames.js' */

/** Bytes of the digest of a delivery that was begun ahead of the kernel. */
export const digestBytes = 16;

/** Questions of a vat in a crank; the rest are syscalls. */
const questionKinds = /** @type {const} */ (['syscall', 'bringOutYourDead', 'clock', 'deadline']);

/**
 * @template T
 * @param {ByteWriter} writer
 * @param {readonly T[]} list
 * @param {(writer: ByteWriter, each: T) => void} write
 */
export const writeList = (writer, list, write) => {
  writer.varint(list.length);
  for (let i = 0; i < list.length; i += 1) write(writer, list[i]);
};

/**
 * @template T
 * @param {ByteReader} reader
 * @param {(reader: ByteReader) => T} read
 * @returns {T[]}
 */
export const readList = (reader, read) => {
  const list = [];
  for (let left = reader.varint(); left > 0; left -= 1) list.push(read(reader));
  return list;
};

/** @param {ByteWriter} writer @param {Uint8Array} bytes */
export const writeBytes = (writer, bytes) => {
  writer.varint(bytes.length);
  writer.raw(bytes);
};

/** @param {ByteReader} reader */
export const readBytes = reader => Uint8Array.from(reader.raw(reader.varint()));

export const writeText = (/** @type {ByteWriter} */ writer, /** @type {string} */ text) =>
  writer.text(text);

export const readText = (/** @type {ByteReader} */ reader) => reader.text();

/**
 * @param {ByteReader} reader
 * @returns {boolean}
 */
export const readFlag = reader => {
  const byte = reader.byte();
  if (byte > 1) throw RangeError(`byte ${quote(byte)} is neither yes nor no`);
  return byte === 1;
};

/** Yes, no, or not known. @type {readonly (boolean | null)[]} */
const answers = [null, false, true];

/** @param {boolean | null} value */
export const codeOf = value => answers.indexOf(value);

/** @param {ByteReader} reader @returns {boolean | null} */
export const readHasRounds = reader => {
  const byte = reader.byte();
  if (byte >= answers.length)
    throw RangeError(`byte ${quote(byte)} is neither yes, nor no, nor unknown`);
  return answers[byte];
};

/** The ends of a grant, by the byte before it: no grant, until a tag, or without end. */
const grantEnds = /** @type {const} */ (['none', 'tag', 'open']);

/** @param {ByteWriter} writer @param {Grant | null} [grant] */
export const writeGrant = (writer, grant = null) => {
  if (grant === null) {
    writer.byte(0);
    return;
  }
  const isOpen = grant.timeNs === Infinity;
  writer.byte(isOpen ? 2 : 1);
  if (!isOpen) {
    writer.varint(grant.timeNs);
    writer.varint(grant.microstep);
  }
  writer.varint(grant.cranks);
};

/** @param {ByteReader} reader @returns {Grant | undefined} */
export const readGrant = reader => {
  const byte = reader.byte();
  switch (grantEnds[byte]) {
    case 'none':
      return undefined;
    case 'tag':
      return { ...makeTag(reader.varint(), reader.varint()), cranks: reader.varint() };
    case 'open':
      return { timeNs: Infinity, microstep: 0, cranks: reader.varint() };
    default:
      throw RangeError(`byte ${quote(byte)} names no end of a grant`);
  }
};

/**
 * @param {ByteWriter} writer
 * @param {Question} question
 */
export const writeQuestion = (writer, question) => {
  switch (question[0]) {
    case 'bringOutYourDead':
      writer.byte(1);
      break;
    case 'clock':
    case 'deadline':
      writer.byte(question[0] === 'clock' ? 2 : 3);
      writer.varint(question[1]);
      writer.varint(question[2]);
      break;
    default:
      writer.byte(0);
      writeSyscall(writer, question);
  }
};

/**
 * @param {ByteReader} reader
 * @returns {Question}
 */
export const readQuestion = reader => {
  const byte = reader.byte();
  const kind = questionKinds[byte];
  switch (kind) {
    case 'syscall':
      return readSyscall(reader);
    case 'bringOutYourDead':
      return [kind];
    case 'clock':
    case 'deadline':
      return [kind, reader.varint(), reader.varint()];
    default:
      throw RangeError(`byte ${quote(byte)} names no kind of question`);
  }
};
