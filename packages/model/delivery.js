// Deliveries go into a vat, syscalls come out. Both are plain tuples; this file defines their shapes and encodes them
// as bytes. One notation serves the activity hash (in krefs) and the transcripts (in vrefs).

import { Fail, quote } from './errors.js';
import { deliveryKinds, findDeliveryKind, findSyscallKind, syscallKinds } from './kinds.js';
import { schemaVersion } from './schema.js';

/** @import { ByteReader, ByteWriter } from './bytes.js' */
/** @import { CapData } from './capdata.js' */
/** @import { Kind } from './kinds.js' */

/** @typedef {[ref: string, rejected: boolean, data: CapData]} Resolution */

/**
 * A value for a vat's reactors. Channels are the input channels of the root reactor, followed by its physical actions.
 *
 * @typedef {[channel: number, data: CapData]} PortValue
 */

/**
 * `none` is the delivery of a crank that reached no vat: `why` says what became of the item, `ref` names the promise
 * that it waited on or, if the kernel rejected it, its result. `react` runs the vat's ready reactions at a tag up to a
 * stage: `isLast` says that the tag is the program's last, and `stages` has the stage of each input channel, in the
 * first `react` of a vat that others can reach within a tag; otherwise it is empty.
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
 *   | ['requestStop']
 *   | ['abandonExports', refs: string[]]} Syscall
 */

/**
 * An answer that the kernel gave inside the crank. Answers are in the order of the syscalls that have one.
 *
 * @typedef {{ kind: 'value', value: string | undefined }
 *   | { kind: 'return', data: CapData }
 *   | { kind: 'throw', data: CapData }} Answer
 */

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
const readTexts = reader => {
  // A loop, since `Array.from` is slow (docs/v8-in-a-locked-down-realm.md).
  const texts = [];
  for (let left = reader.varint(); left > 0; left -= 1) texts.push(reader.text());
  return texts;
};

/**
 * @param {ByteWriter} writer
 * @param {Resolution[]} resolutions
 */
const writeResolutions = (writer, resolutions) => {
  writer.varint(resolutions.length);
  for (let i = 0; i < resolutions.length; i += 1) {
    // Not taken apart as a tuple: that uses an iterator, which is slow in a locked-down realm.
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
const readResolutions = reader => {
  /** @type {Resolution[]} */
  const resolutions = [];
  for (let left = reader.varint(); left > 0; left -= 1)
    resolutions.push([reader.text(), reader.byte() === 1, readCapData(reader)]);
  return resolutions;
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

const fieldsOf = (/** @type {Kind | undefined} */ kind) => /** @type {Kind} */ (kind).fields;

const portFields = fieldsOf(findSyscallKind('setPort'));
const reactFields = fieldsOf(findDeliveryKind('react'));

/**
 * Encodes a delivery or a syscall: its kind, then its fields.
 *
 * @param {ByteWriter} writer
 * @param {Kind} kind  its own
 * @param {readonly any[]} tuple
 */
export const writeFields = (writer, { byte, fields }, tuple) => {
  writer.byte(byte);
  // Fast path for the fields of nearly every crank of reactors.
  if (fields === portFields) {
    writer.varint(tuple[1]);
    writeCapData(writer, tuple[2]);
    return;
  }
  if (fields === reactFields) {
    writeReact(writer, tuple[1], tuple[2], tuple[3]);
    return;
  }
  for (let i = 0; i < fields.length; i += 1) {
    const value = tuple[i + 1];
    switch (fields[i]) {
      case 'ref':
      case 'text':
        writer.text(value);
        break;
      case 'result':
        writer.text(value ?? '');
        break;
      case 'data':
        writeCapData(writer, value);
        break;
      case 'resolutions':
        writeResolutions(writer, value);
        break;
      case 'refs':
        writeTexts(writer, value);
        break;
      case 'flag':
        writer.byte(value ? 1 : 0);
        break;
      default:
        writer.varint(value);
    }
  }
};

/**
 * @param {ByteReader} reader
 * @param {Kind} kind
 * @returns {any} the tuple
 */
const readFields = (reader, { name, fields }) => {
  if (name === 'react') return readReact(reader);
  const tuple = /** @type {any[]} */ ([name]);
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i];
    if (field === 'data') tuple.push(readCapData(reader));
    else if (field === 'resolutions') tuple.push(readResolutions(reader));
    else if (field === 'refs') tuple.push(readTexts(reader));
    else if (field === 'flag') tuple.push(reader.byte() === 1);
    else if (field === 'number') tuple.push(reader.varint());
    else tuple.push(field === 'result' ? reader.text() || null : reader.text());
  }
  return tuple;
};

/**
 * @param {ByteWriter} writer
 * @param {Delivery} delivery
 */
export const writeDelivery = (writer, delivery) =>
  writeFields(
    writer,
    findDeliveryKind(delivery[0]) ?? Fail`no such delivery: ${quote(delivery[0])}`,
    delivery,
  );

/**
 * @param {ByteReader} reader
 * @returns {Delivery}
 */
export const readDelivery = reader => {
  const byte = reader.byte();
  const kind = deliveryKinds[byte];
  if (kind === undefined)
    throw RangeError(
      `byte ${quote(byte)} names no kind of delivery in schema version ${schemaVersion}`,
    );
  return readFields(reader, kind);
};

/**
 * @param {ByteWriter} writer
 * @param {Syscall} syscall
 */
export const writeSyscall = (writer, syscall) =>
  writeFields(
    writer,
    findSyscallKind(syscall[0]) ?? Fail`no such syscall: ${quote(syscall[0])}`,
    syscall,
  );

/**
 * @param {ByteReader} reader
 * @returns {Syscall}
 */
export const readSyscall = reader => {
  const byte = reader.byte();
  const kind = syscallKinds[byte];
  if (kind === undefined)
    throw RangeError(`byte ${quote(byte)} names no syscall in schema version ${schemaVersion}`);
  return readFields(reader, kind);
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
