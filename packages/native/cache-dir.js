// The default folder of compiled modules, and the making of folders.
//
// Compiled code is run without further checks, so a cache must be private: a folder of this user's that nobody else may
// write to. A checksum within a file finds damage, and not a forgery.

import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const privateMode = 0o700;

/** The user of the system itself, who can do anything. */
const systemUser = 0;

/** Permissions of the group and of others to write. */
const writtenByOthers = 0o022;

/** The permission of all to write, and the mark of a folder in which each replaces files of their own only (`/tmp`). */
const writtenByAll = 0o002;
const sticky = 0o1000;

/**
 * The folder of caches that the user of this process has chosen: `$SWINGSET_RUNNER_CACHE_DIR`. Library programs that name
 * none keep compiled sources there, and nowhere without it.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} an absolute path
 */
export const findCacheDir = (env = process.env) =>
  env.SWINGSET_RUNNER_CACHE_DIR ? resolve(env.SWINGSET_RUNNER_CACHE_DIR) : undefined;

/**
 * The default cache folder of compiled sources: `$SWINGSET_RUNNER_CACHE_DIR`, else `swingset-runner` in `$XDG_CACHE_HOME`, else
 * in `~/.cache`. The call does not create it.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string} an absolute path
 */
export const defaultCacheDir = (env = process.env) =>
  findCacheDir(env) ?? join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'swingset-runner');

/** @param {string} folder */
const isFolder = folder => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Make a folder and its parents. `mkdirSync` with `recursive` never returns on Node 20 where nothing can be added
 * (`/proc`).
 *
 * @param {string} folder
 * @param {number} [mode]  of the new folders
 * @throws {NodeJS.ErrnoException} if the folder cannot be made
 */
export const makeFolder = (folder, mode) => {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
};

/**
 * Make a folder for code that this program compiles and later runs, if it is not there. A folder that others could write
 * to is emptied first and closed to them, and must not be in one where they could put another in its place. Systems without
 * user ids have no such check.
 *
 * @param {string} folder
 * @param {{ userId?: number | undefined }} [options]  of this process; default: the effective one
 * @throws {Error} if the folder belongs to another user or could be replaced by one, or cannot be made
 */
export const makePrivateFolder = (folder, { userId = process.geteuid?.() } = {}) => {
  makeFolder(folder, privateMode);
  if (userId === undefined) return;
  // A link may be changed by whoever made it.
  for (const { uid } of [lstatSync(folder), statSync(folder)])
    if (uid !== userId) throw Error(`the folder ${folder} belongs to another user`);
  const { uid, mode } = statSync(dirname(folder));
  if (![userId, systemUser].includes(uid) || (mode & (writtenByAll | sticky)) === writtenByAll)
    throw Error(`another user could replace the folder ${folder}`);
  if ((statSync(folder).mode & writtenByOthers) === 0) return;
  chmodSync(folder, privateMode);
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, force: true });
};
