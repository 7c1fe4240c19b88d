// One process at a time uses a database. The lock is a file that names its owner: process number and, where the system
// has it, the start time of that process, since numbers are reused. A lock whose owner is gone is taken over.

import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '#model';

/**
 * The lock of a use of a directory.
 *
 * @typedef {object} Lock
 * @property {string} name  of its file
 * @property {(dir: string, pid: number) => string} refuse  the line for whoever comes second
 */

/** @type {Lock} */
const storeLock = {
  name: 'store.lock',
  refuse: (dir, pid) =>
    `${dir}: the database is in use by process ${pid}; wait for it to end, or choose another directory`,
};

/**
 * The start of a process, in clock ticks since that of the machine; empty if unknown.
 *
 * @param {number} pid
 */
const startOf = pid => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold anything; the start is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};

/**
 * The process that holds the lock, or undefined if it is gone or the lock was cut short by a crash.
 *
 * @param {string} text  the lock file's content: `PID START`
 */
const livingOwner = text => {
  const found = /^(\d+) (\d*)\n$/.exec(text);
  if (!found) return undefined;
  const pid = Number(found[1]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process lives and belongs to another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return undefined;
  }
  const start = startOf(pid);
  return found[2] === '' || start === '' || start === found[2] ? pid : undefined;
};

/** @param {string} file */
const readOrNone = file => {
  try {
    // Reading a pipe would wait for ever.
    if (!fs.statSync(file).isFile()) throw new UserError(`${file} is no file; remove it`);
    return fs.readFileSync(file, 'latin1');
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
  const pid = text === undefined ? undefined : livingOwner(text);
  if (pid !== undefined) throw new UserError(storeLock.refuse(dir, pid));
};

/**
 * @param {string} dir  exists
 * @param {Lock} [lock]  default: the database's
 * @returns {() => void} releases the directory
 * @throws {UserError} if a living process has it
 */
export const lockDirectory = (dir, { name, refuse } = storeLock) => {
  const file = path.join(dir, name);
  const mine = `${file}.${process.pid}`;
  const text = `${process.pid} ${startOf(process.pid)}\n`;

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
      const pid = found === undefined ? undefined : livingOwner(found);
      if (pid !== undefined) throw new UserError(refuse(dir, pid));
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
      const movedPid = livingOwner(moved);
      if (movedPid !== undefined) {
        fs.renameSync(aside, file);
        throw new UserError(refuse(dir, movedPid));
      }
      fs.unlinkSync(aside);
    }
  } finally {
    if (fs.existsSync(mine)) fs.unlinkSync(mine);
  }
  return () => {
    if (readOrNone(file) === text) fs.unlinkSync(file);
  };
};
