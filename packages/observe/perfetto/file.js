// Writes a trace to a file.

import fs from 'node:fs';
import { UserError, quote } from '#model';

/**
 * @param {string} path  an existing file is overwritten
 * @returns {(piece: string | Uint8Array) => void}  writes each piece at once, so that a killed process loses none of
 *   them
 * @throws {UserError} if it cannot be written
 */
export const writeToFile = path => {
  /** @template T @param {() => T} act */
  const attempt = act => {
    try {
      return act();
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw new UserError(
        `trace ${quote(path)} cannot be written (${code}); name a file in a folder that exists and has room`,
        { exitCode: 1 },
      );
    }
  };
  const file = attempt(() => fs.openSync(path, 'w'));
  return piece => attempt(() => void fs.writeFileSync(file, piece));
};
