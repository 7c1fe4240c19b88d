// Reads a slog's file of any size, line by line. Its content is untrusted: each line is checked to be a record of a
// slog.

import { isRecord, quote, UserError } from '#model';
import { readLines } from './lines.js';
import { slogVersion } from './slog-lines.js';

/** @typedef {Record<string, any>} SlogRecord  with a `type`; its other fields are not checked */

/** The beginning of the first line of a process. */
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

/** Why a file has no records, by the system's code. @type {ReadonlyMap<string, string>} */
const unreadable = new Map([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a directory'],
]);

/**
 * @param {string} file
 * @param {string} reader  who reads it, for messages: `--parallelism`
 * @returns {Generator<{ record: SlogRecord, number: number }>} `number` is the line's, from 1; an empty file gives
 *   none. A truncated last line is left out
 * @throws {UserError} if the file cannot be read, or is not a slog of a known version
 */
export function* readSlogRecords(file, reader) {
  let number = 0;
  try {
    for (const { text, isWhole } of readLines(file)) {
      number += 1;
      const record = parseLine(text);
      // A killed process may leave a truncated line.
      if (record === undefined && !isWhole && number > 1) return;
      if (record === undefined) throw refuse(file, `has no JSON in line ${number}`, reader);
      const isHead = isRecord(record) && record.type === 'slog';
      if (number === 1 && !isHead) throw refuse(file, 'does not begin as a slog', reader);
      if (!isRecord(record) || typeof record.type !== 'string')
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
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw refuse(file, unreadable.get(code ?? '') ?? `cannot be read: ${message}`, reader);
  }
}

/**
 * Find the cranks at which the processes of a slog were resumed. A killed process may leave lines of an uncommitted
 * block, which the next process runs again.
 *
 * @param {string} file
 * @returns {number[]} for each process of the file, its last valid crank; Infinity for the last process
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
