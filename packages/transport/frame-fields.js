// Kinds of messages as tables: the fields of each kind, in their order, and how each field is written and read. Frames
// (frames.js) and the messages of a cluster's hosts (packages/cluster/host-messages.js) are such kinds.

import { makeTag, quote, readAnswer, readSyscall, writeAnswer, writeSyscall } from '#model';

/** @import { Answer, ByteReader, ByteWriter, Grant, Syscall, When } from '#model' */
/** @import { Question } from './frames.js' */

/**
 * How a field is written and read. `message` holds the fields that are read before it; `provide` is the reader's own
 * argument.
 *
 * @template T
 * @typedef {object} Field
 * @property {(writer: ByteWriter, value: T) => void} write
 * @property {(reader: ByteReader, message?: any, provide?: any) => T} read
 */

/**
 * How all fields of a kind are written and read.
 *
 * @template T
 * @typedef {{ write(writer: ByteWriter, message: T): void,
 *   read(reader: ByteReader, kind: any, provide?: any): T }} Codec
 */

/**
 * A reader and writer for each kind of message. The place of a kind is its byte, so new kinds go to the end.
 *
 * @template {{ kind: string }} M
 * @typedef {{ [K in M['kind']]: Codec<Omit<Extract<M, { kind: K }>, 'kind'>> }} KindTable
 */

/** @typedef {{ kind: string, byte: number, codec: Codec<any> }} Kind */

/**
 * A codec of a table of fields, in their order. It is for kinds that few cranks have: in a locked-down realm, fields
 * that are added by name cost more than a literal (docs/v8-in-a-locked-down-realm.md).
 *
 * @template T
 * @param {{ [F in keyof T]: Field<T[F]> }} fields
 * @returns {Codec<T>}
 */
export const codecOf = fields => {
  const list = /** @type {[keyof T, Field<any>][]} */ (Object.entries(fields));
  return {
    write(writer, message) {
      for (const [name, field] of list) field.write(writer, message[name]);
    },
    read(reader, kind, provide) {
      /** @type {any} */
      const message = { kind };
      for (const [name, field] of list) message[name] = field.read(reader, message, provide);
      return message;
    },
  };
};

/**
 * @param {Record<string, Codec<any>>} table
 * @returns {{ list: Kind[], named: Map<string, Kind> }}  by their bytes, and by their names
 */
export const listKinds = table => {
  const list = Object.entries(table).map(([kind, codec], byte) => ({ kind, byte, codec }));
  return { list, named: new Map(list.map(each => [each.kind, each])) };
};

/**
 * The one error for malformed bytes. Readers throw many kinds, as for text that is not UTF-8.
 *
 * @param {unknown} error
 * @param {string} what  `frame` or `message`
 * @returns {RangeError}
 */
export const malformed = (error, what) =>
  error instanceof RangeError
    ? error
    : RangeError(`a malformed ${what}: ${/** @type {Error} */ (error).message}`, { cause: error });

/** @type {Field<string>} */
export const text = { write: (writer, value) => writer.text(value), read: reader => reader.text() };

/** @type {Field<number>} */
export const number = {
  write: (writer, value) => writer.varint(value),
  read: reader => reader.varint(),
};

/** @type {Field<Uint8Array>} a copy is read, since a frame is valid only until the next one */
export const bytes = {
  write(writer, value) {
    writer.varint(value.length);
    writer.raw(value);
  },
  read: reader => reader.raw(reader.varint()).slice(),
};

/** @type {Field<boolean>} */
export const flag = {
  write: (writer, value) => writer.byte(value ? 1 : 0),
  read(reader) {
    const byte = reader.byte();
    if (byte > 1) throw RangeError(`byte ${quote(byte)} is neither yes nor no`);
    return byte === 1;
  },
};

/** Unknown, no, yes. @type {readonly (boolean | null)[]} */
const maybes = [null, false, true];

/** @type {Field<boolean | null>} */
export const maybe = {
  write: (writer, value) => writer.byte(maybes.indexOf(value)),
  read(reader) {
    const byte = reader.byte();
    if (byte >= maybes.length)
      throw RangeError(`byte ${quote(byte)} is neither yes, nor no, nor unknown`);
    return maybes[byte];
  },
};

/**
 * @template T
 * @param {Field<T>} field
 * @returns {Field<T | null>}
 */
export const optional = ({ write, read }) => ({
  write(writer, value) {
    writer.byte(value === null ? 0 : 1);
    if (value !== null) write(writer, value);
  },
  read: (reader, message, provide) =>
    flag.read(reader, message, provide) ? read(reader, message, provide) : null,
});

/**
 * @template T
 * @param {Field<T>} field  of each
 * @param {number} [most]  values; more are a RangeError
 * @returns {{ write: Field<readonly T[]>['write'], read: Field<T[]>['read'] }}
 */
export const listOf = ({ write, read }, most = Infinity) => ({
  write(writer, list) {
    writer.varint(list.length);
    for (let i = 0; i < list.length; i += 1) write(writer, list[i]);
  },
  read(reader, message, provide) {
    const list = [];
    const count = reader.varint();
    if (count > most) throw RangeError(`a list of ${quote(count)} values; ${most} are the most`);
    for (let left = count; left > 0; left -= 1) list.push(read(reader, message, provide));
    return list;
  },
});

/** @type {Field<Syscall>} */
export const syscall = { write: writeSyscall, read: readSyscall };

/** @type {Field<Answer>} */
export const answer = { write: writeAnswer, read: readAnswer };

/** Bytes of the digest of a delivery that was begun ahead of the kernel. */
export const digestBytes = 16;

/** Questions of a vat in a crank; the rest are syscalls. */
const questionKinds = /** @type {const} */ (['syscall', 'bringOutYourDead', 'clock', 'deadline']);

/** @type {Field<Uint8Array>} */
export const digest = {
  write: (writer, value) => writer.raw(value),
  read: reader => Uint8Array.from(reader.raw(digestBytes)),
};

/** The ends of a grant, by the byte before it: no grant, until a tag, or without end. */
const grantEnds = /** @type {const} */ (['none', 'tag', 'open']);

/** @param {ByteWriter} writer @param {Grant | null} [grant] */
const writeGrant = (writer, grant = null) => {
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
const readGrant = reader => {
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
const writeQuestion = (writer, question) => {
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
const readQuestion = reader => {
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

/** @type {Field<Question>} */
export const question = { write: writeQuestion, read: readQuestion };

/** @type {Field<When>} */
export const when = {
  write(writer, { timeNs, microstep, stage, grant }) {
    writer.varint(timeNs);
    writer.varint(microstep);
    writer.varint(stage);
    writeGrant(writer, grant);
  },
  read(reader) {
    const { timeNs, microstep } = makeTag(reader.varint(), reader.varint());
    const stage = reader.varint();
    const grant = readGrant(reader);
    return { timeNs, microstep, stage, ...(grant && { grant }) };
  },
};
