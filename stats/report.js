// The report of a run: the counters as a table for people, and as JSON for programs. The tables
// have the columns of SwingSet's runner, so that figures can be compared with its published ones.

import { formatDuration, insistArgument } from '#model';

/** @param {string} subject @param {unknown} report */
const insistReport = (subject, report) =>
  insistArgument(
    subject,
    report,
    { cranks: 'number', counters: 'object' },
    'the report of a run, as { cranks: 7, ns: 1000, counters: {} }',
  );

/**
 * A counter at the end of the run; figures that it does not have are absent.
 *
 * @typedef {object} CounterFigures
 * @property {number} value
 * @property {number} [up]
 * @property {number} [down]
 * @property {number} [max]
 */

/**
 * The rounds of a benchmark, without the setup before them.
 *
 * @typedef {object} BenchmarkReport
 * @property {number} rounds
 * @property {number} cranks  control cranks left out
 * @property {number} [controlCranks]  those of the rounds
 * @property {number} [ns]
 * @property {{ [counter: string]: number }} delta  value after the rounds minus value before them
 * @property {string[]} [results]  the result of each round's message, as text
 */

/**
 * @typedef {object} RunReport
 * @property {string} [profile]
 * @property {number} cranks  of the table `counters`, control cranks left out
 * @property {number} [controlCranks]
 * @property {number} [totalCranks]  with the benchmark's, control cranks left out
 * @property {number} [ns]  wall time of the whole run
 * @property {string} [clock]  the source of times
 * @property {unknown} [workers]  figures of each worker thread
 * @property {number} [workersWaitNs]  time for which the kernel waited for them
 * @property {{ [counter: string]: CounterFigures }} counters
 * @property {BenchmarkReport} [benchmark]
 * @property {unknown} [bootstrapResult]
 * @property {string} [activityHash]
 * @property {Collections} [forcedCollections]  full collections by `--forcegc`, which no other time
 *   includes
 * @property {Collections} [reapCollections]  full collections inside `bringOutYourDead`, in the times of its cranks
 * @property {unknown} [machine]
 */

/** The number of collections and their total time. @typedef {{ count: number, ns: number }} Collections */

const thousands = /\B(?=(\d{3})+$)/g;

/** @param {number} value  a whole number, shown with separators */
const formatCount = value => String(value).replace(thousands, ',');

/** @param {number | undefined} value */
const formatFigure = value => (value === undefined ? '' : String(value));

/**
 * Format a share with three decimals; one that would be shown as zero gets two significant digits.
 *
 * @param {number} value
 */
const formatShare = value => {
  if (!Number.isFinite(value)) return '';
  return value !== 0 && Math.abs(value) < 0.0005 ? value.toPrecision(2) : value.toFixed(3);
};

/**
 * Align the first column left and the others right, without trailing spaces.
 *
 * @param {string[]} header
 * @param {string[][]} lines
 */
const formatTable = (header, lines) => {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...lines.map(line => line[column].length)),
  );
  /** @param {string[]} cells */
  const formatLine = cells =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  return [formatLine(header), formatLine(widths.map(width => '-'.repeat(width)))].concat(
    lines.map(formatLine),
  );
};

/** @param {number} count @param {string} noun */
const formatNumber = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** @param {number} ns */
const formatTime = ns => `${formatDuration(ns)} (${formatCount(Math.round(ns))} ns)`;

/**
 * Options of tables.
 *
 * @typedef {object} TableOptions
 * @property {boolean} [hidesZeros]  show only the number of counters that stayed 0; default false
 */

/** @param {number} hidden @param {string} what the predicate of the sentence */
const tellHidden = (hidden, what) =>
  hidden === 0 ? [] : [`${formatNumber(hidden, 'counter')} ${what}; --zeros shows all`];

/**
 * Format the counters at the end of a run. PerCrank is the value divided by the cranks.
 *
 * @param {RunReport} report
 * @param {TableOptions} [options]
 * @returns {string}  lines, the last one ended too
 * @throws {TypeError} if it is no report
 */
export const formatRunReport = (report, { hidesZeros = false } = {}) => {
  insistReport('formatRunReport()', report);
  const { cranks, controlCranks = 0, ns, counters } = report;
  const aside = controlCranks === 0 ? '' : ` (control cranks aside: ${formatCount(controlCranks)})`;
  const all = Object.entries(counters);
  const shown = hidesZeros
    ? all.filter(([, { value, up = 0, down = 0, max = 0 }]) => value || up || down || max)
    : all;
  const lines = shown.map(([name, { value, up, down, max }]) => [
    name,
    ...[value, up, down, max].map(formatFigure),
    formatShare(value / cranks),
  ]);
  return [
    `In ${formatNumber(cranks, 'crank')}${aside}:`,
    '',
    ...formatTable(['Stat', 'Value', 'Incs', 'Decs', 'MaxValue', 'PerCrank'], lines),
    ...tellHidden(all.length - shown.length, 'stayed 0'),
    ...(ns === undefined ? [] : ['', `Total time ${formatTime(ns)}`]),
    '',
  ].join('\n');
};

