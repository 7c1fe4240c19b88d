// A slog's file, line by line, into the figures of `parallelism.js`. What is in a file may be anything.

import { quote, UserError } from '#model';
import { isPlainRecord, readLines } from './lines.js';
import { ParallelismReader } from './parallelism.js';

/** @import { Parallelism } from './parallelism.js' */

/** Versions of the slog whose lines say what is needed here. */
const knownVersions = [2];

/** @param {string} file @param {string} problem */
const refuse = (file, problem) =>
  new UserError(`${quote(file)} ${problem}; --parallelism takes what --slog writes`);

/**
 * @param {string} file
 * @returns {Generator<unknown>} what the lines hold; a last one that was cut off is left out
 * @throws {UserError} the file cannot be read, or a line is none of a slog
 */
function* parseLines(file) {
  let number = 0;
  try {
    for (const { text, isWhole } of readLines(file)) {
      number += 1;
      let line;
      try {
        line = JSON.parse(text);
      } catch {
        // A process that was killed leaves half a line.
        if (!isWhole && number > 1) return;
        throw refuse(file, `has no JSON in line ${number}`);
      }
      yield line;
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refuse(file, `cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {string} file  a slog
 * @returns {Parallelism}
 * @throws {UserError} it is none, or has no cranks
 */
export const readParallelism = file => {
  const reader = new ParallelismReader();
  let number = 0;
  for (const line of parseLines(file)) {
    number += 1;
    const isHead = isPlainRecord(line) && line.type === 'slog';
    if (number === 1 && !isHead) throw refuse(file, 'does not begin as a slog');
    if (isHead && !knownVersions.includes(line.version))
      throw refuse(
        file,
        `is of version ${quote(line.version)} of the slog, not ${knownVersions.join(' or ')}`,
      );
    try {
      reader.add(line);
    } catch (error) {
      throw refuse(
        file,
        `has no line of a slog in line ${number}: ${/** @type {Error} */ (error).message}`,
      );
    }
  }
  const found = reader.finish();
  if (found.cranks === 0) throw refuse(file, 'has no crank that reached a vat');
  return found;
};
