// Deliveries go into a vat, syscalls come out. Both are plain tuples; this file says their shapes and writes
// them as bytes. One notation serves the activity hash (in krefs) and the transcripts (in vrefs).

import { quote } from './errors.js';
import { schemaVersion } from './schema.js';

/** @import { ByteReader, ByteWriter } from './bytes.js' */
/** @import { CapData } from './capdata.js' */

/** @typedef {[ref: string, rejected: boolean, data: CapData]} Resolution */

/**
 * A value that comes to a vat's reactors: the number of an input channel of the root reactor, or behind those of one of
 * its physical actions.
 *
 * @typedef {[channel: number, data: CapData]} PortValue
 */

/**
 * `none` is the delivery of a crank that reached no vat: `why` says what became of the item, `ref` names the
 * promise that it waited on or, when the kernel rejected it, its result. `react` runs what is ready of the vat's
 * reactions at a tag up to a stage: `isLast` says that the tag is the program's last, and `stages`, empty but in the
 * first one of a vat that others can reach within a tag, has the stage of each input channel.
 *
 * @typedef {['none', why: string, ref: string]
 *   | ['startVat', parameters: CapData]
 *   | ['message', target: string, methargs: CapData, result: string | null]
 *   | ['notify', resolutions: Resolution[]]
 *   | ['bringOutYourDead']
 *   | ['dropExports', refs: string[]]
 *   | ['retireExports', refs: string[]]
 *   | ['retireImports', refs: string[]]
 *   | ['stopVat', disconnect: CapData]
 *   | ['react', values: PortValue[], isLast: boolean, stages: readonly number[]]} Delivery
 */

/**
 * @typedef {['send', target: string, methargs: CapData, result: string | null]
 *   | ['subscribe', promise: string]
 *   | ['resolve', resolutions: Resolution[]]
 *   | ['exit', isFailure: boolean, info: CapData]
 *   | ['vatstoreGet', key: string]
 *   | ['vatstoreSet', key: string, value: string]
 *   | ['vatstoreDelete', key: string]
 *   | ['vatstoreGetNextKey', priorKey: string]
 *   | ['callNow', device: string, method: string, args: CapData]
 *   | ['dropImports', refs: string[]]
 *   | ['retireImports', refs: string[]]
 *   | ['retireExports', refs: string[]]
 *   | ['setPort', channel: number, data: CapData]
 *   | ['requestStop']} Syscall
 */

/**
 * An answer that the kernel gave inside the crank. Answers stand in the order of the syscalls that have one.
 *
 * @typedef {{ kind: 'value', value: string | undefined }
 *   | { kind: 'return', data: CapData }
 *   | { kind: 'throw', data: CapData }} Answer
 */

/** The position in a list is the byte that is written: entries are only ever added at the end. */
const deliveryKinds = /** @type {const} */ ([
  'none',
  'startVat',
  'message',
  'notify',
  'bringOutYourDead',
  'dropExports',
  'retireExports',
  'retireImports',
  'stopVat',
  'react',
]);

const syscallKinds = /** @type {const} */ ([
  'send',
  'subscribe',
  'resolve',
  'exit',
  'vatstoreGet',
  'vatstoreSet',
  'vatstoreDelete',
  'vatstoreGetNextKey',
  'callNow',
  'dropImports',
  'retireImports',
  'retireExports',
  'setPort',
  'requestStop',
]);

/** The bytes of those that nearly all are. */
export const messageByte = deliveryKinds.indexOf('message');
export const notifyByte = deliveryKinds.indexOf('notify');
export const sendByte = syscallKinds.indexOf('send');
export const subscribeByte = syscallKinds.indexOf('subscribe');
export const resolveByte = syscallKinds.indexOf('resolve');

/** Syscalls that get an answer while the crank runs. */
export const answeredSyscalls = Object.freeze(['vatstoreGet', 'vatstoreGetNextKey', 'callNow']);

/**
 * @param {ByteWriter} writer
 * @param {CapData} data
 */
export const writeCapData = (writer, { body, slots }) => {
  writer.text(body);
  writeTexts(writer, slots);
};

/**
 * @param {ByteReader} reader
 * @returns {CapData}
 */
