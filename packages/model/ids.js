// Krefs name things in the kernel (`ko20` object, `kp40` promise, `kd30` device), vrefs name them in one vat
// (`o+0` allocated by the vat, `o-50` by the kernel). Vats are `v1`, devices `d7`. The forms are SwingSet's.
//
// An exported object's vref may also be virtual (`o+v10/3`) or durable (`o+d10/3`): kind 10, instance 3, with
// a facet behind a colon (`o+d10/3:1`). The kernel treats these as any other export.

import { quote } from './errors.js';

/** @typedef {'object' | 'promise' | 'device'} RefType */

/**
 * @typedef {object} ParsedVref
 * @property {RefType} type
 * @property {boolean} allocatedByVat
 * @property {bigint} id  the number; for a virtual or durable object the number of its kind
 * @property {'none' | 'virtual' | 'durable'} kept  where the object's data is: in the heap (`none`), or in the vat's
 *   store
 * @property {bigint} [instance]
 * @property {bigint} [facet]
 * @property {string} baseRef  the vref without its facet
 */

/** @type {Record<string, RefType>} */
const typeOfLetter = { o: 'object', p: 'promise', d: 'device' };

const vrefPattern = /^([opd])([+-])(?:([vd])?(0|[1-9]\d*))(?:\/([1-9]\d*)(?::(0|[1-9]\d*))?)?$/;

/**
 * @param {string} vref
 * @returns {ParsedVref | undefined}
 */
const findParsedVref = vref => {
  const found = vrefPattern.exec(vref);
  if (!found) return undefined;
  const [, letter, sign, keptLetter, id, instance, facet] = found;
  const kept = keptLetter === undefined ? 'none' : keptLetter === 'v' ? 'virtual' : 'durable';
  if ((kept === 'none') !== (instance === undefined)) return undefined;
  if (kept !== 'none' && (letter !== 'o' || sign !== '+')) return undefined;
  return {
    type: typeOfLetter[letter],
    allocatedByVat: sign === '+',
    id: BigInt(id),
    kept,
    ...(instance === undefined ? {} : { instance: BigInt(instance) }),
    ...(facet === undefined ? {} : { facet: BigInt(facet) }),
    baseRef: facet === undefined ? vref : vref.slice(0, vref.indexOf(':')),
  };
};

/**
 * @param {unknown} vref
 * @returns {vref is string}
 */
export const isVref = vref =>
  typeof vref === 'string' &&
  (isPlainVref(vref) || (vref.length <= maxVrefLength && findParsedVref(vref) !== undefined));

/** Characters of a vref, at most: in the store it is part of a key, and keys are bounded. */
const maxVrefLength = 100;

const zero = 48;

/**
 * Whether a text is a vref of the commonest form (a letter, a sign and a number), without parsing it.
 *
 * @param {string} vref
 */
const isPlainVref = vref => {
  const size = vref.length;
  // Within 17 characters the number is a safe integer.
  if (size < 3 || size > 17) return false;
  const letter = vref.charCodeAt(0);
  if (letter !== 111 && letter !== 112 && letter !== 100) return false;
  const sign = vref.charCodeAt(1);
  if (sign !== 43 && sign !== 45) return false;
  if (size > 3 && vref.charCodeAt(2) === zero) return false;
  for (let i = 2; i < size; i += 1) {
    const digit = vref.charCodeAt(i) - zero;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
};

/**
 * @param {string} vref
 * @returns {ParsedVref}
 * @throws {TypeError} when the text is no vref
 */
export const parseVref = vref => {
  const parsed = typeof vref === 'string' ? findParsedVref(vref) : undefined;
  if (!parsed)
    throw TypeError(`${quote(vref)} is not a vref; a vref is like "o+1", "p-60" or "o+d10/3:1"`);
  return parsed;
};

/**
 * The type of a vref by its first letter, for hot paths: the vref must be valid.
 *
 * @param {string} vref
 * @returns {RefType}
 */
export const typeOfVref = vref => {
  const letter = vref.charCodeAt(0);
  return letter === 111 ? 'object' : letter === 112 ? 'promise' : 'device';
};

const plus = 43;

/**
 * Whether the vat allocated this vref (`+`), for hot paths: the vref must be valid.
 *
 * @param {string} vref
 */
export const isAllocatedByVat = vref => vref.charCodeAt(1) === plus;

/** @param {string} kref */
export const isPromiseKref = kref => kref.charCodeAt(1) === 112;

/** @param {string} kref */
export const isObjectKref = kref => kref.charCodeAt(1) === 111;

/** @param {string} kref */
export const isDeviceKref = kref => kref.charCodeAt(1) === 100;

/**
 * Order of krefs, vat ids and device ids by their numbers: `kp9` before `kp10`, `v2` before `v10`.
 *
 * @param {string} left
 * @param {string} right
 * @returns {-1 | 0 | 1}
 */
export const compareIds = (left, right) => {
  const a = numberOfId(left);
  const b = numberOfId(right);
  return a < b ? -1 : a > b ? 1 : left < right ? -1 : left > right ? 1 : 0;
};

/**
 * The number in `v12`, `d7` or `kp40`.
 *
 * @param {string} id
 */
export const numberOfId = id => {
  // A loop for speed, since this runs in every crank; the text ends with the digits.
  let value = 0;
  for (let i = 0; i < id.length; i += 1) {
    const digit = id.charCodeAt(i) - zero;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
  }
  return value;
};
