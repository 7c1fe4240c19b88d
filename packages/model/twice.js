// A crank as two streams have it: the activity hash, in krefs, and the vat's transcript, in vrefs. What is no reference is
// the same in both, so it is encoded once and copied. The bytes are those of `writeDelivery` and `writeSyscall`.

import { writeDelivery, writeFields, writeTexts } from './delivery.js';
import { findDeliveryKind } from './kinds.js';

/** @import { ByteWriter } from './bytes.js' */
/** @import { CapData } from './capdata.js' */
/** @import { Delivery, Resolution, Syscall } from './delivery.js' */
/** @import { Kind } from './kinds.js' */

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
 * @param {readonly Resolution[]} resolutions  in krefs
 * @param {readonly Resolution[]} inVat  the same in vrefs
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
 * A tuple whose fields are all of the kinds that nearly every crank has.
 *
 * @param {Both} both
 * @param {Kind} kind  `message`, `notify`, `send`, `subscribe`, `resolve` or `setPort`
 * @param {readonly any[]} tuple  in krefs
 * @param {readonly any[]} inVat  the same in vrefs
 */
const writeFieldsTwice = (both, { byte, fields }, tuple, inVat) => {
  writeByte(both, byte);
  for (let i = 1; i <= fields.length; i += 1) {
    const value = tuple[i];
    const vatValue = inVat[i];
    const field = fields[i - 1];
    if (field === 'data') {
      writeData(both, value, vatValue);
    } else if (field === 'resolutions') {
      writeResolutions(both, value, vatValue);
    } else if (field === 'number') {
      writeCountTwice(both, value);
    } else {
      both.inKrefs.text(value ?? '');
      both.inVrefs.text(vatValue ?? '');
    }
  }
};

/** @param {Kind} kind  whether its fields are those of `writeFieldsTwice` */
const isUsual = ({ name }) =>
  name === 'send' || name === 'subscribe' || name === 'resolve' || name === 'setPort';

/**
 * A delivery. One that names nothing is the same in both, and is encoded once.
 *
 * @param {Both} both
 * @param {Delivery} delivery  in krefs
 * @param {Delivery} inVat  the same in vrefs
 */
export const writeDeliveryTwice = (both, delivery, inVat) => {
  if (delivery[0] === 'message' || delivery[0] === 'notify') {
    const kind = /** @type {Kind} */ (findDeliveryKind(delivery[0]));
    writeFieldsTwice(both, kind, delivery, inVat);
    return;
  }
  const start = both.inKrefs.length;
  writeDelivery(both.inKrefs, delivery);
  if (delivery === inVat) both.inVrefs.copy(both.inKrefs, start, both.inKrefs.length);
  else writeDelivery(both.inVrefs, inVat);
};

/**
 * A syscall. One that names nothing is the same in both, and is encoded once.
 *
 * @param {Both} both
 * @param {Kind} kind  its own
 * @param {Syscall} syscall  in krefs
 * @param {Syscall} inVat  the same in vrefs
 */
export const writeSyscallTwice = (both, kind, syscall, inVat) => {
  if (isUsual(kind)) {
    writeFieldsTwice(both, kind, syscall, inVat);
    return;
  }
  const start = both.inKrefs.length;
  writeFields(both.inKrefs, kind, syscall);
  if (syscall === inVat) both.inVrefs.copy(both.inKrefs, start, both.inKrefs.length);
  else writeFields(both.inVrefs, kind, inVat);
};

/**
 * @param {Both} both
 * @param {number} count  of syscalls
 */
export const writeCountTwice = ({ inKrefs, inVrefs }, count) => {
  inKrefs.varint(count);
  inVrefs.varint(count);
};
