// The messages between a leader and a host over a link. Deliveries, answers and results are the frames of worker
// threads (packages/transport); the other messages are about the places of vats.
//
//   to a host    0 a request's frame | 1 restore: vat, description, store before the transcript, transcript | 2 seen: number and hash of a record
//                | 3 answer: vat, answer to what it has asked | 4 catch up: vat, the rest of its transcript
//                | 5 go ahead: state | 6 input: crank, kind, vat, data | 7 taken: cranks | 8 stay behind | 9 next: frame of a later delivery
//   to a leader  0 a report's frame | 1 made, or caught up: vat, problem or '', a user's u8, has rounds u8 | 2 told: its frame
//                3 ended: reason, vat at work or '', all vats of the thread | 4 diverged: vat, difference
//                | 5 working: batches received, all vats that have not answered yet, those that wait for an answer | 6 begun ahead: vat, digest of its delivery
//                | 7 behind: why it runs nothing ahead any more
//
// Before there is a link, messages are JSON: `hello`, `welcome`, `refuse`, `gone`, `replaced`, `bye`; to all hosts,
// `leader` and `over`.

import zlib from 'node:zlib';
import { ByteReader, ByteWriter } from '#model';
import {
  answer,
  codecOf,
  digest,
  flag,
  listKinds,
  listOf,
  malformed,
  maybe,
  number,
  readReport,
  readRequest,
  text,
  writeReport,
  writeRequest,
} from '#transport';

/** @import { Answer } from '#model' */
/** @import { Field, Kind, KindTable, ProvideReport, Question, Report, Request } from '#transport' */

/** Bound on the vats of a thread. */
const mostVats = 100_000;

/** Bound on the bytes of a JSON message. */
const mostJsonBytes = 256 * 1024;

/** Entries of the lists of a JSON message, and characters of its texts, at most. */
const mostOfEach = 1_024;

/**
 * @typedef {{ kind: 'request', request: Request }
 *   | { kind: 'restore', vatId: string, description: string, stored: readonly string[], transcript: Uint8Array }
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
 *   | { kind: 'working', received: number, vatIds: string[], asking: string[] }
 *   | { kind: 'begun', vatId: string, digest: Uint8Array }
 *   | { kind: 'behind', reason: string }} ToLeader
 */

/** @type {Field<Uint8Array>} all bytes up to the end, not copied */
const rest = {
  write: (writer, bytes) => writer.raw(bytes),
  read: reader => reader.raw(reader.bytes.length - reader.at),
};

const frame = new ByteWriter();

/** @type {Field<Request>} */
const request = {
  write(writer, value) {
    writeRequest(frame, value);
    writer.raw(frame.view());
  },
  read: (reader, message, provide) => readRequest(rest.read(reader, message, provide)),
};

/** @type {Field<Extract<Request, { kind: 'deliver' }>>} */
const nextDelivery = {
  write: request.write,
  read(reader, message, provide) {
    const next = request.read(reader, message, provide);
    if (next.kind !== 'deliver') throw RangeError(`a request ${next.kind} as the next delivery`);
    return next;
  },
};

/** @type {Field<Report>} */
const report = {
  write(writer, value) {
    writeReport(frame, value);
    writer.raw(frame.view());
  },
  read: (reader, message, provide) => readReport(rest.read(reader, message, provide), provide),
};

const vatIds = listOf(text, mostVats);

/** @type {KindTable<ToHost>} */
const toHostTable = {
  request: codecOf({ request }),
  restore: codecOf({ vatId: text, description: text, stored: listOf(text), transcript: rest }),
  seen: codecOf({ seq: number, hash: text, proof: text }),
  answer: codecOf({ vatId: text, answer }),
  catchUp: codecOf({ vatId: text, transcript: rest }),
  goAhead: codecOf({ state: rest }),
  input: codecOf({ crank: number, input: text, vat: text, data: text }),
  taken: codecOf({ cranks: number }),
  stayBehind: codecOf({}),
  next: codecOf({ request: nextDelivery }),
};

