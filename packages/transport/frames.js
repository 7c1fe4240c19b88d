// The messages between kernel and worker, as bytes: the same frames go through a ring of shared memory and, in a
// cluster, over a network. A frame begins with the version and its kind. Deliveries and syscalls are written as in a
// transcript (packages/model/delivery.js), with the vat's own references. Reading checks that every value has its type;
// a frame that is cut off, too long or of an unknown kind is a RangeError.

import {
  ByteReader,
  makeTag,
  quote,
  readAnswer,
  readDelivery,
  readReactorReport,
  readSyscall,
  writeAnswer,
  writeDelivery,
  writeReactorReport,
  writeSyscall,
} from '#model';
import { escapeTexts, hasUnpaired, mayBeUnpaired, unescapeTexts } from './exact-texts.js';
import {
  codeOf,
  digestBytes,
  readBytes,
  readFlag,
  readGrant,
  readList,
  readHasRounds,
  readQuestion,
  readText,
  writeBytes,
  writeGrant,
  writeList,
  writeQuestion,
  writeText,
} from './frame-fields.js';

/** @import { Answer, ByteWriter, Delivery, Grant, ReactorReport, Syscall, When } from '#model' */

/** Both sides must have the same version. */
export const frameVersion = 4;

/** Frames from the kernel. The position is the byte, so new kinds go to the end. */
const requestKinds = /** @type {const} */ ([
  'bundle',
  'make',
  'deliver',
  'answer',
  'close',
  'hasMethod',
  'replay',
  'goAhead',
  'input',
  'taken',
  'stayBehind',
]);

/** Frames from the worker, in the same way. */
const reportKinds = /** @type {const} */ ([
  'result',
  'question',
  'hasMethod',
  'replayed',
  'begun',
  'told',
  'behind',
  'batch',
]);

/**
 * `bundle`: the source of vats. `make`: creates a vat; `description` is JSON. `deliver`: a delivery; `asked` are the
 * vats that share its collection. `answer`: to the last question. `close`: the vat has ended. `hasMethod`: asks whether
 * its root has a method. `replay`: whole entries of the vat's transcript, to be replayed. `goAhead`: the thread runs
 * cranks of these vats by itself, from the kernel's state on; `input`: an input of the run behind a crank; `taken`: the
 * cranks that the kernel has applied; `stayBehind`: the thread runs nothing by itself any more.
 *
 * @typedef {{ kind: 'bundle', id: string, text: string, urls: string }
 *   | { kind: 'make', vatId: string, description: string }
 *   | { kind: 'deliver', vatId: string, when: When, asked: readonly string[], delivery: Delivery }
 *   | { kind: 'answer', answer: Answer }
 *   | { kind: 'close', vatId: string }
 *   | { kind: 'hasMethod', vatId: string, method: string }
 *   | { kind: 'replay', vatId: string, entries: Uint8Array }
 *   | { kind: 'goAhead', state: Uint8Array, vatIds: readonly string[] }
 *   | { kind: 'input', crank: number, input: string, vat: string, data: string }
 *   | { kind: 'taken', cranks: number }
 *   | { kind: 'stayBehind' }} Request
 */

/** @typedef {Syscall | ['bringOutYourDead'] | ['clock', number, number] | ['deadline', number, number]} Question */

/**
 * The result of a vat's crank. `shown` has the lines that it printed and the errors that left it, as JSON; `busyNs` is
 * the time that it took, `collections` and `collectionNs` are the engine's collections in it. `hasRounds`: whether its
 * root object has the method of rounds; null before there is a root. `reactors`: the report of a vat that has any.
 *
 * @typedef {{ kind: 'result', vatId: string, fault: string | null, isRefusal: boolean, syscalls: Syscall[], answers: Answer[],
 *   shown: string, busyNs: number, collections: number, collectionNs: number, hasRounds: boolean | null,
 *   reactors: ReactorReport | null }} ResultFrame
 */

/**
 * Returns the object into which a vat's report of its reactors is read; undefined if none is expected.
 *
 * @typedef {(vatId: string) => ReactorReport | undefined} ProvideReport
 */

/**
 * Reports of a thread that goes ahead. `begun`: it has begun a delivery, whose digest is given; `told`: a question in it
 * that it has answered itself; `behind`: why it runs nothing by itself any more.
 *
 * @typedef {{ kind: 'begun', vatId: string, digest: Uint8Array }
 *   | { kind: 'told', vatId: string, question: Question, answer: Answer }
 *   | { kind: 'behind', reason: string }} ReportAhead
 */

/**
 * `question`: `earlier` are the crank's syscalls before a device call, otherwise empty. `replayed`: the number of
 * cranks of the transcript that were replayed, and the problem that stopped the replay. `batch`: reports in one frame.
 *
 * @typedef {ResultFrame | ReportAhead
 *   | { kind: 'batch', frames: readonly Uint8Array[] }
 *   | { kind: 'question', vatId: string, question: Question, earlier: Syscall[] }
 *   | { kind: 'hasMethod', isThere: boolean }
 *   | { kind: 'replayed', vatId: string, cranks: number, problem: string | null, hasRounds: boolean | null }} Report
 */

