// Says why a path that a person named is no file, in words that fit behind "but" or a colon.

import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { quote } from '#model';

/** @import { Stats } from 'node:fs' */

/** @param {Stats} stats  of no file */
const kindOf = stats => {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
};

/** @param {string} path @returns {string | undefined} */
const findTarget = path => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link
  }
};

/** @param {string} path @returns {Stats | string | undefined} a code if the system says no */
const findStats = path => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
  }
};

/**
 * Describe a path that is no file.
 *
 * @param {string} path  absolute
 * @param {string} shown  its name in messages
 * @returns {string | undefined} undefined if nothing is there
 */
export const describeNoFile = (path, shown) => {
  const found = findStats(path);
  if (found === 'ELOOP') return `the symbolic links at ${shown} lead in a circle`;
  if (found === 'EACCES') return `you have no permission to look for ${shown}`;
  if (typeof found === 'string') return undefined;
  if (found === undefined) {
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    const target = isThere ? findTarget(path) : undefined;
    if (target === undefined) return undefined;
    return `${shown} is a symbolic link to ${quote(target)}, which is not there`;
  }
  return found.isFile() ? undefined : `${shown} is ${kindOf(found)} and no file`;
};
