// Translates disk errors into user errors that say the fix: a full disk, a missing permission. All other errors pass
// unchanged.

import fs from 'node:fs';
import { UserError } from '#model';

/** `EFBIG` is the limit on a file's size (`ulimit -f`), `EDQUOT` a user's share of the disk. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const forbiddenCodes = ['EACCES', 'EPERM', 'EROFS'];

/** Disk errors as errno numbers, which is how LMDB's errors carry them: Linux, then macOS where it differs. */
const fullNumbers = [28, 122, 69, 27];
const forbiddenNumbers = [13, 1, 30];

/** LMDB's error number for a short write, whatever its reason. */
const cutShortNumber = 5;

/** Bytes below which a disk counts as full. */
const fullBelowBytes = 64 * 1024;

/** @param {string} dir */
const isFull = dir => {
  const { bavail, bsize } = fs.statfsSync(dir);
  return bavail * bsize < fullBelowBytes;
};

/** A change of so many bytes takes at most about as many more of them on disk: LMDB writes whole pages, and never in place. */
const pageShare = 2;

/**
 * Makes sure that a checkpoint has room. On a full disk LMDB fails safely, but prints a line of its own.
 *
 * @param {string} dir
 * @param {number} bytes  that it writes, without what LMDB adds
 * @throws {Error} with the code `ENOSPC`
 */
export const insistRoom = (dir, bytes) => {
  const { bavail, bsize, blocks } = fs.statfsSync(dir);
  const needed = fullBelowBytes + bytes * pageShare;
  // A file system in memory may count no blocks at all, for it has no bound.
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw Object.assign(Error(`a checkpoint of ${bytes} bytes has no room`), { code: 'ENOSPC' });
};

/**
 * LMDB's errors for a page of the wrong kind, a missing page, and a failed transaction, which has printed the reason.
 */
const damagedNumbers = [-30796, -30797, -30782];

/**
 * @param {unknown} error
 * @param {string} dir  the store's directory
 * @param {boolean} [isNew]  it has no block yet
 * @returns {unknown} a UserError if the user can mend it, otherwise `error`
 */
export const explainDiskError = (error, dir, isNew = false) => {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  /** @type {(names: string[], numbers: number[]) => boolean} */
  const isOneOf = (names, numbers) =>
    typeof code === 'number' ? numbers.includes(code) : code !== undefined && names.includes(code);
  if (isOneOf(fullCodes, fullNumbers) || (isOneOf([], [cutShortNumber]) && isFull(dir))) {
    const remedy = isNew
      ? 'nothing was kept: free some space and begin again'
      : 'the last committed block is safe: free some space and resume';
    return new UserError(`${dir}: the disk is full; ${remedy}`, { exitCode: 1, cause: error });
  }
  if (isOneOf(['EIO'], [cutShortNumber])) {
    return new UserError(
      `${dir}: the database could not be written, as a file reached its size limit or the disk fails ` +
        `(${error.message}); ${isNew ? 'nothing was kept: begin again' : 'the last committed block is safe: resume'} when that is mended`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf(forbiddenCodes, forbiddenNumbers)) {
    return new UserError(
      `${dir}: no permission to keep a database here (${error.message}); choose a directory that you may write to`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf(['ENOTDIR', 'EEXIST'], [])) {
    return new UserError(`${dir}: not a directory; a database needs a directory of its own`, {
      exitCode: 1,
      cause: error,
    });
  }
  if (isOneOf(['EISDIR'], [])) {
    return new UserError(
      `${dir}: there is a directory where a file of the database belongs (${error.message})`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf([], damagedNumbers)) {
    return new UserError(
      `${dir}: data.mdb is damaged (${error.message}); start afresh or restore a copy`,
      { exitCode: 1, cause: error },
    );
  }
  return error;
};
