// The messages between a leader and a host over a link. Deliveries, answers and results are the frames of worker
// threads (packages/transport); the other messages are about the places of vats.
//
//   to a host    0 a request's frame | 1 restore: vat, description, transcript | 2 seen: number and hash of a record
//                | 3 answer: vat, answer to what it has asked | 4 catch up: vat, the rest of its transcript
//                | 5 go ahead: state | 6 input: crank, kind, vat, data | 7 taken: cranks | 8 stay behind | 9 next: frame of a later delivery
//   to a leader  0 a report's frame | 1 made, or caught up: vat, problem or '', a user's u8, has rounds u8 | 2 told: its frame
//                3 ended: reason, vat at work or '', all vats of the thread | 4 diverged: vat, difference
//                | 5 working: all vats that have not answered yet | 6 begun ahead: vat, digest of its delivery
//                | 7 behind: why it runs nothing ahead any more
//
// Before there is a link, messages are JSON: `hello`, `welcome`, `refuse`, `gone`, `replaced`, `bye`; to all hosts,
// `leader` and `over`.

import zlib from 'node:zlib';
import { ByteReader, ByteWriter, readAnswer, writeAnswer } from '#model';
import { digestBytes, readReport, readRequest, writeReport, writeRequest } from '#transport';

/** @import { Answer } from '#model' */
/** @import { ProvideReport, Question, Report, Request } from '#transport' */

/** Bound on the vats of a thread. */
const mostVats = 100_000;

/** Unknown, no, yes. @type {readonly (boolean | null)[]} */
const maybes = [null, false, true];

/** Bound on the bytes of a JSON message. */
const mostJsonBytes = 256 * 1024;

/**
 * @typedef {{ kind: 'request', request: Request }
 *   | { kind: 'restore', vatId: string, description: string, transcript: Uint8Array }
 *   | { kind: 'seen', seq: number, hash: string, proof: string }
 *   | { kind: 'answer', vatId: string, answer: Answer }
 *   | { kind: 'catchUp', vatId: string, transcript: Uint8Array }
 *   | { kind: 'goAhead', state: Uint8Array }
 *   | { kind: 'input', crank: number, input: string, vat: string, data: string }
 *   | { kind: 'taken', cranks: number }
 *   | { kind: 'stayBehind' }
 *   | { kind: 'next', request: Extract<Request, { kind: 'deliver' }> }} ToHost
 */

/**
 * @typedef {{ kind: 'report', report: Report }
 *   | { kind: 'made', vatId: string, problem: string, isUsers: boolean, hasRounds: boolean | null }
 *   | { kind: 'told', vatId: string, question: Question, answer: Answer }
 *   | { kind: 'ended', reason: string, atWork: string, vatIds: string[] }
 *   | { kind: 'diverged', vatId: string, difference: string }
 *   | { kind: 'working', vatIds: string[] }
 *   | { kind: 'begun', vatId: string, digest: Uint8Array }
 *   | { kind: 'behind', reason: string }} ToLeader
 */

const toHostKinds = /** @type {const} */ ([
  'request',
  'restore',
  'seen',
  'answer',
  'catchUp',
  'goAhead',
  'input',
  'taken',
  'stayBehind',
  'next',
]);
const toLeaderKinds = /** @type {const} */ ([
  'report',
  'made',
  'told',
  'ended',
  'diverged',
  'working',
  'begun',
  'behind',
]);

const frame = new ByteWriter();