/** A bit of the kind's byte: the strings of the frame are escaped (exact-texts.js). */
const escapedFlag = 0x80;

/**
 * @template {Request | Report} F
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {number} kind
 * @param {F} frame
 * @param {(writer: ByteWriter, frame: F) => void} writeFields
 */
const writeFrame = (writer, kind, frame, writeFields) => {
  writer.length = 0;
  writer.byte(frameVersion);
  writer.byte(kind);
  writeFields(writer, frame);
  if (!mayBeUnpaired(writer.view()) || !hasUnpaired(frame)) return;
  writer.length = 1;
  writer.byte(kind | escapedFlag);
  writeFields(writer, escapeTexts(frame));
};

/**
 * @template {string} K
 * @param {Uint8Array} bytes
 * @param {readonly K[]} kinds
 * @returns {{ reader: ByteReader, kind: K, isEscaped: boolean }}
 */
const open = (bytes, kinds) => {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== frameVersion)
    throw RangeError(`a frame of version ${quote(version)}; this program has ${frameVersion}`);
  const byte = reader.byte();
  const kind = kinds[byte & ~escapedFlag];
  if (kind === undefined) throw RangeError(`byte ${quote(byte)} names no kind of frame`);
  return { reader, kind, isEscaped: (byte & escapedFlag) !== 0 };
};

/**
 * @template T
 * @param {ByteReader} reader
 * @param {T} frame
 */
const close = (reader, frame) => {
  if (!reader.done) throw RangeError(`a frame goes on behind its end, at byte ${reader.at}`);
  return frame;
};

/**
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {Request} request
 */
export const writeRequest = (writer, request) =>
  writeFrame(writer, requestKinds.indexOf(request.kind), request, writeRequestFields);

/**
 * @param {ByteWriter} writer
 * @param {Request} request
 */
const writeRequestFields = (writer, request) => {
  switch (request.kind) {
    case 'bundle':
      writer.text(request.id);
      writer.text(request.text);
      writer.text(request.urls);
      break;
    case 'make':
      writer.text(request.vatId);
      writer.text(request.description);
      break;
    case 'deliver': {
      const { vatId, when, asked, delivery } = request;
      writer.text(vatId);
      writer.varint(when.timeNs);
      writer.varint(when.microstep);
      writer.varint(when.stage);
      writeGrant(writer, when.grant);
      writeList(writer, asked, writeText);
      writeDelivery(writer, delivery);
      break;
    }
    case 'answer':
      writeAnswer(writer, request.answer);
      break;
    case 'close':
      writer.text(request.vatId);
      break;
    case 'replay':
      writer.text(request.vatId);
      writer.varint(request.entries.length);
      writer.raw(request.entries);
      break;
    case 'goAhead':
      writeList(writer, request.vatIds, writeText);
      writer.varint(request.state.length);
      writer.raw(request.state);
      break;
    case 'input':
      writer.varint(request.crank);
      writer.text(request.input);
      writer.text(request.vat);
      writer.text(request.data);
      break;
    case 'taken':
      writer.varint(request.cranks);
      break;
    case 'stayBehind':
      break;
    default:
      writer.text(request.vatId);
      writer.text(request.method);
  }
};

/**
 * @param {Uint8Array} bytes
 * @returns {Request}
 * @throws {RangeError} it is no frame of the kernel
 */
export const readRequest = bytes => {
  const { reader, kind, isEscaped } = open(bytes, requestKinds);
  const request = readRequestOf(reader, kind);
  return isEscaped ? unescapeTexts(request) : request;
};

/**
 * @param {ByteReader} reader
 * @param {Request['kind']} kind
 * @returns {Request}
 */
const readRequestOf = (reader, kind) => {
  switch (kind) {
    case 'bundle':
      return close(reader, { kind, id: reader.text(), text: reader.text(), urls: reader.text() });
    case 'make':
      return close(reader, { kind, vatId: reader.text(), description: reader.text() });
    case 'deliver': {
      const vatId = reader.text();
      const tag = makeTag(reader.varint(), reader.varint());
      const stage = reader.varint();
      const grant = readGrant(reader);
      const { timeNs, microstep } = tag;
      const when = { timeNs, microstep, stage, ...(grant && { grant }) };
      const asked = readList(reader, readText);
      return close(reader, { kind, vatId, when, asked, delivery: readDelivery(reader) });
    }
    case 'answer':
      return close(reader, { kind, answer: readAnswer(reader) });
    case 'close':
      return close(reader, { kind, vatId: reader.text() });
    case 'replay':
      return close(reader, {
        kind,
        vatId: reader.text(),
        entries: Uint8Array.from(reader.raw(reader.varint())),
      });
    case 'goAhead':
      return close(reader, {
        kind,
        vatIds: readList(reader, readText),
        state: Uint8Array.from(reader.raw(reader.varint())),
      });
    case 'input': {
      const crank = reader.varint();
      const [input, vat, data] = [reader.text(), reader.text(), reader.text()];
      return close(reader, { kind, crank, input, vat, data });
    }
    case 'taken':
      return close(reader, { kind, cranks: reader.varint() });
    case 'stayBehind':
      return close(reader, { kind });
    default:
      return close(reader, { kind, vatId: reader.text(), method: reader.text() });
  }
};

