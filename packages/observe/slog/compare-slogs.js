// Finds the first crank in which two slogs differ. Times and the ends of blocks are not compared.

import { isDeepStrictEqual } from 'node:util';
import { readCranks } from './read-cranks.js';

/** @import { SlogCrank } from './read-cranks.js' */
/** @import { SlogRecord } from './read-slog.js' */

/** Fields of a crank that may differ between equal runs, or that repeat others. */
const passing = new Set(['ns', 'vatNs', 'name', 'type']);

/**
 * @typedef {object} SlogDifference
 * @property {number} equalCranks  before it
 * @property {string} field  the first field that differs: `delivery`, `syscalls`, `profile` …; `end` if one run goes on
 * @property {SlogCrank | undefined} left  undefined if the run has ended, or the slogs differ in their heads
 * @property {SlogCrank | undefined} right
 * @property {unknown} leftValue  of the field
 * @property {unknown} rightValue
 */

/**
 * @param {SlogRecord} left
 * @param {SlogRecord} right
 * @returns {string | undefined} the field
 */
const findField = (left, right) => {
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const field of fields)
    if (!passing.has(field) && !isDeepStrictEqual(left[field], right[field])) return field;
  return undefined;
};

/** @param {string} file @param {string} reader */
const openSlog = (file, reader) => {
  /** @type {SlogRecord | undefined} */
  let head;
  const cranks = readCranks(file, reader, record => {
    head ??= record;
  });
  const first = cranks.next();
  return { head: /** @type {SlogRecord} */ (/** @type {unknown} */ (head)), cranks, first };
};

/**
 * @param {string} leftFile
 * @param {string} rightFile
 * @param {string} reader  the command or flag that reads them, for errors
 * @returns {{ cranks: number, difference: SlogDifference | undefined }} `cranks`: the number of equal cranks
 * @throws {import('#model').UserError} if one is not a slog
 */
export const compareSlogs = (leftFile, rightFile, reader) => {
  const left = openSlog(leftFile, reader);
  const right = openSlog(rightFile, reader);
  try {
    for (const field of ['profile', 'crankNum', 'vats', 'devices']) {
      const [leftValue, rightValue] = [left.head[field], right.head[field]];
      if (isDeepStrictEqual(leftValue, rightValue)) continue;
      const none = { left: undefined, right: undefined };
      return { cranks: 0, difference: { equalCranks: 0, field, ...none, leftValue, rightValue } };
    }
    let one = left.first;
    let other = right.first;
    let cranks = 0;
    while (!one.done && !other.done) {
      const field = findField(one.value.record, other.value.record);
      if (field !== undefined)
        return { cranks, difference: describe(cranks, field, one.value, other.value) };
      cranks += 1;
      one = left.cranks.next();
      other = right.cranks.next();
    }
    if (one.done && other.done) return { cranks, difference: undefined };
    const rest = [one, other].map(each => (each.done ? undefined : each.value));
    return { cranks, difference: describe(cranks, 'end', rest[0], rest[1]) };
  } finally {
    left.cranks.return(undefined);
    right.cranks.return(undefined);
  }
};

/**
 * @param {number} equalCranks
 * @param {string} field
 * @param {SlogCrank | undefined} left
 * @param {SlogCrank | undefined} right
 * @returns {SlogDifference}
 */
const describe = (equalCranks, field, left, right) => ({
  ...{ equalCranks, field, left, right },
  ...{ leftValue: left?.record[field], rightValue: right?.record[field] },
});
