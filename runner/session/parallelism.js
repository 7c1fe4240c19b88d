// `report --parallelism`: estimates from a slog what threads could gain.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quote, UserError } from '#model';
import { readParallelism } from '#observe/parallelism';
import { demosDir } from '../demos-dir.js';

/** @import { Parallelism } from '#observe/parallelism' */

/** @typedef {{ file: string } & Parallelism} ParallelismReport */

const isFolder = (/** @type {string} */ path) => existsSync(path) && statSync(path).isDirectory();

/** @param {string} folder */
const slogsIn = folder =>
  isFolder(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.slog'))
        .sort()
    : [];

/**
 * @param {string} path  a slog, a folder with one (`NAME.slog`), or the directory of the vats
 * @returns {Promise<string>} its file
 */
const findSlog = async path => {
  if (existsSync(path) && !isFolder(path)) return path;
  const { outputFoldersOf } = await import('#host');
  for (const folder of outputFoldersOf(path, demosDir)) {
    const files = slogsIn(folder);
    if (files.length > 1)
      throw new UserError(
        `${quote(folder)} has ${files.length} slogs; name one of them, for example ${quote(join(folder, files[0]))}`,
      );
    if (files.length === 1) return join(folder, files[0]);
  }
  throw new UserError(
    existsSync(path)
      ? `${quote(path)} has no file NAME.slog; write one with --slog FILE, and name it here`
      : `there is no ${quote(path)}; name a file that --slog has written`,
  );
};

/**
 * @param {string} path
 * @returns {Promise<ParallelismReport>}
 */
export const findParallelism = async path => {
  const file = await findSlog(path);
  return { file, ...readParallelism(file) };
};
