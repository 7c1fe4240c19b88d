// The error for bytes on the disk that differ from what was written: one line that names the file and the place.

import { UserError } from '#model';

/**
 * @param {string} file
 * @param {string} what
 * @param {unknown} [cause]
 * @returns {never}
 */
export const damagedStore = (file, what, cause) => {
  throw new UserError(`${file} is damaged: ${what}; restore a copy, or start afresh`, {
    exitCode: 1,
    cause,
  });
};