/** `told` goes as a frame. @type {KindTable<Exclude<ToLeader, { kind: 'told' }> | { kind: 'told', report: Report }>} */
const toLeaderTable = {
  report: codecOf({ report }),
  made: codecOf({ vatId: text, problem: text, isUsers: flag, hasRounds: maybe }),
  told: codecOf({ report }),
  ended: codecOf({ reason: text, atWork: text, vatIds }),
  diverged: codecOf({ vatId: text, difference: text }),
  working: codecOf({ received: number, vatIds, asking: vatIds }),
  begun: codecOf({ vatId: text, digest }),
  behind: codecOf({ reason: text }),
};

const toHostKinds = listKinds(toHostTable);
const toLeaderKinds = listKinds(toLeaderTable);

/** @template {{ kind: string }} M @param {Map<string, Kind>} kinds @param {M} message */
const writeMessage = (kinds, message) => {
  const kind = /** @type {Kind} */ (kinds.get(message.kind));
  const writer = new ByteWriter(256);
  writer.byte(kind.byte);
  kind.codec.write(writer, message);
  return writer.view();
};

/**
 * Read bytes of another machine.
 *
 * @param {Uint8Array} bytes
 * @param {readonly Kind[]} kinds
 * @param {string} whom  who gets it
 * @param {ProvideReport} [provide]
 * @throws {RangeError} for malformed bytes; no other error
 */
const readMessage = (bytes, kinds, whom, provide) => {
  try {
    const reader = new ByteReader(bytes);
    const kind = kinds[reader.byte()];
    if (kind === undefined) throw RangeError(`a message of no kind that a ${whom} knows`);
    const message = kind.codec.read(reader, kind.kind, provide);
    if (!reader.done) throw RangeError(`a message goes on behind its end, at byte ${reader.at}`);
    return message;
  } catch (error) {
    throw malformed(error, 'message');
  }
};

/** @param {ToHost} message @returns {Uint8Array} */
export const writeToHost = message => writeMessage(toHostKinds.named, message);

/** @param {Uint8Array} bytes @returns {ToHost} @throws {RangeError} */
export const readToHost = bytes => readMessage(bytes, toHostKinds.list, 'host');

/** @param {ToLeader} message @returns {Uint8Array} */
export const writeToLeader = message =>
  writeMessage(
    toLeaderKinds.named,
    message.kind === 'told' ? { kind: 'told', report: message } : message,
  );

/** @param {Uint8Array} bytes @param {ProvideReport} [provide] @returns {ToLeader} @throws {RangeError} */
export const readToLeader = (bytes, provide) => {
  const message = readMessage(bytes, toLeaderKinds.list, 'leader', provide);
  if (message.kind !== 'told') return message;
  if (message.report.kind !== 'told')
    throw RangeError(`a report ${message.report.kind} in place of told`);
  return message.report;
};

/** The last property is the CRC-32 of the text without it. */
const sumPattern = /,"sum":(\d{1,10})\}$/;

/** @param {object} value  has a property */
export const writeJson = value => {
  const text = JSON.stringify(value);
  return new Uint8Array(Buffer.from(`${text.slice(0, -1)},"sum":${zlib.crc32(text)}}`));
};

/**
 * Write a JSON message that fits, with half as many entries and characters until it does.
 *
 * @param {number} maxBytes  of a message of the cluster
 * @param {(most: number) => object} make  the message with lists of at most so many entries, and texts of about so many
 *   characters
 * @returns {Uint8Array} of at most `maxBytes`, if what has no bound in `make` fits
 */
export const writeJsonWithin = (maxBytes, make) => {
  const bound = Math.min(maxBytes, mostJsonBytes);
  for (let most = mostOfEach; ; most = Math.floor(most / 2)) {
    const bytes = writeJson(make(most));
    if (bytes.length <= bound || most === 0) return bytes;
  }
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