/** @param {ToHost} message @returns {Uint8Array} */
export const writeToHost = message => {
  const writer = new ByteWriter(256);
  writer.byte(toHostKinds.indexOf(message.kind));
  switch (message.kind) {
    case 'next':
    case 'request':
      writeRequest(frame, message.request);
      writer.raw(frame.view());
      break;
    case 'restore':
      writer.text(message.vatId);
      writer.text(message.description);
      writer.raw(message.transcript);
      break;
    case 'answer':
      writer.text(message.vatId);
      writeAnswer(writer, message.answer);
      break;
    case 'catchUp':
      writer.text(message.vatId);
      writer.raw(message.transcript);
      break;
    case 'goAhead':
      writer.raw(message.state);
      break;
    case 'input':
      writer.varint(message.crank);
      writer.text(message.input);
      writer.text(message.vat);
      writer.text(message.data);
      break;
    case 'taken':
      writer.varint(message.cranks);
      break;
    case 'stayBehind':
      break;
    default:
      writer.varint(message.seq);
      writer.text(message.hash);
      writer.text(message.proof);
  }
  return writer.view();
};

/**
 * Read bytes of another machine. Readers throw many kinds of errors for malformed bytes; this turns all into one.
 *
 * @template T
 * @param {Uint8Array} bytes
 * @param {(bytes: Uint8Array) => T} read
 * @returns {T}
 * @throws {RangeError} for malformed bytes; no other error
 */
