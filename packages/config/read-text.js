// Reads what a person wrote: sources and configs, which are UTF-8.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { UserError } from '#model';

const newline = 0x0a;

/** The marks that UTF-16 begins with, of both orders of bytes. */
const marks16 = [0xfffe, 0xfeff];

/**
 * The first line with bytes that are no UTF-8, from 1. A newline is no part of a longer character, so each line is looked at
 * by itself.
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
 * A decoder would put U+FFFD in place of what it cannot read, and the program would be another one than its author wrote.
 *
 * @param {string} file
 * @param {string} shown  its name in errors
 * @returns {string} as it is, a byte order mark included
 * @throws {UserError} it cannot be read, or is not UTF-8
 */
export const readTextFile = (file, shown) => {
  /** @type {Buffer} */
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${shown} cannot be read (${code}); see that it is there and yours to read`,
      {
        cause: error,
      },
    );
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const is16 = bytes.length > 1 && marks16.includes(bytes.readUInt16BE(0));
  throw new UserError(
    is16
      ? `${shown} is UTF-16; save it as UTF-8`
      : `${shown}:${findLine(bytes)}: this line is not UTF-8; save the file as UTF-8`,
  );
};
