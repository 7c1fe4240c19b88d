// A crank as two streams have it: the activity hash, in krefs, and the vat's transcript, in vrefs. What is no reference is
// the same in both, so it is encoded once and copied. The bytes are those of `writeDelivery`, `writeSyscall` and
// `writeTranscriptEntry`, for what nearly all cranks are made of.

import {
  messageByte,
  notifyByte,
  resolveByte,
  sendByte,
  subscribeByte,
  writeDelivery,
  writeSyscall,
  writeTexts,
} from './delivery.js';

/** @import { ByteWriter } from './bytes.js' */
/** @import { CapData } from './capdata.js' */
/** @import { Delivery, Resolution, Syscall } from './delivery.js' */

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
 * @param {CapData} vatData  the same in vrefs
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
 * @param {string} target  in krefs, as the following
 * @param {CapData} methargs
 * @param {string | null} result
 * @param {Extract<Delivery, ['message', ...any]> | Extract<Syscall, ['send', ...any]>} inVat  the same in vrefs
 */
const writeMessage = (both, target, methargs, result, inVat) => {
  both.inKrefs.text(target);
  both.inVrefs.text(inVat[1]);
  writeData(both, methargs, inVat[2]);
  both.inKrefs.text(result ?? '');
  both.inVrefs.text(inVat[3] ?? '');
};

/**
 * @param {Both} both
 * @param {string} kref
 * @param {CapData} data  in krefs
 * @param {Resolution} inVat  the same in vrefs
 */
const writeResolution = (both, kref, data, inVat) => {
  writeByte(both, 1);
  both.inKrefs.text(kref);
  both.inVrefs.text(inVat[0]);
  writeByte(both, inVat[1] ? 1 : 0);
  writeData(both, data, inVat[2]);
};

/**
 * The delivery of a message.
 *
 * @param {Both} both
 * @param {string} target  in krefs, as the following
 * @param {CapData} methargs
 * @param {string | null} result
 * @param {Extract<Delivery, ['message', ...any]>} inVat  the same in vrefs
 */
export const writeMessageTwice = (both, target, methargs, result, inVat) => {
  writeByte(both, messageByte);
  writeMessage(both, target, methargs, result, inVat);
};

/**
 * Any delivery. One that names nothing is the same in both, and is encoded once.
 *
 * @param {Both} both
 * @param {Delivery} delivery  in krefs
 * @param {Delivery} inVat  the same in vrefs
 */
export const writeDeliveryTwice = (both, delivery, inVat) => {
  if (delivery[0] === 'message' && inVat[0] === 'message') {
    writeMessageTwice(both, delivery[1], delivery[2], delivery[3], inVat);
  } else if (delivery[0] === 'notify' && inVat[0] === 'notify' && delivery[1].length === 1) {
    writeNotifyTwice(both, delivery[1][0][0], delivery[1][0][2], inVat[1][0]);
  } else {
    const start = both.inKrefs.length;
    writeDelivery(both.inKrefs, delivery);
    if (delivery === inVat) both.inVrefs.copy(both.inKrefs, start, both.inKrefs.length);
    else writeDelivery(both.inVrefs, inVat);
  }
};

/**
 * Any syscall.
 *
 * @param {Both} both
 * @param {Syscall} syscall  in krefs
 * @param {Syscall} inVat  the same in vrefs
 */
export const writeSyscallTwice = (both, syscall, inVat) => {
  const start = both.inKrefs.length;
  writeSyscall(both.inKrefs, syscall);
  if (syscall === inVat) both.inVrefs.copy(both.inKrefs, start, both.inKrefs.length);
  else writeSyscall(both.inVrefs, inVat);
};

/**
 * The delivery of a notify of one promise.
 *
 * @param {Both} both
 * @param {string} kref
 * @param {CapData} data  in krefs
 * @param {Resolution} inVat  the same in vrefs
 */
export const writeNotifyTwice = (both, kref, data, inVat) => {
  writeByte(both, notifyByte);
  writeResolution(both, kref, data, inVat);
};

/**
 * @param {Both} both
 * @param {number} count  of syscalls
 */
export const writeCountTwice = ({ inKrefs, inVrefs }, count) => {
  inKrefs.varint(count);
  inVrefs.varint(count);
};

/**
 * The syscall `send`.
 *
 * @param {Both} both
 * @param {string} target  in krefs, as the following
 * @param {CapData} methargs
 * @param {string | null} result
 * @param {Extract<Syscall, ['send', ...any]>} inVat  the same in vrefs
 */
export const writeSendTwice = (both, target, methargs, result, inVat) => {
  writeByte(both, sendByte);
  writeMessage(both, target, methargs, result, inVat);
};

/**
 * The syscall `subscribe`.
 *
 * @param {Both} both
 * @param {string} kref
 * @param {string} vref
 */
export const writeSubscribeTwice = (both, kref, vref) => {
  writeByte(both, subscribeByte);
  both.inKrefs.text(kref);
  both.inVrefs.text(vref);
};

/**
 * The syscall `resolve` of one promise.
 *
 * @param {Both} both
 * @param {string} kref
 * @param {CapData} data  in krefs
 * @param {Resolution} inVat  the same in vrefs
 */
export const writeResolveTwice = (both, kref, data, inVat) => {
  writeByte(both, resolveByte);
  writeResolution(both, kref, data, inVat);
};
