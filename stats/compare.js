// Compares two runs or two benchmarks: the figures that changed, by how much, and whether
// significantly.

import { countOf } from '#model';
import { summarise } from './summary.js';
import { estimateSummary, holm, mannWhitney, welch } from './significance.js';
import { requireColumns } from './read.js';
import { blockColumns, cycleColumns, diskColumns, memoryColumns, timeColumns } from './columns.js';

/** @import { StatsData } from './read.js' */

/** The significance level. */
const significance = 0.05;

/**
 * A figure of both sides. `worse` and `better` differ significantly; `same` does not; `untested`
 * has too few values.
 *
 * @typedef {object} ComparedFigure
 * @property {string} name
 * @property {string} unit  `ns`, `bytes`, …
 * @property {boolean} isRate  larger is better
 * @property {{ n: number, median: number }} left
 * @property {{ n: number, median: number }} right
 * @property {number} change  the change of the median, as a share of the left one; NaN if that is 0
 * @property {number | undefined} p  corrected for the number of figures; undefined if nothing was tested
 * @property {'worse' | 'better' | 'same' | 'untested'} verdict
 */

/**
 * @typedef {object} Comparison
 * @property {'stats' | 'bench'} kind
 * @property {string} test  a sentence that names the test and its correction
 * @property {ComparedFigure[]} figures
 * @property {{ name: string, left: number, right: number }[]} counters  that differ at the end of the run
 * @property {string[]} onlyLeft  figures and counters that the right side lacks
 * @property {string[]} onlyRight
 */

/** @typedef {Omit<ComparedFigure, 'verdict'>} Untold */

/** @param {Untold} figure @returns {ComparedFigure['verdict']} */
const judge = ({ p, change, left, right, isRate }) => {
  if (p === undefined) return 'untested';
  if (p >= significance || change === 0) return 'same';
  const isLarger = Number.isNaN(change) ? right.median > left.median : change > 0;
  return isLarger === isRate ? 'better' : 'worse';
};

/** @param {Untold[]} figures @returns {ComparedFigure[]} */
const judgeAll = figures => {
  const ps = holm(figures.map(({ p }) => p));
  return figures.map((figure, i) => {
    const told = { ...figure, p: ps[i] };
    return { ...told, verdict: judge(told) };
  });
};

/** @param {number} left @param {number} right */
const shareOf = (left, right) => (left === 0 ? (right === 0 ? 0 : NaN) : (right - left) / left);

/** Columns that are divided by the cranks of their block, so that blocks of different size are comparable. */
const perCrank = new Set([...timeColumns, ...cycleColumns]);

/** Columns that are compared as figures; the others are counters, which are exact. */
const measured = [...timeColumns, ...cycleColumns, ...memoryColumns, ...diskColumns];

/** @type {Record<string, string>} */
const names = {
  btime: 'time a crank',
  ctime: 'of it commit',
  cycles: 'cycles a crank',
  instructions: 'instructions a crank',
};

/** @param {string} column */
const unitOf = column => {
  if (timeColumns.includes(column)) return 'ns';
  return cycleColumns.includes(column) ? '' : 'bytes';
};

/** @param {StatsData} data @param {string} column */
const valuesOf = ({ rows }, column) => {
  const values = rows[column];
  const scaled = perCrank.has(column) ? values.map((value, i) => value / rows.steps[i]) : values;
  return scaled.filter(Number.isFinite);
};

/** @param {string} column @param {StatsData} left @param {StatsData} right @returns {Untold | undefined} */
const compareColumn = (column, left, right) => {
  const leftValues = valuesOf(left, column);
  const rightValues = valuesOf(right, column);
  if (leftValues.length === 0 || rightValues.length === 0) return undefined;
  const one = summarise(leftValues);
  const other = summarise(rightValues);
  const isTested = one.n > 1 && other.n > 1;
  return {
    ...{ name: names[column] ?? column, unit: unitOf(column), isRate: false },
    left: { n: one.n, median: one.median },
    right: { n: other.n, median: other.median },
    change: shareOf(one.median, other.median),
    p: isTested ? mannWhitney(leftValues, rightValues).p : undefined,
  };
};

