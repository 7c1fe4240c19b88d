// The memory and disk charts: sizes over blocks, from zero, so that a leak is visible. For a long
// run a line is the rolling median, within the band of the lowest and highest values around it.

import { UserError } from '#model';
import { memoryColumns, usedDiskColumns } from '../columns.js';
import {
  blockChannel,
  describeBlocks,
  frame,
  hoverLayer,
  lineChannels,
  longestFirst,
  nameChart,
  plotHeight,
  plotWidth,
  zoomParams,
} from './frame.js';
import { findEnvelope, pickExtremes, rollMedian, rollingWindow, roundAxis } from './sampling.js';
import { describeAxis } from './axis.js';
import { fitOnePanel, makeLines } from './series.js';
import { chooseByteUnit, formatCount, trim } from './units.js';

/** @import { Dataset, Line } from './series.js' */
/** @import { Spec } from './frame.js' */
/** @import { ChartOptions } from './index.js' */

/** Stretches of a band: about one for every two pixels. */
const stretchesOfBand = 460;

/** The number of blocks up to which a line shows each block. */
const plainLength = 1_000;

/** The number of blocks up to which each is marked. */
const fewBlocks = 40;

/** The width of the bar of a run of one block, in pixels. */
const loneBarWidth = 120;

/** @param {Line} line */
const isPlain = ({ xs }) => xs.length <= plainLength;

/**
 * The points of a line: each block or the rolling median; without smoothing, the extremes of each
 * stretch.
 *
 * @param {Line} line
 * @param {boolean} isSmoothed
 */
const pickLine = (line, isSmoothed) => {
  if (isSmoothed && !isPlain(line)) return rollMedian(line, stretchesOfBand);
  return pickExtremes(line, plainLength).map(i => ({ x: line.xs[i], y: line.ys[i] }));
};

/**
 * @param {readonly Line[]} lines
 * @param {object} options
 * @param {readonly Line[]} options.allLines  the lines of all panels, which share blocks and legend
 * @param {number} options.height
 * @param {string} options.title  of the vertical axis, before the unit
 * @param {boolean} options.isLast  only the lowest panel names the blocks
 * @param {boolean} options.isSmoothed  long lines as median and band; else as steps
 * @param {number} options.group  lines of a run in this panel
 * @param {boolean} options.interactive
 * @returns {Spec}
 */
const makePanel = (lines, { allLines, height, title, isLast, isSmoothed, group, interactive }) => {
  const top = lines.reduce((most, { ys }) => ys.reduce((a, b) => Math.max(a, b), most), 0);
  const unit = chooseByteUnit(top);
  const inUnit = (/** @type {number} */ bytes) => trim(bytes / unit.size);
  const ordered = longestFirst(lines);
  const values = ordered.flatMap(line =>
    pickLine(line, isSmoothed).map(({ x, y }) => ({ x, y: inUnit(y), line: line.name })),
  );
  const runs = new Set(lines.map(({ run }) => run)).size;
  const bands = ordered
    .filter(line => isSmoothed && !isPlain(line) && fitOnePanel(runs))
    .flatMap(line =>
      findEnvelope(line, stretchesOfBand).map(({ x, low, high }) => ({
        x,
        low: inUnit(low),
        high: inUnit(high),
        line: line.name,
      })),
    );

  const x = blockChannel(allLines, { isLast });
  const { end, ticks } = roundAxis((1.03 * top) / unit.size, height / 50);
  const y = {
    field: 'y',
    type: 'quantitative',
    title: `${title} (${unit.axis})`,
    scale: { domain: [0, end], nice: false },
    axis: { values: ticks },
  };
  const { color, ...strokes } = lineChannels(allLines, { group });
  const isShort = lines.every(({ xs }) => xs.length <= fewBlocks);
  // A line of one block has no length.
  const lone = new Set(lines.flatMap(({ xs, name }) => (xs.length === 1 ? [name] : [])));
  const lonePoints = isShort ? [] : values.filter(({ line }) => lone.has(line));
  const panel = lines[0].field;
  const layers = [
    bands.length > 0 && {
      data: { values: bands },
      mark: { type: 'area', opacity: 0.25, clip: interactive },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
    },
    {
      data: { values },
      mark: {
        type: 'line',
        interpolate: isSmoothed ? 'linear' : 'step-after',
        strokeWidth: lines.length > 4 ? 2 : 2.6,
        clip: interactive,
        strokeJoin: 'round',
        ...(isShort && { point: { size: 40, filled: true } }),
      },
      encoding: { x, y, color, ...strokes },
      ...(interactive && zoomParams(`zoom_${panel}`)),
    },
    lonePoints.length > 0 && {
      data: { values: lonePoints },
      mark: { type: 'point', filled: true, size: 70, opacity: 1, clip: interactive },
      encoding: { x, y, color },
    },
    interactive &&
      hoverLayer(
        { values },
        { x, y, color },
        [
          { field: 'line', title: 'line' },
          { field: 'x', title: lines[0].axis.name, format: lines[0].axis.format },
          { field: 'y', title: unit.name },
        ],
        `hover_${panel}`,
      ),
  ];
  return { width: plotWidth, height, layer: layers.filter(Boolean) };
};

