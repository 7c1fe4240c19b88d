// Reads files that a person wrote, sources and configs. They must be UTF-8.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { UserError } from '#model';

const newline = 0x0a;

/** The byte order marks of UTF-16. */
const marks16 = [0xfffe, 0xfeff];

/** Codes of what the person can mend in the file's place. @type {ReadonlySet<string | undefined>} */
const mendable = new Set(['ENOENT', 'EACCES', 'EPERM']);

const mark = Buffer.from('\ufeff');

/** @param {Buffer} bytes */
const hasMark = bytes => bytes.subarray(0, mark.length).equals(mark);

/**
 * The number, from 1, of the first line that is not UTF-8. No character of UTF-8 contains the byte of a newline, so
 * each line can be checked alone.
 *
 * @param {Buffer} bytes  not UTF-8
 */
const findLine = bytes => {
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(newline, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
};

/**
 * Read a file and refuse bytes that are not UTF-8. A decoder would replace them by U+FFFD and so change the program. A
 * byte order mark, which editors write, is left out: it is neither JSON nor the beginning of a `#!` line.
 *
 * @param {string} file
 * @param {string} shown  its name in errors
 * @returns {string} the text without a byte order mark
 * @throws {UserError} if the file cannot be read, or is not UTF-8
 */
export const readTextFile = (file, shown) => {
  /** @type {Buffer} */
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const remedy = mendable.has(code)
      ? 'check that it exists and that you may read it'
      : 'name another file';
    throw new UserError(`${shown} cannot be read (${code}); ${remedy}`, { cause: error });
  }
  const text = hasMark(bytes) ? bytes.subarray(mark.length) : bytes;
  if (isUtf8(text)) return text.toString('utf8');
  const is16 = bytes.length > 1 && marks16.includes(bytes.readUInt16BE(0));
  throw new UserError(
    is16
      ? `${shown} is UTF-16; save it as UTF-8`
      : `${shown}:${findLine(bytes)}: this line is not UTF-8; save the file as UTF-8`,
  );
};