export const readCapData = reader => {
  const body = reader.text();
  return { body, slots: readTexts(reader) };
};

/**
 * @param {ByteWriter} writer
 * @param {string[]} texts
 */
export const writeTexts = (writer, texts) => {
  writer.varint(texts.length);
  for (let i = 0; i < texts.length; i += 1) writer.text(texts[i]);
};

/** @param {ByteReader} reader */
const readTexts = reader => Array.from({ length: reader.varint() }, () => reader.text());

/**
 * @param {ByteWriter} writer
 * @param {Resolution[]} resolutions
 */
const writeResolutions = (writer, resolutions) => {
  writer.varint(resolutions.length);
  for (let i = 0; i < resolutions.length; i += 1) {
    // Not taken apart as a tuple: that is an iterator, which is not free in a locked-down realm.
    const resolution = resolutions[i];
    writeResolution(writer, resolution[0], resolution[1], resolution[2]);
  }
};

/**
 * @param {ByteWriter} writer
 * @param {string} ref
 * @param {boolean} rejected
 * @param {CapData} data
 */
const writeResolution = (writer, ref, rejected, data) => {
  writer.text(ref);
  writer.byte(rejected ? 1 : 0);
  writeCapData(writer, data);
};

/**
 * @param {ByteReader} reader
 * @returns {Resolution[]}
 */
const readResolutions = reader =>
  Array.from({ length: reader.varint() }, () => [
    reader.text(),
    reader.byte() === 1,
    readCapData(reader),
  ]);

/**
 * Writes a message: a target, a method and its arguments.
 *
 * @param {ByteWriter} writer
 * @param {string} target
 * @param {CapData} methargs
 * @param {string | null} result
 */
const writeMessage = (writer, target, methargs, result) => {
  writer.text(target);
  writeCapData(writer, methargs);
  writer.text(result ?? '');
};

/**
 * @param {ByteWriter} writer
 * @param {Delivery} delivery
 */
export const writeDelivery = (writer, delivery) => {
  const kind = delivery[0];
  if (kind === 'message') {
    writer.byte(messageByte);
    writeMessage(writer, delivery[1], delivery[2], delivery[3]);
    return;
  }
  if (kind === 'notify') {
    writer.byte(notifyByte);
    writeResolutions(writer, delivery[1]);
    return;
  }
  writer.byte(deliveryKinds.indexOf(kind));
  switch (kind) {
    case 'startVat':
    case 'stopVat':
      writeCapData(writer, delivery[1]);
      break;
    case 'none':
      writer.text(delivery[1]);
      writer.text(delivery[2]);
      break;
    case 'bringOutYourDead':
      break;
    case 'react':
      writeReact(writer, delivery[1], delivery[2], delivery[3]);
      break;
    default:
      writeTexts(writer, delivery[1]);
  }
};

/** Bits of the flags of a `react`. */
const lastFlag = 1;
const stagesFlag = 2;

/**
 * @param {ByteWriter} writer
 * @param {PortValue[]} values
 * @param {boolean} isLast
 * @param {readonly number[]} stages
 */
const writeReact = (writer, values, isLast, stages) => {
  writer.byte((isLast ? lastFlag : 0) | (stages.length > 0 ? stagesFlag : 0));
  writer.varint(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    writer.varint(value[0]);
    writeCapData(writer, value[1]);
  }
  if (stages.length === 0) return;
  writer.varint(stages.length);
  writer.varints(stages);
};

/**
 * @param {ByteReader} reader
 * @returns {Delivery}
 */
const readReact = reader => {
  const flags = reader.byte();
  const values = Array.from(
    { length: reader.varint() },
    () => /** @type {PortValue} */ ([reader.varint(), readCapData(reader)]),
  );
  const stages =
    (flags & stagesFlag) === 0
      ? []
      : Array.from({ length: reader.varint() }, () => reader.varint());
  return ['react', values, (flags & lastFlag) !== 0, stages];
};

/**
 * @param {ByteReader} reader
 * @returns {Delivery}
 */