/**
 * @param {readonly Dataset[]} datasets
 * @param {string} meaning
 * @param {string | undefined} note
 */
const describe = (datasets, meaning, note) => {
  const counts = datasets.map(({ rows }) => rows.block.length);
  return [`${describeBlocks(counts)}. ${meaning}`, ...(note === undefined ? [] : [note])];
};

/** @param {readonly Line[]} lines @param {boolean} withBands */
const describeLines = (lines, withBands) => {
  const most = Math.max(...lines.map(({ xs }) => xs.length));
  if (most <= plainLength) return [];
  const runs = new Set(lines.map(({ run }) => run)).size;
  const window = `${runs > 1 ? 'up to ' : ''}${formatCount(rollingWindow(most))} blocks`;
  const band = withBands ? ' Bands: lowest and highest value of each stretch.' : '';
  return [`Lines: rolling median of ${window}.${band}`];
};

/**
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {Spec}
 */
export const makeMemoryChart = (datasets, { note, title, x, interactive = false }) => {
  const fields = memoryColumns;
  // Eight lines in two hues cannot be read: with two or more runs, each quantity has a panel.
  const together = datasets.length === 1;
  const lines = makeLines(datasets, fields, { remedy: '--logmem', together, x });
  const common = { allLines: lines, isSmoothed: true, interactive };
  const heading = title ?? nameChart('Memory after each block', lines);
  const subtitle = [
    ...describe(
      datasets,
      'rss: the process in RAM; heapTotal, heapUsed: JavaScript heap; external: buffers outside it.',
      note,
    ),
    ...describeAxis(lines[0].axis, x),
    ...describeLines(lines, fitOnePanel(datasets.length)),
  ];
  if (together) {
    const shape = { height: plotHeight, title: 'Memory', isLast: true, group: fields.length };
    return frame(heading, subtitle, makePanel(lines, { ...common, ...shape }));
  }
  return frame(heading, subtitle, {
    vconcat: fields.map((wanted, i) =>
      makePanel(
        lines.filter(({ field }) => field === wanted),
        { ...common, height: 150, title: wanted, isLast: i === fields.length - 1, group: 1 },
      ),
    ),
    spacing: 20,
    resolve: { scale: { color: 'shared', strokeDash: 'shared' } },
  });
};

/** The legend's names of the parts of a database. @type {Readonly<Record<string, string>>} */
const diskNames = {
  diskTables: 'tables',
  diskStreams: 'transcripts and other streams',
  diskLog: 'log of the latest blocks',
};

/** @param {Dataset} dataset */
const hasUsed = ({ rows }) =>
  usedDiskColumns.every(column => (rows[column] ?? []).some(Number.isFinite));

/**
 * Refuses runs of which none had a database: their columns are there, and all 0.
 *
 * @param {readonly Dataset[]} datasets
 * @throws {UserError}
 */
export const insistDisk = datasets => {
  const isEmpty = (/** @type {Dataset} */ { rows }) =>
    rows.disk !== undefined && rows.disk.every(value => value === 0);
  if (datasets.length === 0 || !datasets.every(isEmpty)) return;
  const [{ file, label }] = datasets;
  const more = datasets.length === 1 ? '' : `, and ${datasets.length - 1} more`;
  throw new UserError(
    `${file ?? label}${more}: kept the state in memory, so there is no database to draw; run again without --memdb`,
  );
};

/**
 * Stack lines as areas, the first one lowest. All have values for the same blocks.
 *
 * @param {readonly Line[]} lines
 * @param {boolean} interactive
 * @returns {Spec}
 */
