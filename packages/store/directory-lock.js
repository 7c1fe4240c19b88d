// One process at a time uses a database. The lock is a file that names its owner (owner.js). A lock whose owner is gone is
// taken over.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '#model';
import { findOwner, formatOwner, parseOwner, presentSelf, removePipe } from './owner.js';

/**
 * The lock of a use of a directory.
 *
 * @typedef {object} Lock
 * @property {string} name  of its file
 * @property {(dir: string, owner: string) => string} refuse  the line for whoever comes second
 */

/** @type {Lock} */
const storeLock = {
  name: 'store.lock',
  refuse: (dir, owner) =>
    `${dir}: the database is in use by ${owner}; wait for it to end, or choose another directory`,
};

/**
 * The line for whoever comes second, if the lock's owner is there.
 *
 * @param {string} text  the lock file's content
 * @param {string} dir
 * @param {Lock} lock
 */
const refusal = (text, dir, { name, refuse }) => {
  const owner = parseOwner(text);
  const place = owner === undefined ? 'gone' : findOwner(owner, dir);
  if (owner === undefined || place === 'gone') return undefined;
  if (place === 'here') return refuse(dir, `process ${owner.pid}`);
  const line = refuse(dir, `process ${owner.pid} of another container or of its host`);
  return place === 'elsewhere'
    ? line
    : `${line}; if it has ended, which cannot be seen from here, remove ${path.join(dir, name)}`;
};

/** No owner writes as much. */
const mostBytes = 1000;

/** @param {string} file @returns {string | undefined} its content, empty if no owner wrote it; undefined: there is none */
const readOrNone = file => {
  try {
    const found = fs.statSync(file);
    // Reading a pipe would wait for ever.
    if (!found.isFile()) throw new UserError(`${file} is no file; remove it`);
    return found.size > mostBytes ? '' : fs.readFileSync(file, 'latin1');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * @param {string} dir  exists
 * @throws {UserError} if a living process has it
 */
export const insistUnused = dir => {
  const text = readOrNone(path.join(dir, storeLock.name));
  const line = text === undefined ? undefined : refusal(text, dir, storeLock);
  if (line !== undefined) throw new UserError(line);
};

/**
 * @param {string} dir  exists
 * @param {Lock} [lock]  default: the database's
 * @returns {() => void} releases the directory
 * @throws {UserError} if a living process has it
 */
export const lockDirectory = (dir, lock = storeLock) => {
  const file = path.join(dir, lock.name);
  // A process number alone is not unique where containers share the directory.
  const unique = `${lock.name}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const mine = path.join(dir, unique);
  const { owner, release } = presentSelf(dir, `${unique}.alive`);
  const text = formatOwner(owner);

  // A link appears with the whole content or not at all, and never replaces another process's lock.
  const tryToTake = () => {
    try {
      fs.linkSync(mine, file);
      return true;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      return false;
    }
  };
  try {
    fs.writeFileSync(mine, text);
    while (!tryToTake()) {
      const found = readOrNone(file);
      const line = found === undefined ? undefined : refusal(found, dir, lock);
      if (line !== undefined) throw new UserError(line);
      // Moved aside, not removed: if another process took the stale lock over in between, its own lock was moved, and
      // is moved back.
      const aside = `${mine}.stale`;
      try {
        fs.renameSync(file, aside);
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') continue;
        throw error;
      }
      const moved = readOrNone(aside) ?? '';
      const movedLine = refusal(moved, dir, lock);
      if (movedLine !== undefined) {
        fs.renameSync(aside, file);
        throw new UserError(movedLine);
      }
      fs.unlinkSync(aside);
      removePipe(parseOwner(moved), dir);
    }
  } catch (error) {
    release();
    throw error;
  } finally {
    if (fs.existsSync(mine)) fs.unlinkSync(mine);
  }
  return () => {
    if (readOrNone(file) === text) fs.unlinkSync(file);
    release();
  };
};
