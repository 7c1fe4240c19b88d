// Formats the results as plain text or Markdown: L4Re's table with this machine's rows, and the
// table of all paths.

import { hardwareCounterNames } from '#native';
import { publishedRows } from './published.js';
import { chooseTableColumns, unitOf } from './units.js';
import { formatTable } from '../text-table.js';

/** @import { IpcResult } from './measure-ipc.js' */
/** @import { Column, Figures } from './instrument.js' */
/** @import { ParallelResult } from './measure-parallel.js' */

/**
 * This machine's rows of the table: the path for each of L4Re's columns. Reactors make no system
 * calls except for the time.
 *
 * @type {readonly { name: string, intra?: string, inter?: string, syscall?: string }[]}
 */
export const tableRows = Object.freeze([
  { name: 'reactors', intra: 'reactor to reactor', inter: 'port, memory' },
  {
    name: 'objects',
    intra: 'eventual send',
    inter: 'message, memory',
    syscall: 'store read, memory',
  },
]);

/** @type {readonly ('intra' | 'inter' | 'syscall')[]} */
const tableColumns = ['intra', 'inter', 'syscall'];

/** @import { Form } from '../text-table.js' */

/** @param {number | undefined} value  shown with at least three digits */
const formatNumber = value => {
  if (value === undefined) return '–';
  const text =
    value >= 100 || Number.isInteger(value)
      ? value.toFixed(0)
      : value.toPrecision(value < 1 ? 2 : 3);
  return text.replace(/\B(?=(\d{3})+$)/g, ',');
};

/** @param {number[]} figures */
const formatPublished = figures => figures.map(formatNumber).join('/');

/**
 * @param {IpcResult} result
 * @param {typeof tableRows[number]} row
 * @param {'median' | 'average'} statistic
 */
const ownCells = ({ paths, timer, columns }, row, statistic) =>
  tableColumns.map(kind => {
    const wanted = row[kind];
    if (wanted === undefined) return '';
    const figures = paths.find(({ name }) => name === wanted)?.figures ?? {};
    return chooseTableColumns(timer.name, columns)
      .map(column => formatNumber(column && figures[column]?.[statistic]))
      .join('/');
  });

/** @param {IpcResult} result whose row's units are described */
const describeOwn = ({ timer, columns, hardware }) => {
  const chosen = chooseTableColumns(timer.name, columns);
  const shown = chosen.flatMap(column => (column ? [unitOf(column, timer.name)] : []));
  const missing = hardwareCounterNames.filter(name => !columns.includes(name));
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const name of missing) {
    const counter = hardware[name];
    const reason = counter.isAvailable ? 'only a system call reads it' : counter.reason;
    byReason.set(reason, [...(byReason.get(reason) ?? []), unitOf(name, timer.name)]);
  }
  const why = [...byReason].map(([reason, names]) => `${names.join(', ')} (${reason})`);
  const isTimer = chosen[0] === 'timer';
  return [
    `This machine: ${shown.join('/')}${isTimer && timer.name === 'tsc' ? ', for counter 2' : ''}${isTimer && timer.name !== 'tsc' ? ', which are not cycles' : ''}.`,
    ...(why.length > 0 ? [`Not available here: ${why.join('; ')}.`] : []),
  ];
};

/** @param {IpcResult} result */
const describeTimer = ({ timer, markCost, columns }) => {
  const rate =
    timer.name === 'hrtime'
      ? "Node's clock, in nanoseconds"
      : `${unitOf('timer', timer.name)}, ${(timer.hz / 1e9).toFixed(timer.hz < 1e9 ? 4 : 3)} GHz (${timer.hzSource}${timer.isSteady ? '' : '; it does not tick at one rate'})`;
  const costs = columns.map(
    column => `${formatNumber(markCost[column]?.median)} ${column === 'timer' ? 'ticks' : column}`,
  );
  return `Timer: ${rate}. Reading takes ${costs.join(', ')}, which is subtracted.`;
};

/**
 * Format L4Re's table with this machine's rows.
 *
 * @param {IpcResult} result
 * @param {Form} form
 */
