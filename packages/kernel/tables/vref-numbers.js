// The numbers of the references that the kernel allocates in a vat.

import { decimal, isDeviceKref, isPromiseKref, keepShape } from '#model';
import { Row } from './journal.js';
import { parseCount } from './row-fields.js';

/** The next numbers of the references that the kernel allocates in a vat; the first are SwingSet's. */
export class Numbering extends Row {
  nextObject = 50;

  nextPromise = 60;

  nextDevice = 70;

  /** `nextObject` when the vat was last asked for its dead references. */
  seenObjects = 50;

  save() {
    return new SavedNumbering(this);
  }
}

/** A saved copy of a numbering. */
class SavedNumbering {
  /** @param {Numbering} row */
  constructor(row) {
    this.row = row;
    this.nextObject = row.nextObject;
    this.nextPromise = row.nextPromise;
    this.nextDevice = row.nextDevice;
    this.seenObjects = row.seenObjects;
  }

  undo() {
    this.row.nextObject = this.nextObject;
    this.row.nextPromise = this.nextPromise;
    this.row.nextDevice = this.nextDevice;
    this.row.seenObjects = this.seenObjects;
  }
}

keepShape(new Numbering().save());

/**
 * @param {string} prefix  of the row's key
 * @returns {import('./journal.js').Codec<Numbering>}
 */
export const numberingCodec = prefix => ({
  prefix,
  format: ({ nextObject, nextPromise, nextDevice, seenObjects }) =>
    `${decimal(nextObject)} ${decimal(nextPromise)} ${nextDevice} ${decimal(seenObjects)}`,
  parse: text => {
    const numbers = text.split(' ').map(parseCount);
    if (numbers.length !== 4) throw Error('it must hold four numbers');
    const [nextObject, nextPromise, nextDevice, seenObjects] = numbers;
    return Object.assign(new Numbering(), { nextObject, nextPromise, nextDevice, seenObjects });
  },
});

/** @typedef {{ nextObject: number, nextPromise: number, nextDevice: number }} Numbers */

const first = Object.freeze(new Numbering());

/**
 * How many references of each kind the kernel has allocated in a vat.
 *
 * @param {Numbers} numbers
 */
export const countGiven = ({ nextObject, nextPromise, nextDevice }) => ({
  objects: nextObject - first.nextObject,
  promises: nextPromise - first.nextPromise,
  devices: nextDevice - first.nextDevice,
});

/**
 * @param {string} kref
 * @param {Numbers} numbers
 */
export const nextNumber = (kref, { nextObject, nextPromise, nextDevice }) =>
  isPromiseKref(kref) ? nextPromise : isDeviceKref(kref) ? nextDevice : nextObject;

/**
 * @param {string} kref
 * @param {Numbers} numbers  counted up
 */
export const countVref = (kref, numbers) => {
  if (isPromiseKref(kref)) numbers.nextPromise += 1;
  else if (isDeviceKref(kref)) numbers.nextDevice += 1;
  else numbers.nextObject += 1;
};

/**
 * @param {string} kref
 * @param {Numbers} numbers  counted up
 */
export const nextVref = (kref, numbers) => {
  const number = nextNumber(kref, numbers);
  countVref(kref, numbers);
  if (isPromiseKref(kref)) return `p-${decimal(number)}`;
  return isDeviceKref(kref) ? `d-${number}` : `o-${decimal(number)}`;
};
