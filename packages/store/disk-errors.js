// Translates disk errors into user errors that say the fix: a full disk, a missing permission. All other errors pass
// unchanged.

import fs from 'node:fs';
import { UserError } from '#model';

/** `EFBIG` is the limit on a file's size (`ulimit -f`), `EDQUOT` a user's share of the disk. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const forbiddenCodes = ['EACCES', 'EPERM', 'EROFS'];

/** Disk errors as errno numbers, which is how LMDB's errors carry them: Linux, then macOS where it differs. */
const quotaNumbers = [122, 69];
const fullNumbers = [28, 27, ...quotaNumbers];
const forbiddenNumbers = [13, 1, 30];

/** LMDB's error number for a short write, whatever its reason. */
const cutShortNumber = 5;

/** Bytes below which a disk counts as full. */
const fullBelowBytes = 64 * 1024;

/** @param {string} dir */
const isFull = dir => {
  try {
    const { bavail, bsize } = fs.statfsSync(dir);
    return bavail * bsize < fullBelowBytes;
  } catch {
    return false;
  }
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
 * The state that is found after an error: none; that which was to be opened; that of the last committed block; the same,
 * or that of the block whose commit failed, which could not be taken back; at least that of the last block that was
 * reported durable.
 *
 * @typedef {keyof typeof keptTexts} Kept
 */

const keptTexts = Object.freeze({
  nothing: 'nothing was kept',
  found: 'the last committed block is safe',
  committed: 'the last committed block is safe',
  uncertain: 'the last committed block is safe, and the one that failed may be kept as well',
  durable: 'blocks that were reported durable are safe, later ones may be lost',
});

/**
 * @param {unknown} error
 * @param {string} dir  the store's directory
 * @param {Kept} [kept]
 * @returns {unknown} a UserError if the user can mend it, otherwise `error`
 */
export const explainDiskError = (error, dir, kept = 'found') => {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  // LMDB adds what it attempted, with a few bytes of its memory.
  const what = error.message.replace(/: Attempting to .*/s, '');
  const { code, errno, syscall } = /** @type {NodeJS.ErrnoException} */ (error);
  /** @type {(names: string[], numbers: number[]) => boolean} */
  const isOneOf = (names, numbers) =>
    typeof code === 'number' ? numbers.includes(code) : code !== undefined && names.includes(code);
  // Node has no name for EDQUOT.
  const isQuota = errno !== undefined && quotaNumbers.includes(-errno);
  const goOn = kept === 'nothing' ? 'begin again' : 'resume';
  if (
    isQuota ||
    isOneOf(fullCodes, fullNumbers) ||
    (isOneOf([], [cutShortNumber]) && isFull(dir))
  ) {
    return new UserError(
      `${dir}: the disk is full; ${keptTexts[kept]}: free some space and ${goOn}`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf(['EIO'], [cutShortNumber])) {
    return new UserError(
      `${dir}: the database could not be written, as a file reached its size limit or the disk fails ` +
        `(${what}); ${keptTexts[kept]}: ${goOn} when that is mended`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf(forbiddenCodes, forbiddenNumbers)) {
    // Linux turns a file system read-only when its disk fails.
    const remedy =
      kept === 'nothing' || kept === 'found'
        ? `no permission to keep a database here (${what}); choose a directory that you may write to`
        : `the database can no longer be written to (${what}); ${keptTexts[kept]}: resume when that is mended`;
    return new UserError(`${dir}: ${remedy}`, { exitCode: 1, cause: error });
  }
  if (isOneOf(['ENOTDIR', 'EEXIST'], [])) {
    return new UserError(`${dir}: not a directory; a database needs a directory of its own`, {
      exitCode: 1,
      cause: error,
    });
  }
  if (isOneOf(['EISDIR'], [])) {
    return new UserError(
      `${dir}: there is a directory where a file of the database belongs (${what})`,
      { exitCode: 1, cause: error },
    );
  }
  if (isOneOf([], damagedNumbers)) {
    return new UserError(`${dir}: data.mdb is damaged (${what}); start afresh or restore a copy`, {
      exitCode: 1,
      cause: error,
    });
  }
  // Any other error of the system, as of a network disk that is gone.
  if (syscall !== undefined) {
    return new UserError(
      `${dir}: the system refuses to keep the database (${what}); ${keptTexts[kept]}: ${goOn} when that is mended`,
      { exitCode: 1, cause: error },
    );
  }
  return error;
};