const readStrictly = (bytes, read) => {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw RangeError(`a malformed message: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
};

/** @param {ByteReader} reader */
const insistEnd = reader => {
  if (!reader.done) throw RangeError(`a message goes on behind its end, at byte ${reader.at}`);
};

/** @param {Uint8Array} bytes @returns {ToHost} @throws {RangeError} */
export const readToHost = bytes => readStrictly(bytes, readToHostFields);

/** @param {Uint8Array} bytes @returns {ToHost} */
const readToHostFields = bytes => {
  const reader = new ByteReader(bytes);
  const kind = toHostKinds[reader.byte()];
  switch (kind) {
    case 'request':
      return { kind, request: readRequest(bytes.subarray(reader.at)) };
    case 'restore': {
      const [vatId, description] = [reader.text(), reader.text()];
      return { kind, vatId, description, transcript: bytes.subarray(reader.at) };
    }
    case 'seen': {
      const seen = { seq: reader.varint(), hash: reader.text(), proof: reader.text() };
      insistEnd(reader);
      return { kind, ...seen };
    }
    case 'answer': {
      const [vatId, answer] = [reader.text(), readAnswer(reader)];
      insistEnd(reader);
      return { kind, vatId, answer };
    }
    case 'catchUp': {
      const vatId = reader.text();
      return { kind, vatId, transcript: bytes.subarray(reader.at) };
    }
    case 'goAhead':
      return { kind, state: bytes.subarray(reader.at) };
    case 'input': {
      const crank = reader.varint();
      const [input, vat, data] = [reader.text(), reader.text(), reader.text()];
      insistEnd(reader);
      return { kind, crank, input, vat, data };
    }
    case 'taken': {
      const cranks = reader.varint();
      insistEnd(reader);
      return { kind, cranks };
    }
    case 'stayBehind':
      insistEnd(reader);
      return { kind };
    case 'next': {
      const request = readRequest(bytes.subarray(reader.at));
      if (request.kind !== 'deliver')
        throw RangeError(`a request ${request.kind} as the next delivery`);
      return { kind, request };
    }
    default:
      throw RangeError('a message of no kind that a host knows');
  }
};

/** @param {ToLeader} message @returns {Uint8Array} */
export const writeToLeader = message => {
  const writer = new ByteWriter(256);
  writer.byte(toLeaderKinds.indexOf(message.kind));
  switch (message.kind) {
    case 'report':
      writeReport(frame, message.report);
      writer.raw(frame.view());
      break;
    case 'made':
      writer.text(message.vatId);
      writer.text(message.problem);
      writer.byte(message.isUsers ? 1 : 0);
      writer.byte(maybes.indexOf(message.hasRounds));
      break;
    case 'told':
      writeReport(frame, message);
      writer.raw(frame.view());
      break;
    case 'ended':
      writer.text(message.reason);
      writer.text(message.atWork);
      writer.varint(message.vatIds.length);
      for (const vatId of message.vatIds) writer.text(vatId);
      break;
    case 'working':
      writer.varint(message.vatIds.length);
      for (const vatId of message.vatIds) writer.text(vatId);
      break;
    case 'begun':
      writer.text(message.vatId);
      writer.raw(message.digest);
      break;
    case 'behind':
      writer.text(message.reason);
      break;
    default:
      writer.text(message.vatId);
      writer.text(message.difference);
  }
  return writer.view();
};

/** @param {ByteReader} reader @param {number} count  number of values */
const readCode = (reader, count) => {
  const byte = reader.byte();
  if (byte >= count) throw RangeError(`byte ${byte} is none of ${count} values`);
  return byte;
};

/** @param {Uint8Array} bytes @param {ProvideReport} [provide] @returns {ToLeader} @throws {RangeError} */
export const readToLeader = (bytes, provide) =>
  readStrictly(bytes, () => readToLeaderFields(bytes, provide));

/** @param {Uint8Array} bytes @param {ProvideReport} [provide] @returns {ToLeader} */
const readToLeaderFields = (bytes, provide) => {
  const reader = new ByteReader(bytes);
  const message = readFields(reader, bytes, provide);
  if (message.kind !== 'report') insistEnd(reader);
  return message;
};

/** @param {ByteReader} reader @param {Uint8Array} bytes @param {ProvideReport} [provide] @returns {ToLeader} */
const readFields = (reader, bytes, provide) => {
  const kind = toLeaderKinds[reader.byte()];
  switch (kind) {
    case 'report':
      return { kind, report: readReport(bytes.subarray(reader.at), provide) };
    case 'made':
      return {
        ...{ kind, vatId: reader.text(), problem: reader.text() },
        ...{ isUsers: readCode(reader, 2) === 1, hasRounds: maybes[readCode(reader, 3)] },
      };
    case 'told': {
      const report = readReport(reader.raw(bytes.length - reader.at));
      if (report.kind !== 'told') throw RangeError(`a report ${report.kind} in place of told`);
      return report;
    }
    case 'ended': {
      const [reason, atWork] = [reader.text(), reader.text()];
      const count = reader.varint();
      if (count > mostVats) throw RangeError(`a thread with ${count} vats`);
      const vatIds = Array.from({ length: count }, () => reader.text());
      return { kind, reason, atWork, vatIds };
    }
    case 'diverged':
      return { kind, vatId: reader.text(), difference: reader.text() };
    case 'working': {
      const count = reader.varint();
      if (count > mostVats) throw RangeError(`a host with ${count} vats at work`);
      return { kind, vatIds: Array.from({ length: count }, () => reader.text()) };
    }
    case 'begun':
      return { kind, vatId: reader.text(), digest: reader.raw(digestBytes) };
    case 'behind':
      return { kind, reason: reader.text() };
    default:
      throw RangeError('a message of no kind that a leader knows');
  }
};

/** The last property is the CRC-32 of the text without it. */
const sumPattern = /,"sum":(\d{1,10})\}$/;

/** @param {object} value  has a property */
export const writeJson = value => {
  const text = JSON.stringify(value);
  return Uint8Array.from(Buffer.from(`${text.slice(0, -1)},"sum":${zlib.crc32(text)}}`));
};

/**
 * Read a JSON message. Other versions of the package send no sum; their messages are read, so that they can be refused.
 *
 * @param {Uint8Array} bytes
 * @returns {Record<string, unknown> | undefined} undefined if they are too many, damaged, or not JSON of an object
 */
export const readJson = bytes => {
  if (bytes[0] !== 0x7b || bytes.length > mostJsonBytes) return undefined;
  try {
    const text = Buffer.from(bytes).toString();
    const sum = sumPattern.exec(text);
    if (sum === null) return JSON.parse(text);
    const whole = `${text.slice(0, sum.index)}}`;
    return zlib.crc32(whole) === Number(sum[1]) ? JSON.parse(whole) : undefined;
  } catch {
    return undefined;
  }
};
