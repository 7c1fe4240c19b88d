// Makes the lines of a chart from the columns of stats files: run, field, name and colour.

import { quote, UserError } from '#model';
import { requireColumns } from '../read.js';
import { chooseAxis, placeRows } from './axis.js';
import { separateLines } from './coincidence.js';
import { fieldDash, fieldShade, hueCount, runDash, runHue } from './palette.js';

/** @import { Axis, AxisKind } from './axis.js' */
/** @import { Points } from './sampling.js' */

/**
 * The data of a run for a chart; `readStatsFile` returns it.
 *
 * @typedef {object} Dataset
 * @property {string} label
 * @property {string} [file]  for error messages
 * @property {string} [flags]  by which the run differs from the usual one, if that is known
 * @property {readonly string[]} columns
 * @property {{ [column: string]: Float64Array }} rows
 */

/**
 * @typedef {object} Line
 * @property {string} run  the run's label, made unique
 * @property {string} field
 * @property {string} name  the line's name in the legend
 * @property {string} colour
 * @property {number[]} dash
 * @property {Axis} axis
 * @property {number[]} xs  block numbers, or values in the unit of the axis
 * @property {number[]} ys  in the file's unit; missing values are left out
 */

/** The number of runs up to which all fields share a panel; with more, each field has a panel. */
const runsInOnePanel = 3;

/** The number of runs that hues and dashes can distinguish. */
const mostRuns = 4 * hueCount;

/**
 * Find the parts of each path that differ from the others: `a` and `b` of `out/a/pingpong` and
 * `out/b/pingpong`.
 *
 * @param {string[]} files
 * @returns {string[] | undefined}  undefined if paths are missing or equal
 */
const findDistinctParts = files => {
  const paths = files.map(file => file.split(/[/\\]/));
  const distinct = paths.map((path, i) =>
    path.filter(part => paths.some((other, j) => j !== i && !other.includes(part))).join('/'),
  );
  return new Set(distinct).size === files.length && !distinct.includes('') ? distinct : undefined;
};

/**
 * Make labels unique: equal ones get the differing flags of the runs, or parts of the files' paths, or
 * numbers.
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
  return datasets.map(({ label, file, flags: own }) => {
    const namesakes = datasets.filter(other => other.label === label);
    const flags = namesakes.flatMap(other => (other.flags === undefined ? [] : [other.flags]));
    if (namesakes.length > 1 && new Set(flags).size === namesakes.length)
      return `${label} ${own}`.trim();
    const files = namesakes.flatMap(other => (other.file === undefined ? [] : [other.file]));
    const parts = files.length === namesakes.length ? findDistinctParts(files) : undefined;
    if (namesakes.length > 1 && parts !== undefined)
      return `${label} (${parts[files.indexOf(/** @type {string} */ (file))]})`;
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
};

/**
 * The first field, and those of the others that all runs recorded: stats files of SwingSet's own
 * runner have no times of commits. All fields if a run lacks the first one, for the error.
 *
 * @param {readonly Dataset[]} datasets
 * @param {readonly string[]} fields
 */
export const findRecorded = (datasets, fields) => {
  const isInAll = (/** @type {string} */ field) =>
    datasets.every(({ columns }) => columns.includes(field));
  return isInAll(fields[0]) ? fields.filter(isInAll) : [...fields];
};

/** @param {number} runs */
export const fitOnePanel = runs => runs <= runsInOnePanel;

/**
 * The lines of some fields of all runs, run by run.
 *
 * @param {readonly Dataset[]} datasets
 * @param {readonly string[]} fields
 * @param {object} options
 * @param {readonly string[]} [options.needed]  further columns that the values need
 * @param {string} options.remedy  the flags that record these fields
 * @param {(rows: Dataset['rows'], field: string) => (index: number) => number} [options.toValue]
 *   computes y from a row
 * @param {(field: string) => string} [options.nameField]  the name of a field in the legend
 * @param {boolean} [options.together]  whether all lines are in one panel
 * @param {AxisKind} [options.x]  by default blocks, or the share if the runs differ much in length
 * @returns {Line[]}
 */
export const makeLines = (
  datasets,
  fields,
  {
    needed = [],
    remedy,
    toValue = (rows, field) => i => rows[field][i],
    nameField = field => field,
    together = fitOnePanel(datasets.length),
    x,
  },
) => {
  const labels = labelRuns(datasets);
  const isAlone = datasets.length === 1;
  const axis = chooseAxis(datasets, x);
  const lines = datasets.flatMap((dataset, run) => {
    const { file, columns, rows } = dataset;
    const place = file ?? labels[run];
    requireColumns(place, columns, ['block', ...needed, ...fields], remedy);
    const places = placeRows(dataset, axis, place);
    return fields.map((field, fieldIndex) => {
      const value = toValue(rows, field);
      /** @type {number[]} */
      const xs = [];
      /** @type {number[]} */
      const ys = [];
      for (let i = 0; i < rows.block.length; i += 1) {
        const y = value(i);
        if (Number.isNaN(y) || Number.isNaN(places[i])) continue;
        xs.push(places[i]);
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
        axis,
        name:
          !together || fields.length === 1
            ? labels[run]
            : isAlone
              ? nameField(field)
              : `${labels[run]}: ${nameField(field)}`,
        colour: isAlone
          ? runHue(fieldIndex)
          : together
            ? fieldShade(run, fieldIndex, fields.length)
            : runHue(run),
        dash: together && fields.length > 1 ? fieldDash(fieldIndex) : runDash(run),
        xs,
        ys,
      };
    });
  });
  return isAlone ? lines : separateLines(lines);
};
