// A tag is a logical time with a microstep. Cranks run in tag order, so this file decides what "before" means.

import { quote } from './errors.js';

/**
 * @typedef {object} Tag
 * @property {number} timeNs  nanoseconds since the start of the run, a safe integer (104 days)
 * @property {number} microstep
 */

/** @type {(timeNs: number, microstep: number) => Tag} */
export const makeTag = (timeNs, microstep) => {
  if (!Number.isSafeInteger(timeNs) || timeNs < 0) {
    throw RangeError(`a tag's time is 0 to 2^53-1 nanoseconds (104 days), got ${quote(timeNs)}`);
  }
  if (!Number.isSafeInteger(microstep) || microstep < 0) {
    throw RangeError(`a tag's microstep is a whole number from 0, got ${quote(microstep)}`);
  }
  return { timeNs, microstep };
};

/**
 * Total order on tags: earlier time first, then smaller microstep.
 * Cranks run in this order, so replay depends on it: a change here changes every activity hash.
 *
 * @type {(left: Tag, right: Tag) => -1 | 0 | 1}
 */
export const compareTags = (left, right) => {
  if (left.timeNs !== right.timeNs) return left.timeNs < right.timeNs ? -1 : 1;
  if (left.microstep !== right.microstep) return left.microstep < right.microstep ? -1 : 1;
  return 0;
};

/**
 * The tag of an event scheduled `delayNs` after a tag: a delay of 0 is one microstep, any other delay moves the time.
 *
 * @type {(tag: Tag, delayNs: number) => Tag}
 * @throws {RangeError} past 2^53-1 ns
 */
export const delayTag = ({ timeNs, microstep }, delayNs) =>
  delayNs === 0 ? makeTag(timeNs, microstep + 1) : makeTag(timeNs + delayNs, 0);

/** @param {Tag} tag  as `1500ns.2`: time, then microstep */
export const formatTag = ({ timeNs, microstep }) => `${timeNs}ns.${microstep}`;
