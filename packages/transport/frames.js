// The messages between kernel and worker, as bytes: the same frames go through a ring of shared memory and, in a
// cluster, over a network. A frame begins with the version and its kind. Deliveries and syscalls are written as in a
// transcript (packages/model/delivery.js), with the vat's own references. Reading checks that every value has its type;
// a frame that is cut off, too long or of an unknown kind is a RangeError.

import {
  ByteReader,
  quote,
  readDelivery,
  readReactorReport,
  writeDelivery,
  writeReactorReport,
} from '#model';
import { escapeTexts, hasUnpaired, mayBeUnpaired, unescapeTexts } from './exact-texts.js';
import {
  answer,
  bytes,
  codecOf,
  digest,
  flag,
  listKinds,
  listOf,
  malformed,
  maybe,
  number,
  optional,
  question,
  syscall,
  text,
  when,
} from './frame-fields.js';

/** @import { Answer, ByteWriter, Delivery, Grant, ReactorReport, Syscall, When } from '#model' */
/** @import { Codec, Field, Kind, KindTable } from './frame-fields.js' */

/** Both sides must have the same version. */
export const frameVersion = 5;

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
 * The result of a vat's crank. `wantsAsking`: the vat asks for a `bringOutYourDead`. `shown` has the lines that it printed and the errors that left it, as JSON; `busyNs` is
 * the time that it took, `collections` and `collectionNs` are the engine's collections in it. `hasRounds`: whether its
 * root object has the method of rounds; null before there is a root. `reactors`: the report of a vat that has any.
 *
 * @typedef {{ kind: 'result', vatId: string, fault: string | null, isRefusal: boolean, wantsAsking: boolean, syscalls: Syscall[], answers: Answer[],
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

const texts = listOf(text);
const syscalls = listOf(syscall);
const answers = listOf(answer);

/** @type {Codec<Extract<Request, { kind: 'deliver' }>>} */
const deliver = {
  write(writer, request) {
    writer.text(request.vatId);
    when.write(writer, request.when);
    texts.write(writer, request.asked);
    writeDelivery(writer, request.delivery);
  },
  read: (reader, kind) => ({
    kind,
    vatId: reader.text(),
    when: when.read(reader),
    asked: texts.read(reader),
    delivery: readDelivery(reader),
  }),
};

/** @type {KindTable<Request>} */
const requestTable = {
  bundle: codecOf({ id: text, text, urls: text }),
  make: codecOf({ vatId: text, description: text }),
  deliver,
  answer: codecOf({ answer }),
  close: codecOf({ vatId: text }),
  hasMethod: codecOf({ vatId: text, method: text }),
  replay: codecOf({ vatId: text, entries: bytes }),
  goAhead: codecOf({ vatIds: texts, state: bytes }),
  input: codecOf({ crank: number, input: text, vat: text, data: text }),
  taken: codecOf({ cranks: number }),
  stayBehind: codecOf({}),
};

/** @type {Field<ReactorReport | null>} read into the object that `provide` returns for the frame's vat */
const reactors = optional({
  write: writeReactorReport,
  read(reader, { vatId }, provide) {
    const report = provide(vatId);
    if (report === undefined)
      throw RangeError(`a result of ${quote(vatId)} tells of reactors, and it has none`);
    readReactorReport(reader, report);
    return report;
  },
});

const fault = optional(text);

/** @type {Codec<ResultFrame>} */
const result = {
  write(writer, report) {
    writer.text(report.vatId);
    fault.write(writer, report.fault);
    flag.write(writer, report.isRefusal);
    flag.write(writer, report.wantsAsking);
    syscalls.write(writer, report.syscalls);
    answers.write(writer, report.answers);
    writer.text(report.shown);
    writer.varint(report.busyNs);
    writer.varint(report.collections);
    writer.varint(report.collectionNs);
    maybe.write(writer, report.hasRounds);
    reactors.write(writer, report.reactors);
  },
  read(reader, kind, provide) {
    const vatId = reader.text();
    return {
      kind,
      vatId,
      fault: fault.read(reader),
      isRefusal: flag.read(reader),
      wantsAsking: flag.read(reader),
      syscalls: syscalls.read(reader),
      answers: answers.read(reader),
      shown: reader.text(),
      busyNs: reader.varint(),
      collections: reader.varint(),
      collectionNs: reader.varint(),
      hasRounds: maybe.read(reader),
      reactors: reactors.read(reader, { vatId }, provide),
    };
  },
};

/** @type {KindTable<Report>} */
const reportTable = {
  result,
  question: codecOf({ vatId: text, question, earlier: syscalls }),
  hasMethod: codecOf({ isThere: flag }),
  replayed: codecOf({ vatId: text, cranks: number, problem: fault, hasRounds: maybe }),
  begun: codecOf({ vatId: text, digest }),
  told: codecOf({ vatId: text, question, answer }),
  behind: codecOf({ reason: text }),
  batch: codecOf({ frames: listOf(bytes) }),
};

const requestKinds = listKinds(requestTable);
const reportKinds = listKinds(reportTable);

/** A bit of the kind's byte: the strings of the frame are escaped (exact-texts.js). */
const escapedFlag = 0x80;

/**
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {Map<string, Kind>} kinds
 * @param {Request | Report} frame
 */
const writeFrame = (writer, kinds, frame) => {
  const { byte, codec } = /** @type {Kind} */ (kinds.get(frame.kind));
  writer.length = 0;
  writer.byte(frameVersion);
  writer.byte(byte);
  codec.write(writer, frame);
  if (!mayBeUnpaired(writer.view()) || !hasUnpaired(frame)) return;
  writer.length = 1;
  writer.byte(byte | escapedFlag);
  codec.write(writer, escapeTexts(frame));
};

/**
 * @param {Uint8Array} frame
 * @param {readonly Kind[]} kinds
 * @param {ProvideReport} [provide]
 */
const readFrame = (frame, kinds, provide) => {
  const reader = new ByteReader(frame);
  const version = reader.byte();
  if (version !== frameVersion)
    throw RangeError(`a frame of version ${quote(version)}; this program has ${frameVersion}`);
  const byte = reader.byte();
  const kind = kinds[byte & ~escapedFlag];
  if (kind === undefined) throw RangeError(`byte ${quote(byte)} names no kind of frame`);
  try {
    const message = kind.codec.read(reader, kind.kind, provide);
    if (!reader.done) throw RangeError(`a frame goes on behind its end, at byte ${reader.at}`);
    return (byte & escapedFlag) === 0 ? message : unescapeTexts(message);
  } catch (error) {
    throw malformed(error, 'frame');
  }
};

/**
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {Request} request
 */
export const writeRequest = (writer, request) => writeFrame(writer, requestKinds.named, request);

/**
 * @param {Uint8Array} frame
 * @returns {Request}
 * @throws {RangeError} it is no frame of the kernel
 */
export const readRequest = frame => readFrame(frame, requestKinds.list);

/**
 * @param {ByteWriter} writer  holds only the frame when this returns
 * @param {Report} report
 */
export const writeReport = (writer, report) => writeFrame(writer, reportKinds.named, report);

/**
 * @param {Uint8Array} frame
 * @param {ProvideReport} [provide]  default: no vat has reactors
 * @returns {Report}
 * @throws {RangeError} it is no frame of a worker, or it reports reactors that a vat does not have
 */
export const readReport = (frame, provide = () => undefined) =>
  readFrame(frame, reportKinds.list, provide);
