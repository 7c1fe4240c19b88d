// One process at a time uses a database. The lock is a file that names its owner (owner.js). A lock whose owner is gone is
// taken over by that owner's heir. Of those who come at once one becomes the heir, by a file that names it and that is called
// after the owner; the heir of an heir that is gone, too, inherits from both. So only one process may replace the lock, which
// is never absent meanwhile.

import { createHash, randomBytes } from 'node:crypto';
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
 * A link appears with the whole content or not at all, and never replaces a file.
 *
 * @param {string} from
 * @param {string} to
 * @returns {boolean} false: the file is there
 */
const link = (from, to) => {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  }
};

/**
 * The file that names the heir of the last of these. A crash of the machine may have emptied what some of them had written,
 * so an heir whose owner nobody knows is called after all of them.
 *
 * @param {string} file  the lock
 * @param {string[]} gone  its content, and that of each heir
 */
const heirOf = (file, gone) => {
  const [last] = gone.slice(-1);
  const owner = parseOwner(last) === undefined ? JSON.stringify(gone) : last;
  return `${file}.heir-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;
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

  /** @param {string} found  content of a file that names an owner @throws {UserError} if a living process has it */
  const insistGone = found => {
    const line = refusal(found, dir, lock);
    if (line !== undefined) throw new UserError(line);
  };

  /**
   * @param {string} left  content of the lock, whose owner is gone
   * @returns {boolean} false: another process has taken it over since
   */
  const takeOver = left => {
    const gone = [left];
    /** @type {string[]} */
    const heirs = [];
    for (;;) {
      const heir = heirOf(file, gone);
      if (heirs.includes(heir)) throw new UserError(`${heir} names its own owner; remove it`);
      heirs.push(heir);
      if (link(mine, heir)) break;
      const found = readOrNone(heir);
      if (found === undefined) return false;
      insistGone(found);
      gone.push(found);
    }
    try {
      const now = readOrNone(file);
      // Otherwise another process was the heir before.
      if (now === undefined || !gone.includes(now)) return false;
      fs.renameSync(mine, file);
      for (const each of gone) removePipe(parseOwner(each), dir);
      return true;
    } finally {
      for (const heir of heirs) fs.rmSync(heir, { force: true });
    }
  };

  try {
    fs.writeFileSync(mine, text);
    while (!link(mine, file)) {
      const found = readOrNone(file);
      if (found === undefined) continue;
      insistGone(found);
      if (takeOver(found)) break;
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