/** @param {StatsData} data @param {string} column */
const lastOf = ({ rows, length }, column) => rows[column][length - 1];

/**
 * Compare two stats files: times, cycles, memory and disk by their blocks, counters by their values
 * at the end.
 *
 * @param {StatsData} left
 * @param {StatsData} right
 * @returns {Comparison}
 * @throws {UserError} a file does not say how many cranks a block has
 */
export const compareStats = (left, right) => {
  for (const { file, columns } of [left, right])
    requireColumns(file, columns, ['steps'], '--logtimes');
  const shared = left.columns.filter(column => right.columns.includes(column));
  const figures = measured
    .filter(column => shared.includes(column))
    .flatMap(column => compareColumn(column, left, right) ?? []);
  const counters = shared
    .filter(column => !measured.includes(column) && !blockColumns.includes(column))
    .map(name => ({ name, left: lastOf(left, name), right: lastOf(right, name) }))
    .filter(({ left: one, right: other }) => one !== other);
  return {
    kind: 'stats',
    test: `Mann-Whitney U of the blocks, two-sided, p by Holm for ${countOf(figures.length, 'figure')}; blocks of one run depend on each other, so two runs of one program often differ, too: repeat both`,
    ...{ figures: judgeAll(figures), counters },
    onlyLeft: left.columns.filter(column => !shared.includes(column)),
    onlyRight: right.columns.filter(column => !shared.includes(column)),
  };
};

/**
 * A row of a benchmark's results, as `npm run bench -- SUITE --json FILE` writes it.
 *
 * @typedef {{ suite: string, name: string, unit: string, n: number, median: number, p25: number, p75: number }} BenchRow
 */

/** @param {unknown} row @returns {row is BenchRow} */
export const isBenchRow = row => {
  if (typeof row !== 'object' || row === null) return false;
  const { suite, name, unit, ...rest } = /** @type {Record<string, unknown>} */ (row);
  return (
    [suite, name, unit].every(each => typeof each === 'string') &&
    ['n', 'median', 'p25', 'p75'].every(each => Number.isFinite(rest[each]))
  );
};

/** @param {BenchRow} row */
const nameOf = ({ suite, name }) => `${suite}: ${name}`;

/** @param {BenchRow} left @param {BenchRow} right @returns {Untold} */
const compareRow = (left, right) => ({
  ...{ name: nameOf(left), unit: left.unit, isRate: /\/s$|per second/.test(left.unit) },
  left: { n: left.n, median: left.median },
  right: { n: right.n, median: right.median },
  change: shareOf(left.median, right.median),
  p: left.n > 1 && right.n > 1 ? welch(estimateSummary(left), estimateSummary(right)).p : undefined,
});

/**
 * Compare two files of benchmarks, figure by figure, matched by suite, name and unit.
 *
 * @param {readonly BenchRow[]} left
 * @param {readonly BenchRow[]} right
 * @returns {Comparison}
 */
export const compareBench = (left, right) => {
  const keyOf = (/** @type {BenchRow} */ row) => JSON.stringify([row.suite, row.name, row.unit]);
  const others = new Map(right.map(row => [keyOf(row), row]));
  const ours = new Set(left.map(keyOf));
  const figures = left.flatMap(row => {
    const other = others.get(keyOf(row));
    return other === undefined ? [] : [compareRow(row, other)];
  });
  return {
    kind: 'bench',
    test: `Welch's t, two-sided, mean and error estimated from quartiles, p by Holm for ${countOf(figures.length, 'figure')}`,
    ...{ figures: judgeAll(figures), counters: [] },
    onlyLeft: left.filter(row => !others.has(keyOf(row))).map(nameOf),
    onlyRight: right.filter(row => !ours.has(keyOf(row))).map(nameOf),
  };
};

/**
 * Find the figures that got significantly worse, by more than a threshold.
 *
 * @param {Comparison} comparison
 * @param {number} threshold  a share: 0.05 allows 5 %
 */
export const findRegressions = ({ figures }, threshold) =>
  figures.filter(
    ({ verdict, change, isRate }) =>
      verdict === 'worse' && !((isRate ? -change : change) <= threshold),
  );