/**
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {Report} report
 */
export const writeReport = (writer, report) =>
  writeFrame(writer, reportKinds.indexOf(report.kind), report, writeReportFields);

/**
 * @param {ByteWriter} writer
 * @param {Report} report
 */
const writeReportFields = (writer, report) => {
  switch (report.kind) {
    case 'result': {
      const { vatId, fault, isRefusal, syscalls, answers } = report;
      writer.text(vatId);
      writer.byte(fault === null ? 0 : 1);
      if (fault !== null) writer.text(fault);
      writer.byte(isRefusal ? 1 : 0);
      writeList(writer, syscalls, writeSyscall);
      writeList(writer, answers, writeAnswer);
      writer.text(report.shown);
      writer.varint(report.busyNs);
      writer.varint(report.collections);
      writer.varint(report.collectionNs);
      writer.byte(codeOf(report.hasRounds));
      writer.byte(report.reactors === null ? 0 : 1);
      if (report.reactors !== null) writeReactorReport(writer, report.reactors);
      break;
    }
    case 'question':
      writer.text(report.vatId);
      writeQuestion(writer, report.question);
      writeList(writer, report.earlier, writeSyscall);
      break;
    case 'replayed':
      writer.text(report.vatId);
      writer.varint(report.cranks);
      writer.byte(report.problem === null ? 0 : 1);
      if (report.problem !== null) writer.text(report.problem);
      writer.byte(codeOf(report.hasRounds));
      break;
    case 'begun':
      writer.text(report.vatId);
      writer.raw(report.digest);
      break;
    case 'told':
      writer.text(report.vatId);
      writeQuestion(writer, report.question);
      writeAnswer(writer, report.answer);
      break;
    case 'behind':
      writer.text(report.reason);
      break;
    case 'batch':
      writeList(writer, report.frames, writeBytes);
      break;
    default:
      writer.byte(report.isThere ? 1 : 0);
  }
};

/**
 * @param {Uint8Array} bytes
 * @param {ProvideReport} [provide]  default: no vat has reactors
 * @returns {Report}
 * @throws {RangeError} it is no frame of a worker, or it reports reactors that a vat does not have
 */
export const readReport = (bytes, provide = () => undefined) => {
  const { reader, kind, isEscaped } = open(bytes, reportKinds);
  const report = readReportOf(reader, kind, provide);
  return isEscaped ? unescapeTexts(report) : report;
};

/**
 * @param {ByteReader} reader
 * @param {string} vatId
 * @param {ProvideReport} provide
 */
const readReactors = (reader, vatId, provide) => {
  if (!readFlag(reader)) return null;
  const report = provide(vatId);
  if (report === undefined)
    throw RangeError(`a result of ${quote(vatId)} tells of reactors, and it has none`);
  readReactorReport(reader, report);
  return report;
};

/**
 * @param {ByteReader} reader
 * @param {Report['kind']} kind
 * @param {ProvideReport} provide
 * @returns {Report}
 */
const readReportOf = (reader, kind, provide) => {
  switch (kind) {
    case 'result': {
      const vatId = reader.text();
      return close(reader, {
        kind,
        vatId,
        fault: readFlag(reader) ? reader.text() : null,
        isRefusal: readFlag(reader),
        syscalls: readList(reader, readSyscall),
        answers: readList(reader, readAnswer),
        shown: reader.text(),
        busyNs: reader.varint(),
        collections: reader.varint(),
        collectionNs: reader.varint(),
        hasRounds: readHasRounds(reader),
        reactors: readReactors(reader, vatId, provide),
      });
    }
    case 'question':
      return close(reader, {
        kind,
        vatId: reader.text(),
        question: readQuestion(reader),
        earlier: readList(reader, readSyscall),
      });
    case 'replayed':
      return close(reader, {
        kind,
        vatId: reader.text(),
        cranks: reader.varint(),
        problem: readFlag(reader) ? reader.text() : null,
        hasRounds: readHasRounds(reader),
      });
    case 'begun':
      return close(reader, {
        kind,
        vatId: reader.text(),
        digest: Uint8Array.from(reader.raw(digestBytes)),
      });
    case 'told':
      return close(reader, {
        kind,
        vatId: reader.text(),
        question: readQuestion(reader),
        answer: readAnswer(reader),
      });
    case 'behind':
      return close(reader, { kind, reason: reader.text() });
    case 'batch':
      return close(reader, { kind, frames: readList(reader, readBytes) });
    default:
      return close(reader, { kind, isThere: readFlag(reader) });
  }
};
