// Results as data: one self-contained row for each figure, so that one file can have rows of
// different days and machines.

/** @import { Spread } from './spread.js' */

/**
 * A measured figure.
 *
 * @typedef {{ name: string, unit: string, params?: Record<string, unknown> } & Spread} Figure
 */

/**
 * @typedef {object} Row
 * @property {string} suite
 * @property {string} name
 * @property {string} unit  of median, min and max
 * @property {number} n  the number of values
 * @property {number} median
 * @property {number} min
 * @property {number} max
 * @property {number} p25
 * @property {number} p75
 * @property {string} machine
 * @property {string} node  its version
 * @property {string} commit  of the sources, with a `+` if they were changed since
 * @property {Record<string, unknown>} params  the parameters of the measurement, and `noise`
 */

/**
 * @param {Figure[]} figures
 * @param {{ suite: string, machine: string, node: string, commit: string, noise: string }} context
 * @returns {Row[]}
 */
export const completeRows = (figures, { suite, machine, node, commit, noise }) =>
  figures.map(({ name, unit, n, median, min, max, p25, p75, params }) => ({
    suite,
    name,
    unit,
    n,
    median,
    min,
    max,
    p25,
    p75,
    machine,
    node,
    commit,
    params: { ...params, noise },
  }));

/** @param {number} value  shown with at least three digits, and as few decimals as possible */
const formatFigure = value => {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, ',');
};

/** @param {'min' | 'max' | 'p25' | 'p75'} name  empty for a single value */
const spreadCell = name => (/** @type {Figure} */ row) =>
  row.n > 1 ? formatFigure(row[name]) : '';

/** @type {[head: string, cell: (row: Figure) => string][]} */
const columns = [
  ['n', ({ n }) => formatFigure(n)],
  ['median', ({ median }) => formatFigure(median)],
  ['min', spreadCell('min')],
  ['max', spreadCell('max')],
  ['p25', spreadCell('p25')],
  ['p75', spreadCell('p75')],
  ['unit', ({ unit }) => unit],
];

/**
 * Format figures as a text table.
 *
 * @param {readonly Figure[]} rows
 * @returns {string}
 */
export const formatRows = rows => {
  const names = rows.map(({ name }) => name);
  const nameWidth = Math.max(...names.map(name => name.length), 0);
  const cells = columns.map(([head, cell]) => {
    const texts = rows.map(row => cell(row));
    const width = Math.max(head.length, ...texts.map(text => text.length));
    // The unit follows the figure before it.
    const pad = head === 'unit' ? 'padEnd' : 'padStart';
    return [head, ...texts].map(text => text[pad](width));
  });
  return ['', ...names]
    .map((name, i) =>
      [name.padEnd(nameWidth), ...cells.map(column => column[i])].join('  ').trimEnd(),
    )
    .map(line => `${line}\n`)
    .join('');
};
