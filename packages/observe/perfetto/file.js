// A trace in a file.

import fs from 'node:fs';
import { UserError, quote } from '#model';

/**
 * @param {string} path  a file that is there is overwritten
 * @returns {(piece: string | Uint8Array) => void}  writes at once, so that the file of a process that is killed has what came before
 * @throws {UserError} if it cannot be written
 */
export const writeToFile = path => {
  /** @template T @param {() => T} act @param {1 | 2} exitCode */
  const attempt = (act, exitCode) => {
    try {
      return act();
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw new UserError(
        `trace ${quote(path)} cannot be written (${code}); name a file in a folder that exists and has room`,
        { exitCode },
      );
    }
  };
  const file = attempt(() => fs.openSync(path, 'w'), 2);
  return piece => attempt(() => void fs.writeFileSync(file, piece), 1);
};