const formatComparison = (result, form) => {
  const rows = publishedRows.map(({ platform, processor, intra, inter, syscall }) => [
    platform,
    processor,
    ...[intra, inter, syscall].map(formatPublished),
  ]);
  for (const statistic of /** @type {const} */ (['median', 'average'])) {
    for (const row of tableRows) {
      const label = `this machine, ${row.name}, ${statistic}`;
      rows.push([label, result.processor, ...ownCells(result, row, statistic)]);
    }
  }
  return formatTable(['Platform', 'Processor', 'Intra', 'Inter', 'Syscall'], rows, 2, form);
};

/** @type {[head: string, key: keyof NonNullable<Figures['timer']>][]} */
const statistics = [
  ['calls', 'n'],
  ['average', 'average'],
  ['min', 'min'],
  ['p25', 'p25'],
  ['median', 'median'],
  ['p75', 'p75'],
  ['p99', 'p99'],
];

/**
 * Format all paths in one unit.
 *
 * @param {IpcResult} result
 * @param {Column} column
 * @param {Form} form
 */
const formatPaths = ({ paths, timer }, column, form) => {
  const isNs = column === 'timer' && timer.name === 'hrtime';
  const withNs = column === 'timer' && !isNs;
  const rows = paths.map(({ name, group, figures, ns, together }) => [
    name,
    group,
    ...statistics.map(([, key]) => {
      const value = figures[column]?.[key];
      return formatNumber(key === 'n' && value !== undefined ? value * together : value);
    }),
    ...(withNs ? [formatNumber(ns.median)] : []),
  ]);
  const header = [
    '',
    'kind',
    ...statistics.map(([head]) => head),
    ...(withNs ? ['median, ns'] : []),
  ];
  return formatTable(header, rows, 2, form);
};

/** Describes the paths in the columns of a row. @param {typeof tableRows[number]} row */
const describeRow = ({ name, ...kinds }) =>
  `${name}: ${Object.entries(kinds)
    .map(([kind, path]) => `${kind} is "${path}"`)
    .join(', ')}`;

/** @param {string} text @param {Form} form */
const heading = (text, form) => (form === 'markdown' ? `## ${text}\n\n` : `${text}\n\n`);

/**
 * @param {IpcResult} result
 * @param {Form} form
 */
export const formatIpc = (result, form) => {
  const { columns, timer, noise, commit, core, notice, paths } = result;
  const notes = [
    'Published by L4Re: cycles, averages; on x86 the fixed-function counters 2/1/0: time-stamp counter/unhalted core cycles/instructions.',
    ...describeOwn(result),
    `This machine runs ${result.system}. Its rows: ${tableRows.map(describeRow).join('; ')}.`,
    describeTimer(result),
    ...(notice === undefined ? [] : [`${notice}.`]),
    `Machine: ${noise}${core === undefined ? '' : `; the thread was pinned to core ${core}`}. Commit ${commit}.`,
    ...(noise === 'idle' ? [] : ['Other work was going on: measure again before you rely on it.']),
  ];
  const list = form === 'markdown' ? notes.map(note => `- ${note}`) : notes;
  const about = paths.map(path => [path.name, path.about]);
  return [
    heading('IPC and system calls', form),
    formatComparison(result, form),
    `\n${list.join('\n')}\n\n`,
    ...columns.map(
      column =>
        `${heading(`All paths, ${unitOf(column, timer.name)}`, form)}${formatPaths(result, column, form)}\n`,
    ),
    formatTable(['', 'one call'], about, 2, form),
  ].join('');
};

/**
 * @param {ParallelResult} result
 * @param {Form} form
 */
export const formatParallel = (result, form) => {
  const { timer, rows, noise, isPinned, pinProblem } = result;
  const unit = unitOf('timer', timer.name);
  const table = formatTable(
    ['', 'cores at once', 'calls', 'average', 'median', 'p75', 'p99', 'median, ns'],
    rows.map(({ name, cores, together, figures: { n, average, median, p75, p99 }, ns }) => [
      name,
      String(cores),
      ...[n * together, average, median, p75, p99, ns].map(formatNumber),
    ]),
    1,
    form,
  );
  const notes = [
    `${unit[0].toUpperCase()}${unit.slice(1)} of one call, by the number of cores that make calls at once; each thread has a kernel and vats of its own, ${isPinned ? 'and is pinned to its core' : `and is not pinned to a core (${pinProblem})`}.`,
    `Machine: ${noise}.`,
  ];
  const list = form === 'markdown' ? notes.map(note => `- ${note}`) : notes;
  return `${heading('In parallel', form)}${table}\n${list.join('\n')}\n`;
};