export const readDelivery = reader => {
  const byte = reader.byte();
  const kind = deliveryKinds[byte];
  switch (kind) {
    case 'none':
      return [kind, reader.text(), reader.text()];
    case 'message': {
      const target = reader.text();
      const methargs = readCapData(reader);
      return [kind, target, methargs, reader.text() || null];
    }
    case 'notify':
      return [kind, readResolutions(reader)];
    case 'startVat':
    case 'stopVat':
      return [kind, readCapData(reader)];
    case 'bringOutYourDead':
      return [kind];
    case 'react':
      return readReact(reader);
    case 'dropExports':
    case 'retireExports':
    case 'retireImports':
      return [kind, readTexts(reader)];
    default:
      throw RangeError(
        `byte ${quote(byte)} names no kind of delivery in schema version ${schemaVersion}`,
      );
  }
};

/**
 * @param {ByteWriter} writer
 * @param {Syscall} syscall
 */
export const writeSyscall = (writer, syscall) => {
  const kind = syscall[0];
  if (kind === 'send') {
    writer.byte(sendByte);
    writeMessage(writer, syscall[1], syscall[2], syscall[3]);
    return;
  }
  if (kind === 'subscribe') {
    writer.byte(subscribeByte);
    writer.text(syscall[1]);
    return;
  }
  if (kind === 'resolve') {
    writer.byte(resolveByte);
    writeResolutions(writer, syscall[1]);
    return;
  }
  writer.byte(syscallKinds.indexOf(kind));
  switch (kind) {
    case 'vatstoreGet':
    case 'vatstoreDelete':
    case 'vatstoreGetNextKey':
      writer.text(syscall[1]);
      break;
    case 'exit':
      writer.byte(syscall[1] ? 1 : 0);
      writeCapData(writer, syscall[2]);
      break;
    case 'vatstoreSet':
      writer.text(syscall[1]);
      writer.text(syscall[2]);
      break;
    case 'callNow':
      writer.text(syscall[1]);
      writer.text(syscall[2]);
      writeCapData(writer, syscall[3]);
      break;
    case 'setPort':
      writer.varint(syscall[1]);
      writeCapData(writer, syscall[2]);
      break;
    case 'requestStop':
      break;
    default:
      writeTexts(writer, syscall[1]);
  }
};

/**
 * @param {ByteReader} reader
 * @returns {Syscall}
 */
export const readSyscall = reader => {
  const byte = reader.byte();
  const kind = syscallKinds[byte];
  switch (kind) {
    case 'send': {
      const target = reader.text();
      const methargs = readCapData(reader);
      return [kind, target, methargs, reader.text() || null];
    }
    case 'subscribe':
    case 'vatstoreGet':
    case 'vatstoreDelete':
    case 'vatstoreGetNextKey':
      return [kind, reader.text()];
    case 'resolve':
      return [kind, readResolutions(reader)];
    case 'exit':
      return [kind, reader.byte() === 1, readCapData(reader)];
    case 'vatstoreSet':
      return [kind, reader.text(), reader.text()];
    case 'callNow':
      return [kind, reader.text(), reader.text(), readCapData(reader)];
    case 'setPort':
      return [kind, reader.varint(), readCapData(reader)];
    case 'requestStop':
      return [kind];
    case 'dropImports':
    case 'retireImports':
    case 'retireExports':
      return [kind, readTexts(reader)];
    default:
      throw RangeError(`byte ${quote(byte)} names no syscall in schema version ${schemaVersion}`);
  }
};

/**
 * @param {ByteWriter} writer
 * @param {Answer} answer
 */
export const writeAnswer = (writer, answer) => {
  switch (answer.kind) {
    case 'value':
      writer.byte(answer.value === undefined ? 0 : 1);
      if (answer.value !== undefined) writer.text(answer.value);
      break;
    default:
      writer.byte(answer.kind === 'return' ? 2 : 3);
      writeCapData(writer, answer.data);
  }
};

/**
 * @param {ByteReader} reader
 * @returns {Answer}
 */
export const readAnswer = reader => {
  const byte = reader.byte();
  switch (byte) {
    case 0:
      return { kind: 'value', value: undefined };
    case 1:
      return { kind: 'value', value: reader.text() };
    case 2:
    case 3:
      return { kind: byte === 2 ? 'return' : 'throw', data: readCapData(reader) };
    default:
      throw RangeError(`byte ${quote(byte)} names no answer in schema version ${schemaVersion}`);
  }
};
