// Reads a slog's file, line by line, however large it is. What is in a file may be anything: each line is checked to be a
// record of a slog before somebody gets it.

import { quote, UserError } from '#model';
import { isPlainRecord, readLines } from './lines.js';
import { slogVersion } from './slog-lines.js';

/** @typedef {Record<string, any>} SlogRecord  with a `type`; its other fields are not checked */

/** How the first line of a process begins. */
const headStart = '{"type":"slog"';

/** @param {string} file @param {string} problem @param {string} reader */
const refuse = (file, problem, reader) =>
  new UserError(`${quote(file)} ${problem}; ${reader} takes what --slog writes`);

/** @param {string} text */
const parseLine = text => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * @param {string} file
 * @param {string} reader  who reads it, for messages: `--parallelism`
 * @returns {Generator<{ record: SlogRecord, number: number }>} `number` of the line, from 1; none of an empty file. A last line
 *   that was cut off is left out
 * @throws {UserError} the file cannot be read, or is no slog of a version that is known
 */
export function* readSlogRecords(file, reader) {
  let number = 0;
  try {
    for (const { text, isWhole } of readLines(file)) {
      number += 1;
      const record = parseLine(text);
      // A process that was killed leaves half a line.
      if (record === undefined && !isWhole && number > 1) return;
      if (record === undefined) throw refuse(file, `has no JSON in line ${number}`, reader);
      const isHead = isPlainRecord(record) && record.type === 'slog';
      if (number === 1 && !isHead) throw refuse(file, 'does not begin as a slog', reader);
      if (!isPlainRecord(record) || typeof record.type !== 'string')
        throw refuse(file, `has no line of a slog in line ${number}`, reader);
      if (isHead && record.version !== slogVersion)
        throw refuse(
          file,
          `is of version ${quote(record.version)} of the slog, not ${slogVersion}`,
          reader,
        );
      yield { record, number };
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refuse(file, `cannot be read: ${/** @type {Error} */ (error).message}`, reader);
  }
}

/**
 * Where each process of a slog was taken up: a process that was killed leaves lines of a block that was not committed, and the
 * one after it runs that again.
 *
 * @param {string} file
 * @returns {number[]} for each process of the file, the last crank that counts; Infinity for the last one
 */
export const findProcessEnds = file => {
  /** @type {number[]} */
  const ends = [];
  for (const { text } of readLines(file)) {
    if (!text.startsWith(headStart)) continue;
    const crankNum = parseLine(text)?.crankNum;
    if (ends.length > 0) ends[ends.length - 1] = typeof crankNum === 'number' ? crankNum : Infinity;
    ends.push(Infinity);
  }
  return ends;
};