/**
 * Format the changes of counters by a benchmark's rounds: the sum over all rounds, and a round's
 * share.
 *
 * @param {RunReport} report
 * @param {TableOptions} [options]
 * @returns {string}  lines, each with a newline; empty without a benchmark
 * @throws {TypeError} if it is no report
 */
export const formatBenchmarkReport = (report, { hidesZeros = false } = {}) => {
  insistReport('formatBenchmarkReport()', report);
  const { benchmark } = report;
  if (benchmark === undefined) return '';
  const { rounds, cranks, ns, delta } = benchmark;
  const all = Object.entries(delta);
  const shown = hidesZeros ? all.filter(([, value]) => value !== 0) : all;
  const lines = shown.map(([name, value]) => [name, String(value), formatShare(value / rounds)]);
  return [
    `In ${formatNumber(cranks, 'crank')} over ${formatNumber(rounds, 'round')} (${formatShare(cranks / rounds)} cranks a round):`,
    '',
    ...formatTable(['Stat', 'Delta', 'PerRound'], lines),
    ...tellHidden(all.length - shown.length, 'did not change'),
    ...(ns === undefined
      ? []
      : ['', `Total time ${formatTime(ns)}, a round ${formatDuration(ns / rounds)}`]),
    '',
  ].join('\n');
};

/** @param {Collections} collections */
const formatCollections = ({ count, ns }) =>
  `${formatNumber(count, 'full collection')}, ${formatTime(ns)}`;

/**
 * Format the forced collections.
 *
 * @param {RunReport} report
 * @returns {string}  lines, each with a newline; empty without collections
 * @throws {TypeError} if it is no report
 */
export const formatCollectionsReport = report => {
  insistReport('formatCollectionsReport()', report);
  const { forcedCollections, reapCollections } = report;
  return [
    ...(forcedCollections === undefined
      ? []
      : [`--forcegc: ${formatCollections(forcedCollections)}; in no other time here`]),
    ...(reapCollections === undefined
      ? []
      : [
          `bringOutYourDead: ${formatCollections(reapCollections)}; part of its cranks, and of their time`,
        ]),
  ]
    .map(line => `${line}\n`)
    .join('');
};

/**
 * Remove properties that are undefined, so that they are absent in the file.
 *
 * @template {object} T
 * @param {T} record
 * @returns {Partial<T>}
 */
const compact = record =>
  /** @type {Partial<T>} */ (
    Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
  );

/** The fields of the report as data, in the documented order. @type {readonly (keyof RunReport)[]} */
const fields = Object.freeze([
  'profile',
  'cranks',
  'controlCranks',
  'totalCranks',
  'ns',
  'clock',
  'workers',
  'workersWaitNs',
  'counters',
  'benchmark',
  'bootstrapResult',
  'activityHash',
  'forcedCollections',
  'reapCollections',
  'machine',
]);

/** @param {BenchmarkReport} benchmark */
const benchmarkJson = ({ rounds, cranks, controlCranks, ns, delta, results }) =>
  compact({
    ...{ rounds, cranks, controlCranks, ns },
    delta: { ...delta },
    perRound: Object.fromEntries(
      Object.entries(delta).map(([name, value]) => [name, value / rounds]),
    ),
    results,
  });

/**
 * Make the report as data, with fields in the documented order. Programs rely on these names.
 *
 * @param {RunReport} report
 * @returns plain data for JSON
 * @throws {TypeError} if it is no report
 */
export const reportJson = report => {
  insistReport('reportJson()', report);
  const { counters, benchmark } = report;
  const shown = {
    ...report,
    counters: Object.fromEntries(
      Object.entries(counters).map(([name, { value, up, down, max }]) => [
        name,
        compact({ value, up, down, max }),
      ]),
    ),
    benchmark: benchmark && benchmarkJson(benchmark),
  };
  const ordered = /** @type {typeof shown} */ (
    Object.fromEntries(fields.map(name => [name, shown[name]]))
  );
  return compact(ordered);
};

/**
 * Format a report file.
 *
 * @param {RunReport} report
 * @returns {string} JSON, indented, with a newline at its end
 * @throws {TypeError} if it is no report
 */
export const formatReportJson = report => `${JSON.stringify(reportJson(report), null, 2)}\n`;
