// `report --parallelism`: estimates from a slog what threads could gain, and tells from the run's report what they gained.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote, UserError } from '#model';
import { readParallelism } from '#observe/parallelism';
import { demosDir } from '../demos-dir.js';
import { readReport } from './report-text.js';

/** @import { Parallelism } from '#observe/parallelism' */

/** @import { WorkerFigures } from '#host' */

/** The work of a run's threads, from its report. @typedef {{ report: string, workers: readonly WorkerFigures[], workersWaitNs?: number }} Gained */

/** @typedef {{ file: string, gained?: Gained } & Parallelism} ParallelismReport */

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
 * @returns {Promise<{ file: string, folders: readonly string[] }>} its file, and folders in which the run's report may be
 */
const findSlog = async path => {
  if (existsSync(path) && !isFolder(path)) return { file: path, folders: [dirname(path)] };
  const { outputFoldersOf } = await import('#host');
  const folders = outputFoldersOf(path, demosDir);
  for (const folder of folders) {
    const files = slogsIn(folder);
    if (files.length > 1)
      throw new UserError(
        `${quote(folder)} has ${files.length} slogs; name one of them, for example ${quote(join(folder, files[0]))}`,
      );
    if (files.length === 1) return { file: join(folder, files[0]), folders };
  }
  throw new UserError(
    existsSync(path)
      ? `${quote(path)} has no file NAME.slog; write one with --slog FILE, and name it here`
      : `there is no ${quote(path)}; name a file that --slog has written`,
  );
};

/** @param {readonly string[]} folders @returns {Gained | undefined} undefined if no report is there, or the run had no threads */
const findGained = folders => {
  const report = folders.map(folder => join(folder, 'report.json')).find(existsSync);
  if (report === undefined) return undefined;
  const { workers = [], workersWaitNs } = readReport(report);
  if (workers.length === 0) return undefined;
  return { report, workers, ...(workersWaitNs !== undefined && { workersWaitNs }) };
};

/**
 * @param {string} path
 * @returns {Promise<ParallelismReport>}
 */
export const findParallelism = async path => {
  const { file, folders } = await findSlog(path);
  const gained = findGained(folders);
  return { file, ...readParallelism(file), ...(gained && { gained }) };
};
