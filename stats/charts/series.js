// From the columns of stats files to the lines of a chart: which run and field each is, its name and its colour.

import { quote, UserError } from '#model';
import { requireColumns } from '../read.js';
import { fieldShade, hueCount, runDash, runHue } from './palette.js';

/** @import { Points } from './sampling.js' */

/**
 * A run as a chart needs it; `readStatsFile` gives one.
 *
 * @typedef {object} Dataset
 * @property {string} label
 * @property {string} [file]  for error messages
 * @property {readonly string[]} columns
 * @property {{ [column: string]: Float64Array }} rows
 */

/**
 * @typedef {object} Line
 * @property {string} run  the run's label, made to differ from the others'
 * @property {string} field
 * @property {string} name  what the legend calls the line
 * @property {string} colour
 * @property {number[]} dash
 * @property {number[]} xs  block numbers
 * @property {number[]} ys  in the file's unit; values not known are left out
 */

/** Up to so many runs share a panel with all their fields; more get a panel a field. */
const runsInOnePanel = 3;

/** More runs than this cannot be told apart by hue and stroke. */
const mostRuns = 4 * hueCount;

/**
 * Labels as they are given, numbered where two are equal.
 *
 * @param {readonly Dataset[]} datasets
 */
const labelRuns = datasets => {
  if (datasets.length === 0) throw new UserError('a graph needs one stats file at least');
  if (datasets.length > mostRuns) {
    throw new UserError(
      `${datasets.length} runs are too many for one graph; up to ${mostRuns} can be told apart`,
    );
  }
  /** @type {Map<string, number>} */
  const seen = new Map();
  return datasets.map(({ label }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
};

/** @param {number} runs */
export const fitOnePanel = runs => runs <= runsInOnePanel;

/**
 * The lines of some fields of all runs, run by run.
 *
 * @param {readonly Dataset[]} datasets
 * @param {readonly string[]} fields
 * @param {object} options
 * @param {readonly string[]} [options.needed]  other columns that the values are made of
 * @param {string} options.remedy  the flags that record these fields
 * @param {(rows: Dataset['rows'], field: string) => (index: number) => number} [options.toValue]  how a row gives y
 * @returns {Line[]}
 */
export const makeLines = (
  datasets,
  fields,
  { needed = [], remedy, toValue = (rows, field) => i => rows[field][i] },
) => {
  const labels = labelRuns(datasets);
  const together = fitOnePanel(datasets.length);
  return datasets.flatMap(({ file, columns, rows }, run) => {
    const place = file ?? labels[run];
    requireColumns(place, columns, ['block', ...needed, ...fields], remedy);
    return fields.map((field, fieldIndex) => {
      const value = toValue(rows, field);
      /** @type {number[]} */
      const xs = [];
      /** @type {number[]} */
      const ys = [];
      for (let i = 0; i < rows.block.length; i += 1) {
        const y = value(i);
        if (Number.isNaN(y) || Number.isNaN(rows.block[i])) continue;
        xs.push(rows.block[i]);
        ys.push(y);
      }
      if (xs.length === 0) {
        throw new UserError(
          `${place}: its column ${quote(field)} has no values; run again with ${remedy}`,
        );
      }
      return {
        run: labels[run],
        field,
        name:
          !together || fields.length === 1
            ? labels[run]
            : datasets.length === 1
              ? field
              : `${labels[run]}: ${field}`,
        colour: together ? fieldShade(run, fieldIndex, fields.length) : runHue(run),
        dash: runDash(run),
        xs,
        ys,
      };
    });
  });
};
