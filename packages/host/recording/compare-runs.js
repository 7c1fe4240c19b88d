// Compares two recorded runs block by block, by their block marks.

import { findFirstDifference, markStream, readBlockMarks } from '#kernel';
import { quote, UserError } from '#model';

/** @import { BlockDifference } from '#kernel' */
/** @import { Store } from '#store' */

/**
 * @param {Pick<Store, 'readStream' | 'streamLength'>} store
 * @param {string} name  for people
 */
const readMarks = (store, name) => {
  if (store.streamLength(markStream) === 0)
    throw new UserError(
      `${quote(name)} has no record of its blocks: it has run no crank, or was imported from a file without what is local (export --local has it)`,
      { exitCode: 1 },
    );
  return readBlockMarks(store.readStream(markStream));
};

/**
 * The first block in which two runs differ.
 *
 * @param {{ store: Pick<Store, 'readStream' | 'streamLength'>, name: string }} left
 * @param {{ store: Pick<Store, 'readStream' | 'streamLength'>, name: string }} right
 * @returns {BlockDifference | undefined} undefined if they are equal
 * @throws {UserError} if one has no marks, or they are damaged
 */
export const compareRuns = (left, right) =>
  findFirstDifference(readMarks(left.store, left.name), readMarks(right.store, right.name));
