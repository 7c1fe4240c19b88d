// Exports a saved state to one file, and imports it, for another machine or an archive. The file is written whole or
// not at all, and so is the state; existing ones are replaced only on request.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { explainFileError, quote, UserError } from '#model';
import { insistUnused, openLmdbStore, readStateFile, stateFileChunks } from '#store';
import { isRunnable, lookUpBaseDir } from '#config';
import { findOutputFolder, outputRoot } from './output-folder.js';
import { loadStoredKernel } from '../reports/report.js';

/** @import { Store } from '#store' */

/**
 * @template T
 * @param {string} path
 * @param {() => T} act
 * @returns {T}
 */
const explainFile = (path, act) => {
  try {
    return act();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const told = explainFileError(error, path);
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (told);
    if (!(told instanceof UserError) && code === undefined) throw error;
    throw new UserError(told instanceof UserError ? message : `${path}: ${message}`, {
      exitCode: 1,
      cause: error,
    });
  }
};

/** @param {string} path */
const kindOf = path => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'nothing';
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';
};

/** Make a new name in a directory durable. @param {string} dir */
const syncFolder = dir => {
  // Windows refuses to flush a directory; its file system keeps a log of names itself.
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/**
 * @param {Store} store
 * @param {string} file
 * @param {{ replace?: boolean, hasLocal?: boolean }} [options]  `replace` an existing file; `hasLocal`: include data
 *   that may differ between equal runs (times, paths)
 * @returns {number} bytes
 * @throws {UserError} if the file exists and `replace` is not set, it cannot be written, or the state is damaged
 */
export const exportState = (store, file, { replace = false, hasLocal = false } = {}) => {
  const kind = explainFile(file, () => kindOf(file));
  if (kind === 'directory' || kind === 'other')
    throw new UserError(`${file} is no file that could be written; name another`);
  if (kind === 'file' && !replace)
    throw new UserError(`${file} is there already; name another file, or replace it with --force`);
  const made = `${file}.${process.pid}.part`;
  let bytes = 0;
  return explainFile(file, () => {
    if (kindOf(dirname(resolve(file))) !== 'directory')
      throw new UserError(
        `${file} cannot be written: its folder does not exist; name a file in one`,
        { exitCode: 1 },
      );
    const fd = openSync(made, 'wx');
    try {
      try {
        for (const chunk of stateFileChunks(store, { hasLocal })) {
          for (let done = 0; done < chunk.length;)
            done += writeSync(fd, chunk, done, chunk.length - done);
          bytes += chunk.length;
        }
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(made, file);
    } catch (error) {
      rmSync(made, { force: true });
      throw error;
    }
    syncFolder(dirname(resolve(file)));
    return bytes;
  });
};

/**
 * @param {string} dir
 * @param {boolean} replace
 */
const insistFree = (dir, replace) => {
  const kind = kindOf(dir);
  if (kind === 'nothing') return;
  if (kind !== 'directory')
    throw new UserError(`${dir} is no directory; name another with --dbdir`);
  const names = readdirSync(dir);
  if (names.length === 0) return;
  const foreign = names.find(name => !/^(data\.mdb(-lock)?|blocks\.log|store\.lock)$/.test(name));
  if (foreign !== undefined)
    throw new UserError(
      `${dir} has a file ${quote(foreign)}, which belongs to no state; name another directory with --dbdir`,
    );
  if (!replace)
    throw new UserError(
      `${dir} holds a state already; name another directory with --dbdir, or replace it with --force`,
    );
  insistUnused(dir);
};

/**
 * @param {string} file
 * @param {string} dir  of the database: empty or missing
 * @param {{ replace?: boolean }} [options]  `replace` an existing state
 * @returns {Promise<{ cranks: number, activityHash: string }>}
 * @throws {UserError} if the file is damaged or of another schema version, or a state exists and `replace` is not set
 */
export const importState = async (file, dir, { replace = false } = {}) => {
  const kind = explainFile(file, () => kindOf(file));
  if (kind !== 'file')
    throw new UserError(
      kind === 'nothing'
        ? `there is no file ${quote(file)}; name what "swingset-runner export" has written`
        : `${file} is no file; name what "swingset-runner export" has written`,
    );
  explainFile(dir, () => insistFree(dir, replace));
  const making = `${dir}.importing`;
  // This also reuses the directory of a killed import, and throws while another import is under way.
  const store = openImporting(making, dir);
  let imported;
  try {
    explainFile(file, () => readStateFile(file, store));
    const kernel = loadStoredKernel(store);
    imported = { cranks: kernel.cranks.all, activityHash: kernel.activityHash() };
    await store.close();
  } catch (error) {
    // After a full disk it throws the same again.
    await store.close().catch(() => {});
    rmSync(making, { recursive: true, force: true });
    if (error instanceof UserError) throw withoutStore(error, dir);
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`${file} holds no state that can be loaded: ${message}`, {
      exitCode: 1,
      cause: error,
    });
  }
  explainFile(dir, () => {
    if (existsSync(dir)) {
      insistFree(dir, replace);
      if (readdirSync(dir).length > 0) replaceState(dir);
      rmdirSync(dir);
    }
    renameSync(making, dir);
    syncFolder(dirname(resolve(dir)));
  });
  return imported;
};

/** @param {string} making @param {string} dir  named if the disk is full */
const openImporting = (making, dir) => {
  try {
    return openLmdbStore({ dir: making, durability: 'none', create: true });
  } catch (error) {
    throw withoutStore(error, dir);
  }
};

/**
 * An error of a store in words of an import: the store would say how its run goes on.
 *
 * @param {unknown} error
 * @param {string} dir  the directory that was asked for
 */
const withoutStore = (error, dir) => {
  const cause = error instanceof UserError ? error.cause : undefined;
  const told = explainFileError(cause, dir);
  return told instanceof UserError ? told : error;
};

/**
 * The default name of the run in a file: the file's name without its extension.
 *
 * @param {string} file
 */
export const nameOfStateFile = file => basename(file, extname(file));

/**
 * Find the directory of a run's state.
 *
 * @param {string} path  the program's directory, the directory of its output, or the name of the latter
 * @param {string} [demosDir]  the directory in which a missing path is looked up
 */
export const stateDirOf = (path, demosDir) => {
  if (kindOf(path) !== 'directory' && basename(path) === path)
    return join(outputRoot, path, 'state');
  const baseDir = lookUpBaseDir(path, demosDir);
  const isProgram = baseDir !== undefined && isRunnable(baseDir);
  return join(isProgram ? findOutputFolder({ baseDir }).folder : path, 'state');
};

/** @param {string} dir */
const replaceState = dir => {
  for (const name of ['data.mdb', 'data.mdb-lock', 'blocks.log', 'store.lock'])
    rmSync(join(dir, name), { force: true });
};
