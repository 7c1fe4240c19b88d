// Encodes a crank for two streams: the activity hash, in krefs, and the vat's transcript, in vrefs. Everything except
// references is the same in both, so it is encoded once and copied. The bytes are those of `writeDelivery` and
// `writeSyscall`.

import { writeDelivery, writeFields, writeTexts } from './delivery.js';
import { findDeliveryKind } from './kinds.js';

/** @import { ByteWriter } from './bytes.js' */
/** @import { CapData } from './capdata.js' */
/** @import { Delivery, Resolution, Syscall } from './delivery.js' */
/** @import { Kind } from './kinds.js' */

const byteOf = (/** @type {string} */ name) => /** @type {Kind} */ (findDeliveryKind(name)).byte;

/** The first byte of a delivered message. */
export const messageByte = byteOf('message');

/** The first byte of a notify. */
export const notifyByte = byteOf('notify');

/**
 * @typedef {object} Both
 * @property {ByteWriter} inKrefs
 * @property {ByteWriter} inVrefs
 */

/**
 * @param {Both} both
 * @param {number} value  0 to 255
 */
const writeByte = ({ inKrefs, inVrefs }, value) => {
  inKrefs.byte(value);
  inVrefs.byte(value);
};

/**
 * @param {Both} both
 * @param {CapData} data  in krefs
 * @param {CapData} vatData  the same data in vrefs
 */
const writeData = ({ inKrefs, inVrefs }, data, vatData) => {
  const start = inKrefs.length;
  inKrefs.text(data.body);
  if (data.slots.length === 0) {
    inKrefs.byte(0);
    inVrefs.copy(inKrefs, start, inKrefs.length);
    return;
  }
  inVrefs.copy(inKrefs, start, inKrefs.length);
  writeTexts(inKrefs, data.slots);
  writeTexts(inVrefs, vatData.slots);
};

/**
 * @param {Both} both
 * @param {string} kref
 * @param {CapData} data  in krefs
 * @param {Resolution} inVat  the same resolution in vrefs
 */
const writeResolution = (both, kref, data, inVat) => {
  both.inKrefs.text(kref);
  both.inVrefs.text(inVat[0]);
  writeByte(both, inVat[1] ? 1 : 0);
  writeData(both, data, inVat[2]);
};

/**
 * @param {Both} both
 * @param {readonly Resolution[]} resolutions  in krefs
 * @param {readonly Resolution[]} inVat  the same resolutions in vrefs
 */
const writeResolutions = (both, resolutions, inVat) => {
  writeCountTwice(both, resolutions.length);
  for (let i = 0; i < resolutions.length; i += 1)
    writeResolution(both, resolutions[i][0], resolutions[i][2], inVat[i]);
};

/**
 * Encodes a message that is sent or delivered. The commonest kinds have functions of their own, which are faster than a
 * loop over the fields of a kind, and take the parts of a tuple in krefs, which most cranks need not make.
 *
 * @param {Both} both
 * @param {number} byte  of the kind
 * @param {string} target  kref
 * @param {CapData} methargs  in krefs
 * @param {string | null} result  kref
 * @param {readonly any[]} inVat  the tuple in vrefs
 */
export const writeMessageTwice = (both, byte, target, methargs, result, inVat) => {
  const { inKrefs, inVrefs } = both;
  inKrefs.byte(byte);
  inVrefs.byte(byte);
  inKrefs.text(target);
  inVrefs.text(inVat[1]);
  writeData(both, methargs, inVat[2]);
  inKrefs.text(result ?? '');
  inVrefs.text(inVat[3] ?? '');
};

/**
 * Encodes a `resolve` or a `notify` of one promise.
 *
 * @param {Both} both
 * @param {number} byte  of the kind
 * @param {string} kref  the promise
 * @param {CapData} data  in krefs
 * @param {Resolution} inVat  the resolution in vrefs
 */
export const writeSettledTwice = (both, byte, kref, data, inVat) => {
  writeByte(both, byte);
  writeByte(both, 1);
  writeResolution(both, kref, data, inVat);
};

/**
 * Encodes a `subscribe`.
 *
 * @param {Both} both
 * @param {number} byte  of the kind
 * @param {string} kref
 * @param {string} vref
 */
export const writeKrefTwice = (both, byte, kref, vref) => {
  writeByte(both, byte);
  both.inKrefs.text(kref);
  both.inVrefs.text(vref);
};

/**
 * Encodes a delivery. One without references is the same in both, and is encoded once.
 *
 * @param {Both} both
 * @param {Delivery} delivery  in krefs
 * @param {Delivery} inVat  the same delivery in vrefs
 */
export const writeDeliveryTwice = (both, delivery, inVat) => {
  if (delivery[0] === 'message') {
    writeMessageTwice(both, messageByte, delivery[1], delivery[2], delivery[3], inVat);
    return;
  }
  if (delivery[0] === 'notify') {
    writeByte(both, notifyByte);
    writeResolutions(both, delivery[1], /** @type {typeof delivery} */ (inVat)[1]);
    return;
  }
  const start = both.inKrefs.length;
  writeDelivery(both.inKrefs, delivery);
  if (delivery === inVat) both.inVrefs.copy(both.inKrefs, start, both.inKrefs.length);
  else writeDelivery(both.inVrefs, inVat);
};

/**
 * Encodes a syscall. One without references is the same in both, and is encoded once.
 *
 * @param {Both} both
 * @param {Kind} kind  its own
 * @param {Syscall} syscall  in krefs
 * @param {Syscall} inVat  the same syscall in vrefs
 */
export const writeSyscallTwice = (both, kind, syscall, inVat) => {
  const { inKrefs, inVrefs } = both;
  switch (syscall[0]) {
    case 'send':
      writeMessageTwice(both, kind.byte, syscall[1], syscall[2], syscall[3], inVat);
      return;
    case 'resolve':
      writeByte(both, kind.byte);
      writeResolutions(both, syscall[1], /** @type {typeof syscall} */ (inVat)[1]);
      return;
    case 'subscribe':
      writeKrefTwice(both, kind.byte, syscall[1], /** @type {typeof syscall} */ (inVat)[1]);
      return;
    case 'setPort':
      writeByte(both, kind.byte);
      writeCountTwice(both, syscall[1]);
      writeData(both, syscall[2], /** @type {typeof syscall} */ (inVat)[2]);
      return;
    default:
  }
  const start = inKrefs.length;
  writeFields(inKrefs, kind, syscall);
  if (syscall === inVat) inVrefs.copy(inKrefs, start, inKrefs.length);
  else writeFields(inVrefs, kind, inVat);
};

/**
 * @param {Both} both
 * @param {number} count  of syscalls
 */
export const writeCountTwice = ({ inKrefs, inVrefs }, count) => {
  inKrefs.varint(count);
  inVrefs.varint(count);
};
