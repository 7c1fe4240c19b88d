// Capdata: a body of text with references taken out of it into slots. The kernel reads slots only; the body's
// encoding belongs to the vats (smallcaps today, `@qclass` in 2020).

import { quote } from './errors.js';

/**
 * @typedef {object} CapData
 * @property {string} body
 * @property {string[]} slots  krefs on the kernel's side, vrefs on a vat's
 */

/**
 * @param {unknown} value
 * @returns {value is CapData}
 */
export const isCapData = value => {
  if (typeof value !== 'object' || value === null) return false;
  const { body, slots } = /** @type {Record<string, unknown>} */ (value);
  return (
    typeof body === 'string' &&
    Array.isArray(slots) &&
    slots.every(slot => typeof slot === 'string')
  );
};

/**
 * Throws on anything that is not capdata, such as a wrong value from a transport or a vat.
 *
 * @param {unknown} value
 * @param {string} what  names the value in the error
 * @returns {asserts value is CapData}
 */
export function insistCapData(value, what = 'capdata') {
  if (!isCapData(value)) {
    throw TypeError(`${what} must be {body: string, slots: string[]}, got ${quote(typeof value)}`);
  }
}

/**
 * The only slot of capdata that is nothing but one reference; `undefined` for other capdata. It reads both notations,
 * because a promise that settles to one object is routed to that object.
 *
 * @param {CapData} data
 * @returns {string | undefined}
 */
export const findSoleSlot = ({ body, slots }) => {
  if (slots.length !== 1) return undefined;
  if (body.startsWith('#"$0') || body.startsWith('#"&0')) {
    // `#"$0.Alleged: thing"` or `#"$0"`; the index has one digit, since there is one slot.
    const after = body[4];
    return after === '.' || after === '"' ? slots[0] : undefined;
  }
  if (body.startsWith('{"@qclass":"slot"')) return slots[0];
  return undefined;
};
