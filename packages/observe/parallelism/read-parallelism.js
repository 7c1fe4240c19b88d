// Computes the figures of `parallelism.js` from a slog's file.

import { quote, UserError } from '#model';
import { readSlogRecords } from '../slog/read-slog.js';
import { ParallelismReader } from './parallelism.js';

/** @import { Parallelism } from './parallelism.js' */

/** @param {string} file @param {string} problem */
const refuse = (file, problem) =>
  new UserError(`${quote(file)} ${problem}; --parallelism takes what --slog writes`);

/**
 * @param {string} file  a slog
 * @returns {Parallelism}
 * @throws {UserError} if it is not a slog, or has no cranks
 */
export const readParallelism = file => {
  const reader = new ParallelismReader();
  for (const { record, number } of readSlogRecords(file, '--parallelism')) {
    try {
      reader.add(record);
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
