// Compares two stats files, two files of benchmarks, two slogs, or the states of two runs.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { explainFileError, quote, UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';

/** @import { BlockDifference } from '#host' */
/** @import { SlogDifference } from '#observe/slog' */
/** @import { BenchRow, Comparison } from '#stats/compare.js' */

/** @typedef {'stats' | 'bench' | 'slog' | 'state'} CompareKind */

/** @typedef {{ dir: string, cranks: number, activityHash: string }} ComparedState */

/** The number of bytes that identify the kind of a file. */
const headBytes = 200;

/** @param {string} file */
const readHead = file => {
  const bytes = Buffer.alloc(headBytes);
  const fd = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, headBytes, 0));
  } catch (error) {
    throw explainFileError(error, file);
  } finally {
    closeSync(fd);
  }
};

/**
 * Find the kind of a path: a directory is a state; a file's kind follows from its first bytes.
 *
 * @param {string} path
 * @returns {CompareKind}
 */
const kindOf = path => {
  if (!existsSync(path) || statSync(path).isDirectory()) return 'state';
  const head = readHead(path);
  if (head.startsWith('block\t')) return 'stats';
  if (head.startsWith('{"type":"slog"')) return 'slog';
  if (/^\s*\[/.test(head)) return 'bench';
  throw new UserError(
    `${quote(path)} cannot be compared; compare takes two stats files (stats-NAME.tsv), two files of npm run bench -- SUITE --json FILE, two slogs (--slog FILE), or two databases`,
  );
};

/** The name of each kind in messages. @type {Record<CompareKind, string>} */
const kindNames = {
  stats: 'a stats file',
  bench: 'a file of benchmarks',
  slog: 'a slog',
  state: 'a database or a directory',
};

/**
 * @param {string} left
 * @param {string} right
 * @returns {CompareKind}
 * @throws {UserError} they are of two kinds
 */
export const chooseKind = (left, right) => {
  const kind = kindOf(left);
  const other = kindOf(right);
  if (kind === other) return kind;
  throw new UserError(
    `${quote(left)} is ${kindNames[kind]} and ${quote(right)} is ${kindNames[other]}; compare takes two of a kind`,
  );
};

/** @param {string} file @returns {Promise<BenchRow[]>} */
const readBench = async file => {
  const { isBenchRow } = await import('#stats/compare.js');
  let rows;
  try {
    rows = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UserError(`${quote(file)} is no JSON; name what npm run bench --json FILE wrote`);
  }
  const at = Array.isArray(rows) ? rows.findIndex(row => !isBenchRow(row)) : 0;
  if (at >= 0)
    throw new UserError(
      `${quote(file)}: row ${at + 1} is not a row of a benchmark (suite, name, unit, n, median, p25, p75); name what npm run bench --json FILE wrote`,
    );
  return rows;
};

/**
 * @param {'stats' | 'bench'} kind
 * @param {string} left
 * @param {string} right
 * @returns {Promise<Comparison>}
 */
export const compareFigures = async (kind, left, right) => {
  const { compareBench, compareStats } = await import('#stats/compare.js');
  if (kind === 'bench') return compareBench(await readBench(left), await readBench(right));
  const { readStatsFile } = await import('#stats/read.js');
  return compareStats(readStatsFile(left), readStatsFile(right));
};

/**
 * @param {string} left
 * @param {string} right
 * @returns {Promise<{ cranks: number, difference: SlogDifference | undefined }>}
 */
export const compareSlogFiles = async (left, right) => {
  const { compareSlogs } = await import('#observe/slog');
  return compareSlogs(left, right, 'compare');
};

/**
 * @param {string} left
 * @param {string} right
 * @returns {Promise<{ runs: readonly [ComparedState, ComparedState], difference: BlockDifference | undefined }>}
 */
export const compareStates = async (left, right) => {
  const { compareRuns, openKernel } = await import('#host');
  /** @type {{ close: () => Promise<void> }[]} */
  const opened = [];
  const open = async (/** @type {string} */ path) => {
    const run = await openKernel(path, { demosDir, onLoss: tellLoss });
    opened.push(run);
    return run;
  };
  try {
    const one = await open(left);
    const other = await open(right);
    const runs = /** @type {const} */ ([describeState(one), describeState(other)]);
    const difference = await compareRuns(
      { store: one.store, name: one.dir },
      { store: other.store, name: other.dir },
    );
    return { runs, difference };
  } finally {
    for (const run of opened.reverse()) await run.close();
  }
};

/** @param {Awaited<ReturnType<typeof import('#host').openKernel>>} run @returns {ComparedState} */
const describeState = ({ dir, kernel }) => ({
  ...{ dir, cranks: kernel.cranks.all, activityHash: kernel.activityHash() },
});
