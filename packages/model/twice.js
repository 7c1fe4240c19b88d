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

const messageByte = byteOf('message');
const notifyByte = byteOf('notify');

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
 * @param {readonly Resolution[]} resolutions  in krefs
 * @param {readonly Resolution[]} inVat  the same resolutions in vrefs
 */
const writeResolutions = (both, resolutions, inVat) => {
  both.inKrefs.varint(resolutions.length);
  both.inVrefs.varint(resolutions.length);
  for (let i = 0; i < resolutions.length; i += 1) {
    both.inKrefs.text(resolutions[i][0]);
    both.inVrefs.text(inVat[i][0]);
    writeByte(both, resolutions[i][1] ? 1 : 0);
    writeData(both, resolutions[i][2], inVat[i][2]);
  }
};

/**
 * Encodes a message that is sent or delivered. The commonest kinds have functions of their own, which are faster than a
 * loop over the fields of a kind.
 *
 * @param {Both} both
 * @param {number} byte
 * @param {readonly any[]} tuple  in krefs
 * @param {readonly any[]} inVat  the same tuple in vrefs
 */
const writeMessage = (both, byte, tuple, inVat) => {
  const { inKrefs, inVrefs } = both;
  inKrefs.byte(byte);
  inVrefs.byte(byte);
  inKrefs.text(tuple[1]);
  inVrefs.text(inVat[1]);
  writeData(both, tuple[2], inVat[2]);
  inKrefs.text(tuple[3] ?? '');
  inVrefs.text(inVat[3] ?? '');
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
    writeMessage(both, messageByte, delivery, inVat);
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
      writeMessage(both, kind.byte, syscall, inVat);
      return;
    case 'resolve':
      writeByte(both, kind.byte);
      writeResolutions(both, syscall[1], /** @type {typeof syscall} */ (inVat)[1]);
      return;
    case 'subscribe':
      writeByte(both, kind.byte);
      inKrefs.text(syscall[1]);
      inVrefs.text(/** @type {typeof syscall} */ (inVat)[1]);
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
