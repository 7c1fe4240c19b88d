// The file of a slog: opened, added to, and closed; a process that ends by force leaves in it what it has seen.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { makeSlog } from '#observe/slog';
import { UserError } from '#model';

/** @import { Clock } from '#host' */

const newline = 0x0a;

/** Every line of a slog begins with this. */
const lineStart = '{"type":';

/** @param {unknown} error @param {1 | 2} exitCode */
const sayUnwritable = (error, exitCode) =>
  new UserError(
    `--slog cannot be written: ${/** @type {Error} */ (error).message}; name a file in a folder that exists and has room`,
    {
      exitCode,
      cause: error,
    },
  );

/**
 * Where the last line begins, if it does not end.
 *
 * @param {number} fd
 * @returns {number} or the end of the file
 */
const findCutLine = fd => {
  const { size } = fstatSync(fd);
  const piece = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - piece.length);
    const read = readSync(fd, piece, 0, end - start, start);
    const last = piece.lastIndexOf(newline, read - 1);
    if (last >= 0 && last < read) return start + last + 1;
    end = start;
  }
  return 0;
};

/**
 * A run that was killed, or whose disk was full, may have left half a line.
 *
 * @param {string} file
 */
const cutToWholeLines = file => {
  const fd = openSync(file, 'a+');
  try {
    if (!fstatSync(fd).isFile()) return;
    const start = findCutLine(fd);
    const begin = Buffer.alloc(lineStart.length);
    readSync(fd, begin, 0, begin.length, start);
    // Never truncate a file that is not a slog.
    if (begin.toString() === lineStart) ftruncateSync(fd, start);
  } finally {
    closeSync(fd);
  }
};

/**
 * @param {string} file
 * @param {object} options
 * @param {boolean} options.resume  what is there is added to
 * @param {Clock} options.clock
 */
export const openSlogFile = (file, { resume, clock }) => {
  /** @type {number} */
  let fd;
  try {
    if (resume) cutToWholeLines(file);
    fd = openSync(file, resume ? 'a' : 'w');
  } catch (error) {
    throw sayUnwritable(error, 2);
  }
  const slog = makeSlog({
    clock,
    write: lines => {
      try {
        writeFileSync(fd, lines);
      } catch (error) {
        // A full disk, say, is no bug of ours.
        throw sayUnwritable(error, 1);
      }
    },
  });
  // A second Ctrl-C ends the process where it stands.
  const onExit = () => {
    try {
      slog.flush();
    } catch {
      // Nobody is left to tell.
    }
  };
  process.on('exit', onExit);
  return Object.freeze({
    ...slog,
    close() {
      process.off('exit', onExit);
      try {
        slog.flush();
      } finally {
        closeSync(fd);
      }
    },
  });
};
