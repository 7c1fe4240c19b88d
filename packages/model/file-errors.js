// Errors of the system about a file or directory that a person named, in words that say the fix.

import { UserError } from './errors.js';

/** The reasons that a person can mend. A file that does not exist is left to the caller, who knows what it would be. */
const reasons = new Map([
  ['EACCES', 'you have no permission for it; have it given to you, or name another'],
  ['EPERM', 'it may not be changed by you; have that permitted, or name another'],
  ['ENOTDIR', 'a part of this path is a file and no directory; name another'],
  ['EISDIR', 'it is a directory; name a file'],
  ['ELOOP', 'its symbolic links lead in a circle; name another'],
  ['ENAMETOOLONG', 'a name in this path, or the path, is too long; name a shorter one'],
  ['EROFS', 'it is on a disk that may not be written to; name another'],
  ['ENOSPC', 'the disk is full; make room'],
  ['EDQUOT', 'your share of the disk is full; make room'],
  ['ERR_INVALID_ARG_VALUE', 'no path has the character NUL; name another'],
  ['EIO', 'the system cannot read or write it; look at the disk, or name another'],
  ['EMFILE', 'this process has too many open files; raise its limit (ulimit -n)'],
]);

/** Calls of the system that change files; what else fails was to be read. */
const writes = new Set(['write', 'mkdir', 'rename', 'rmdir', 'unlink', 'ftruncate', 'fsync']);

/** Codes of a full disk, or of a user's full share of it. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

/** Codes that only a change of a file has. */
const writeCodes = new Set(['EROFS', ...fullCodes]);

/** Whether an error of the system says that the disk is full. @param {unknown} error @returns {boolean} */
export const isDiskFull = error =>
  fullCodes.has(/** @type {NodeJS.ErrnoException} */ (error)?.code ?? '');

/**
 * Explain an error of the system that names a file, or is about the current directory.
 *
 * @param {unknown} error
 * @param {string} [shown]  the name of the file as the person gave it; default: the error's
 * @returns {unknown} a UserError if it is one of these, with exit code 1 if a file could not be written; else `error` itself
 */
export const explainFileError = (error, shown) => {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const { code = '', path, syscall = '' } = /** @type {NodeJS.ErrnoException} */ (error);
  if (syscall === 'uv_cwd')
    return new UserError(`the current directory was deleted; change to one that exists (${code})`);
  const reason = reasons.get(code);
  const name = shown ?? path;
  if (reason === undefined || typeof name !== 'string') return error;
  return new UserError(`${name}: ${reason} (${code})`, {
    exitCode: writes.has(syscall) || writeCodes.has(code) ? 1 : 2,
    cause: error,
  });
};

/**
 * Insist that a file that is to be read whole has an end. A terminal has none, nor has `/dev/zero`; a pipe has.
 *
 * @param {{ isCharacterDevice: () => boolean }} facts  of `stat`
 * @param {string} shown  the name of the file as the person gave it
 * @throws {UserError} if it is such a device
 */
export const insistEnds = (facts, shown) => {
  if (facts.isCharacterDevice())
    throw new UserError(`${shown}: it is a device, whose bytes may never end; name a file`);
};
