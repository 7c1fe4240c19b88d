// `report --growth`: finds growing figures in a stats file, and the holders of objects in a
// database. A folder may have both.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote, UserError } from '#model';
import { analyseGrowth, leastStretches, readStatsFile } from '#stats';
import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';

/** @import { Retention } from '#host' */
/** @import { Growth, StatsData } from '#stats' */

/**
 * @typedef {object} GrowthReport
 * @property {string} [statsFile]
 * @property {Growth} [growth]
 * @property {string} [database]
 * @property {Retention} [retention]
 */

const databaseName = 'data.mdb';

/** The names of the report of a stats file: of a run, or of a matrix. @param {string} file */
const reportFiles = file => {
  const name = basename(file).replace(/^stats-/, '');
  return ['report.json', `${name}-benchmark.json`].map(each => join(dirname(file), each));
};

/**
 * The number of rounds of the stats file, from the report beside it; undefined without a report of
 * the same run.
 *
 * @param {StatsData} stats
 */
const findBenchmark = ({ file, rows: { steps } }) => {
  const all = steps.reduce((sum, count) => sum + count, 0);
  for (const reportFile of reportFiles(file)) {
    try {
      // Nobody named this file: a pipe would be waited for, and a device may never end.
      if (!statSync(reportFile).isFile()) continue;
      const { benchmark, totalCranks, controlCranks } = JSON.parse(
        readFileSync(reportFile, 'utf8'),
      );
      // The report belongs to another run.
      if (totalCranks + controlCranks !== all || !(benchmark?.rounds > 0)) continue;
      return {
        rounds: benchmark.rounds,
        cranks: benchmark.cranks + (benchmark.controlCranks ?? 0),
      };
    } catch {
      // None, or not a report.
    }
  }
  return undefined;
};

/** @param {string} file */
const growthOf = file => {
  const stats = readStatsFile(file);
  if (stats.rows.steps === undefined)
    throw new UserError(`${file}: has no column "steps"; growth needs it, and a run writes it`);
  const growth = analyseGrowth(stats, findBenchmark(stats));
  if (growth === undefined)
    throw new UserError(
      `${file}: ${stats.length === 1 ? 'its only block is' : `its ${stats.length} blocks are`} too few to tell what grows; run more rounds, so that ${leastStretches} blocks or more are left without the first tenth`,
    );
  return growth;
};

/** @param {string} folder */
const statsFilesIn = folder =>
  isFolder(folder) ? readdirSync(folder).filter(name => /^stats-.+/.test(name)) : [];

/** @param {string} path */
const isFolder = path => existsSync(path) && statSync(path).isDirectory();

/** @param {string} dir @returns {Promise<Retention>} */
const retentionOf = async dir => {
  const { readLmdbStore, readStoredRetention } = await import('#host');
  const store = readLmdbStore({ dir, onLoss: tellLoss });
  try {
    return await readStoredRetention(store);
  } finally {
    await store.close();
  }
};

/**
 * @param {string} path  a stats file, a database, a folder with one of each, or the directory of
 *   the vats
 * @returns {Promise<GrowthReport>}
 */
export const findGrowth = async path => {
  if (existsSync(path) && !isFolder(path)) {
    if (basename(path) !== databaseName) return { statsFile: path, growth: growthOf(path) };
    return { database: dirname(path), retention: await retentionOf(dirname(path)) };
  }
  const { findDatabase, outputFoldersOf } = await import('#host');
  for (const folder of outputFoldersOf(path, demosDir)) {
    const database = findDatabase([folder]);
    const files = statsFilesIn(folder);
    if (files.length > 1)
      throw new UserError(
        `${quote(folder)} has ${files.length} stats files; name one of them, for example ${quote(join(folder, files[0]))}`,
      );
    if (files.length === 0 && database === undefined) continue;
    const statsFile = files.length === 1 ? join(folder, files[0]) : undefined;
    return {
      ...(statsFile !== undefined && { statsFile, growth: growthOf(statsFile) }),
      ...(database !== undefined && { database, retention: await retentionOf(database) }),
    };
  }
  throw new UserError(
    existsSync(path)
      ? `${quote(path)} has neither a stats file nor a database`
      : `there is no ${quote(path)}; name a stats file, a database, or a directory that a run has written`,
  );
};
