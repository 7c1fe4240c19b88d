// Opens, appends to and closes the file of a slog. A process that ends at once still writes its
// buffered lines.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { makeSlog } from '#observe/slog';
import { UserError } from '#model';

/** @import { Clock } from '#host' */

const newline = 0x0a;

/** Every line of a slog begins with this. */
const lineStart = '{"type":';

/** @param {unknown} error */
const sayUnwritable = error =>
  new UserError(
    `--slog cannot be written: ${/** @type {Error} */ (error).message}; name a file in a folder that exists and has room`,
    { exitCode: 1, cause: error },
  );

/**
 * Find the start of the last line if it has no newline.
 *
 * @param {number} fd
 * @returns {number} a byte offset; the end of the file if the last line is complete
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
 * Remove half a line, which a killed run or a full disk may have left.
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
 * @param {boolean} options.resume  append to the existing file
 * @param {Clock} options.clock
 */
export const openSlogFile = (file, { resume, clock }) => {
  /** @type {number} */
  let fd;
  try {
    if (resume) cutToWholeLines(file);
    fd = openSync(file, resume ? 'a' : 'w');
  } catch (error) {
    throw sayUnwritable(error);
  }
  const slog = makeSlog({
    clock,
    write: lines => {
      try {
        writeFileSync(fd, lines);
      } catch (error) {
        // A full disk, for example, is not a bug.
        throw sayUnwritable(error);
      }
    },
  });
  // A second Ctrl-C ends the process at once.
  const onExit = () => {
    try {
      slog.flush();
    } catch {
      // There is no way to report it any more.
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