const makeStack = (lines, interactive) => {
  const picked = pickExtremes(
    { ...lines[0], ys: lines[0].ys.map((_, i) => lines.reduce((sum, { ys }) => sum + ys[i], 0)) },
    plainLength,
  );
  const sums = picked.map(i => lines.reduce((sum, { ys }) => sum + ys[i], 0));
  const unit = chooseByteUnit(Math.max(...sums));
  const inUnit = (/** @type {number} */ bytes) => trim(bytes / unit.size);
  const values = picked.flatMap(i => {
    let low = 0;
    return lines.map(({ name, xs, ys }) => {
      const from = low;
      low += ys[i];
      return { x: xs[i], low: inUnit(from), y: inUnit(low), own: inUnit(ys[i]), line: name };
    });
  });
  const x = blockChannel(lines);
  const { end, ticks } = roundAxis((1.03 * Math.max(...sums)) / unit.size, plotHeight / 50);
  const y = {
    field: 'y',
    type: 'quantitative',
    title: `In use on disk (${unit.axis})`,
    scale: { domain: [0, end], nice: false },
    axis: { values: ticks },
    stack: null,
  };
  const { color } = lineChannels(lines, { group: lines.length });
  const legend = { ...color.legend, symbolType: 'square', symbolSize: 160 };
  const blocks = lines[0].xs.length;
  // An area of one block has no width.
  const shape =
    blocks === 1
      ? { type: 'bar', orient: 'vertical', size: loneBarWidth }
      : { type: 'area', interpolate: blocks <= fewBlocks ? 'linear' : 'step-after' };
  const layers = [
    {
      data: { values },
      mark: { ...shape, clip: interactive },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'y' }, color: { ...color, legend } },
      ...(interactive && zoomParams('zoom_disk')),
    },
    interactive &&
      hoverLayer(
        { values },
        { x, y, color: { ...color, legend } },
        [
          { field: 'line', title: 'part' },
          { field: 'x', title: lines[0].axis.name, format: lines[0].axis.format },
          { field: 'own', title: unit.name },
        ],
        'hover_disk',
      ),
  ];
  return { width: plotWidth, height: plotHeight, layer: layers.filter(Boolean) };
};

/**
 * Make the chart of the database's bytes. For one run the bytes in use are stacked by part; several
 * runs are compared by the sum. Stats files without these columns show the size of the database's
 * files.
 *
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {Spec}
 */
export const makeDiskChart = (datasets, { note, title, x, interactive = false }) => {
  insistDisk(datasets);
  const knowsUse = datasets.length > 0 && datasets.every(hasUsed);
  if (knowsUse && datasets.length === 1) {
    const lines = makeLines(datasets, usedDiskColumns, {
      remedy: '--logdisk',
      x,
      nameField: field => diskNames[field],
    });
    const isEmpty = (/** @type {Line} */ { ys }) => ys.every(value => value === 0);
    const filled = lines.filter(line => !isEmpty(line));
    const empty = filled.length === 0 ? [] : lines.filter(isEmpty).map(({ name }) => name);
    const meaning = [
      'Bytes of the database that are in use after each block. Blocks are in the log until a checkpoint moves them.',
      ...(empty.length === 0 ? [] : [`Nothing yet: ${empty.join('; ')}.`]),
    ].join('\n');
    return frame(
      title ?? nameChart('Database on disk', lines),
      describe(datasets, meaning, note).flatMap(line => line.split('\n')),
      makeStack(filled.length === 0 ? lines : filled, interactive),
    );
  }
  const lines = makeLines(datasets, ['disk'], {
    remedy: '--logdisk',
    x,
    ...(knowsUse && {
      toValue: rows => i => usedDiskColumns.reduce((sum, column) => sum + rows[column][i], 0),
    }),
  });
  const meaning = knowsUse
    ? 'Bytes of the database that are in use after each block, without free pages.'
    : "Size of the database's files after each block.";
  return frame(
    title ?? nameChart('Database on disk', lines),
    [...describe(datasets, meaning, note), ...describeAxis(lines[0].axis, x)],
    makePanel(lines, {
      allLines: lines,
      height: plotHeight,
      title: 'On disk',
      isLast: true,
      isSmoothed: false,
      group: 1,
      interactive,
    }),
  );
};
