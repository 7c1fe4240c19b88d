// Bounds on the size of what a vat says. Within them every record of it can be made and written: a string of the engine
// holds 2^29 characters, and JSON makes up to six of a control character.

import { quote } from '#model';

/** Characters of a body, a value in the vat's store, or the name of a device's method, at most. */
const maxTextLength = 2 ** 26;

/** Characters of the reason of a vat's end, as other vats get it, at most. */
const maxReasonLength = 10_000;

/** Characters of a quoted name, at most. */
const maxQuotedLength = 100;

/**
 * Describes what is wrong with the size of a string; `undefined` if nothing is.
 *
 * @param {string} text
 * @param {string} what
 */
export const findSizeProblem = (text, what) =>
  text.length > maxTextLength
    ? `${what} has ${text.length} characters; at most ${maxTextLength} are allowed`
    : undefined;

/** @param {string} text  of any size */
export const quoteShort = text =>
  quote(text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text);

/** @param {string} reason  of any size */
export const shortReason = reason =>
  reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason;
