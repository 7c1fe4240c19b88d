// Reads the lines of a file of any size, one after the other.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { insistEnds } from '#model';

const pieceBytes = 1024 * 1024;
const newline = 0x0a;

/**
 * @param {string} file
 * @returns {Generator<{ text: string, isWhole: boolean }>} without line breaks; `isWhole`: whether the line ends with
 *   one
 * @throws {NodeJS.ErrnoException} if the file cannot be read
 * @throws {UserError} if it is a device
 */
export function* readLines(file) {
  const fd = openSync(file, 'r');
  try {
    insistEnds(fstatSync(fd), file);
    const piece = Buffer.allocUnsafe(pieceBytes);
    /** Parts of a line that continues in the next piece. @type {Buffer[]} */
    let begun = [];
    for (;;) {
      const size = readSync(fd, piece, 0, pieceBytes, null);
      if (size === 0) break;
      let at = 0;
      for (;;) {
        const end = piece.subarray(0, size).indexOf(newline, at);
        if (end < 0) break;
        const rest = piece.subarray(at, end);
        yield {
          text: begun.length === 0 ? rest.toString() : Buffer.concat([...begun, rest]).toString(),
          isWhole: true,
        };
        begun = [];
        at = end + 1;
      }
      if (at < size) begun.push(Buffer.from(piece.subarray(at, size)));
    }
    if (begun.length > 0) yield { text: Buffer.concat(begun).toString(), isWhole: false };
  } finally {
    closeSync(fd);
  }
}
