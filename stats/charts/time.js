// The charts of the cost of a block or a crank: its time and the commit's part, or cycles and
// instructions. A rolling median shows the typical value and its growth; small points show the
// spread. Outliers, such as garbage collections, do not determine the scale; they are marked at its
// end and counted.

import { quantileSorted, quote, UserError } from '#model';
import { summarise } from '../summary.js';
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
import {
  findRobustTop,
  pickHighest,
  pickTypical,
  rollMedian,
  rollingWindow,
  roundAxis,
} from './sampling.js';
import { describeAxis } from './axis.js';
import { paleTone } from './palette.js';
import { findRecorded, fitOnePanel, makeLines } from './series.js';
import { chooseCountUnit, chooseTimeUnit, formatCount, formatIn, trim } from './units.js';

/** @import { Dataset, Line } from './series.js' */
/** @import { Spec } from './frame.js' */
/** @import { ChartOptions } from './index.js' */
/** @import { Unit } from './units.js' */

/** The largest numbers of points of a picture and of a line; more would overlap. */
const pointsInAll = 6_000;
const pointsOfLine = 4_000;
const placesOfLine = 500;

/** In a long run, the slowest block of each of this many stretches is also drawn, within the scale and above it. */
const slowestWithin = 300;
const slowestAbove = 90;

/** The number of blocks up to which each is drawn as a large mark. */
const fewBlocks = 12;

/** The number of blocks from which on a percentile is meaningful. */
const blocksOfPercentile = 20;

/** The ratio of typical values from which on the scale is logarithmic. */
const farApart = 30;

/**
 * A figure of the whole block, and a second figure beside it.
 *
 * @typedef {object} Measure
 * @property {readonly [whole: string, other: string]} fields
 * @property {string} remedy  the flag that records them
 * @property {(end: number) => Unit} chooseUnit
 * @property {string} what
 * @property {string} other  the title of the second figure's own panel
 * @property {(place: 'line' | 'panel' | undefined) => string} explain  undefined: a run lacks the second figure
 * @property {readonly [one: string, many: string]} noun
 * @property {Readonly<Record<string, string>>} names  names of the fields in the legend
 */

/** @type {Measure} */
const time = {
  fields: ['btime', 'ctime'],
  remedy: '--logtimes',
  chooseUnit: chooseTimeUnit,
  what: 'Time',
  other: 'Commit',
  explain: place =>
    place === undefined
      ? 'Not drawn: times of commits, which a file lacks.'
      : `A block's time ends with its commit; the commit's part has a ${place} of its own.`,
  noun: ['time', 'times'],
  names: { btime: 'block', ctime: 'of it, commit' },
};

/** @type {Measure} */
const cycles = {
  fields: ['cycles', 'instructions'],
  remedy: '--logcycles, on a machine that counts them',
  chooseUnit: chooseCountUnit,
  what: 'Cycles and instructions',
  other: 'Instructions',
  explain: place =>
    `Of the thread that runs the kernel, from block start to commit end: cycles of its core${place === undefined ? '' : ', and instructions that it retired'}.`,
  noun: ['figure', 'figures'],
  names: { cycles: 'cycles', instructions: 'instructions' },
};

/**
 * @param {readonly Line[]} lines
 * @param {ChartOptions['scale']} asked
 * @param {Measure} measure
 */
const chooseScale = (lines, asked, { fields: [whole] }) => {
  if (asked !== undefined) return asked;
  const medians = lines
    .filter(({ field }) => field === whole)
    .map(({ ys }) => summarise(ys).median);
  const least = Math.min(...medians);
  return least > 0 && Math.max(...medians) / least > farApart ? 'log' : 'linear';
};

/**
 * The least end of the axis: on a log scale the highest value, otherwise one that excludes
 * outliers.
 *
 * @param {readonly Line[]} lines
 * @param {boolean} isLog
 */
const findTop = (lines, isLog) => {
  const highest = Math.max(...lines.map(({ ys }) => summarise(ys).max));
  if (isLog) return highest;
  const typical = lines.map(line => {
    const medians = rollMedian(line, placesOfLine).map(({ y }) => y);
    return 1.1 * quantileSorted(Float64Array.from(medians).sort(), 0.99);
  });
  return Math.min(highest, Math.max(...typical, ...lines.map(({ ys }) => findRobustTop(ys))));
};

/**
 * The ticks of a log axis: powers of ten, and 2 and 5 times these if there is room.
 *
 * @param {number} low
 * @param {number} high
 */
const logTicks = (low, high) => {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const steps = last - first > 4 ? [1] : [1, 2, 5];
  return Array.from({ length: last - first + 1 }, (_, i) =>
    steps.map(step => Number((step * 10 ** (first + i)).toPrecision(1))),
  )
    .flat()
    .filter(tick => tick >= low && tick <= high);
};

/**
 * Pick the marks of the lines, in the axis's unit: points within the scale, outliers above it,
 * medians.
 *
 * @param {readonly Line[]} lines
 * @param {{ end: number, unit: Unit, isLog: boolean }} scale  `end` in the unit
 */
const pickValues = (lines, { end, unit, isLog }) => {
  const limit = Math.max(
    2 * slowestWithin,
    Math.min(pointsOfLine, Math.floor(pointsInAll / lines.length)),
  );
  /** @type {Spec[]} */
  const points = [];
  /** @type {Spec[]} */
  const outliers = [];
  /** @type {Spec[]} */
  const medians = [];
  for (const line of longestFirst(lines)) {
    const inUnit = (/** @type {number} */ i) => trim(line.ys[i] / unit.size);
    const picked =
      line.ys.length <= limit
        ? pickTypical(line, limit)
        : new Set([
            ...pickTypical(line, limit - slowestWithin),
            ...pickHighest(line, slowestWithin),
          ]);
    for (const i of picked) {
      const y = inUnit(i);
      if (y <= end && !(isLog && y <= 0))
        points.push({ x: line.xs[i], y, line: line.name, tone: paleTone(line.colour) });
    }
    for (const i of pickHighest(line, slowestAbove)) {
      const took = inUnit(i);
      if (took > end) outliers.push({ x: line.xs[i], y: end, took, line: line.name });
    }
    for (const { x, y } of rollMedian(line, placesOfLine)) {
      if (!isLog || y > 0) {
        medians.push({ x, y: trim(y / unit.size), line: line.name, field: line.field });
      }
    }
  }
  return {
    points,
    outliers,
    medians,
    stride: Math.round(Math.max(...lines.map(({ ys }) => ys.length)) / limit),
  };
};

/**
 * @param {readonly Line[]} lines
 * @param {object} options
 * @param {readonly Line[]} options.allLines  the lines of all panels, which share blocks and legend
 * @param {boolean} options.isLog
 * @param {Unit} options.unit
 * @param {number} options.height
 * @param {string} options.title  of the vertical axis, before the unit
 * @param {boolean} options.isLast  only the lowest panel names the blocks
 * @param {boolean} options.interactive
 * @param {readonly string[]} options.wanted
 */
const makePanel = (
  lines,
  { allLines, isLog: wantsLog, unit, height, title, isLast, interactive, wanted },
) => {
  // Commits to a memory store may all take 0, which a log scale cannot show.
  const isLog = wantsLog && lines.some(({ ys }) => ys.some(value => value > 0));
  const { end, ticks } = roundAxis((1.02 * findTop(lines, isLog)) / unit.size, height / 50);
  const { points, outliers, medians, stride } = pickValues(lines, { end, unit, isLog });
  const lowest = [...points, ...medians].reduce((least, { y }) => Math.min(least, y), end);
  const low = Number((0.8 * lowest).toPrecision(2));
  const x = blockChannel(allLines, { isLast });
  const y = {
    field: 'y',
    type: 'quantitative',
    title: `${title} (${unit.axis})`,
    scale: { ...(isLog && { type: 'log' }), domain: [isLog ? low : 0, end], nice: false },
    axis: isLog ? { format: '~g', values: logTicks(low, end) } : { values: ticks },
  };
  const fields = new Set(allLines.map(({ field }) => field)).size;
  const { color, ...strokes } = lineChannels(allLines, { group: hasFields(lines) ? fields : 1 });
  const isCrowded = lines.length > 6;
  const areFew = lines.every(({ ys }) => ys.length <= fewBlocks);
  const lineTip = { field: 'line', title: 'line' };
  const blockTip = { field: 'x', title: lines[0].axis.name, format: lines[0].axis.format };
  const panel = lines[0].field;
  // A line of one block has no length.
  const lone = new Set(lines.flatMap(({ ys, name }) => (ys.length === 1 ? [name] : [])));
  const layers = [
    {
      data: { values: points },
      mark: {
        type: 'point',
        filled: true,
        size: areFew ? 110 : points.length > 1000 ? 3 : isCrowded ? 5 : 9,
        // They are within the scale until a reader zooms, and each clipped layer adds 15 ms to a PNG file.
        clip: interactive,
      },
      encoding: {
        ...{ x, y },
        ...(areFew ? { color } : { fill: { field: 'tone', type: 'nominal', scale: null } }),
        opacity: { value: 1 },
      },
      ...(interactive && zoomParams(`zoom_${panel}`)),
    },
    {
      data: { values: outliers },
      mark: {
        ...{ type: 'point', shape: 'triangle-up', filled: true, size: 45, yOffset: 5 },
        clip: interactive,
      },
      encoding: {
        x,
        y,
        color,
        opacity: { value: 0.85 },
        ...(interactive && { tooltip: [lineTip, blockTip, { field: 'took', title: unit.name }] }),
      },
    },
    // The second line is drawn last and thinner, so that both stay visible where a commit takes
    // nearly the whole block.
    ...wanted.map(field => ({
      data: { values: medians.filter(median => median.field === field) },
      mark: {
        type: 'line',
        strokeWidth: isCrowded ? 2 : field === wanted[0] ? 3 : 1.8,
        clip: interactive || medians.some(({ y: median }) => median > end),
        strokeJoin: 'round',
      },
      encoding: { x, y, color, ...strokes },
    })),
    !areFew && {
      data: { values: medians.filter(({ line }) => lone.has(line)) },
      mark: { type: 'point', filled: true, size: 70, opacity: 1, clip: interactive },
      encoding: { x, y, color },
    },
    interactive &&
      hoverLayer(
        { values: medians },
        { x, y, color },
        [lineTip, blockTip, { field: 'y', title: `median, ${unit.name}` }],
        `hover_${panel}`,
      ),
  ];
  return {
    spec: {
      width: plotWidth,
      height,
      layer: layers.filter(layer => layer && layer.data.values.length > 0),
    },
    stride,
    above: lines.flatMap(({ ys }) => ys.filter(value => value > end * unit.size)),
  };
};

/** @param {readonly Line[]} lines */
const hasFields = lines => new Set(lines.map(({ field }) => field)).size > 1;

/**
 * Describe the fewest and most cranks in a block.
 *
 * @param {readonly Dataset[]} datasets
 */
const describeSteps = datasets => {
  const all = datasets.map(({ rows }) => summarise(rows.steps));
  const least = Math.min(...all.map(({ min }) => min));
  const most = Math.max(...all.map(({ max }) => max));
  const isOne = datasets.length === 1 && datasets[0].rows.block.length === 1;
  return least === most
    ? `${formatCount(most)} ${most === 1 ? 'crank' : 'cranks'}${isOne ? '' : ' each'}`
    : `${formatCount(least)} to ${formatCount(most)} cranks each`;
};

/**
 * @param {readonly Line[]} lines
 * @param {string} what
 * @param {Measure} measure
 */
const describeMedians = (lines, what, { fields: [whole], chooseUnit }) =>
  lines
    .filter(({ field }) => field === whole)
    .map(({ run, ys }) => {
      const { median, p95, max } = summarise(ys);
      const subject = lines.every(line => line.run === run) ? what : run;
      if (ys.length === 1) return `${subject}: ${formatIn(median, chooseUnit)}.`;
      const most =
        ys.length < blocksOfPercentile
          ? `at most ${formatIn(max, chooseUnit)}`
          : `95 % under ${formatIn(p95, chooseUnit)}`;
      return `${subject}: median ${formatIn(median, chooseUnit)}, ${most}.`;
    });

/**
 * @param {Measure} measure
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {Spec}
 */
const makeChart = (
  measure,
  datasets,
  { note, scale, per = 'block', title, x, interactive = false },
) => {
  if (per !== 'block' && per !== 'crank') {
    throw new UserError(`no graph per ${quote(per)}; there are block, crank`);
  }
  const { remedy, chooseUnit, noun } = measure;
  const fields = findRecorded(datasets, measure.fields);
  const lines = makeLines(datasets, fields, {
    x,
    needed: ['steps'],
    remedy,
    nameField: field => measure.names[field],
    toValue: (rows, field) =>
      per === 'block'
        ? i => rows[field][i]
        : i => (rows.steps[i] > 0 ? rows[field][i] / rows.steps[i] : NaN),
  });
  const areFew = fitOnePanel(datasets.length);
  const together = areFew || fields.length === 1;
  const isLog = chooseScale(lines, scale, measure) === 'log';
  const unit = chooseUnit(findTop(lines, isLog));
  const what = `${measure.what} per ${per}`;
  const common = { allLines: lines, isLog, unit, interactive, wanted: fields };
  const ofField = (/** @type {string} */ wanted) => lines.filter(({ field }) => field === wanted);
  const panels = together
    ? [makePanel(lines, { ...common, height: plotHeight, title: what, isLast: true })]
    : [
        makePanel(ofField(fields[0]), { ...common, height: 300, title: what, isLast: false }),
        makePanel(ofField(fields[1]), {
          ...common,
          height: 160,
          title: measure.other,
          isLast: true,
        }),
      ];
  const explanation = measure.explain(
    fields.length === 1 ? undefined : panels.length === 1 ? 'line' : 'panel',
  );

  const window = rollingWindow(Math.max(...lines.map(({ xs }) => xs.length)));
  const stride = Math.max(...panels.map(panel => panel.stride));
  const above = panels.flatMap(panel => panel.above);
  const zeros = isLog ? lines.reduce((sum, { ys }) => sum + ys.filter(y => y <= 0).length, 0) : 0;
  const counts = datasets.map(({ rows }) => rows.block.length);
  const reading = [
    window > 1 &&
      `Lines: rolling median of ${datasets.length > 1 ? 'up to ' : ''}${formatCount(window)} blocks.`,
    stride > 1
      ? `Points: one block of ${formatCount(stride)}, and the slowest of each stretch.`
      : 'Points: single blocks.',
    isLog && 'Log scale.',
    zeros > 0 &&
      `${noun[1][0].toUpperCase()}${noun[1].slice(1)} of 0 (${formatCount(zeros)}) are not shown.`,
  ];
  const subtitle = [
    `${describeBlocks(counts)}, ${describeSteps(datasets)}. ${explanation}`,
    ...describeAxis(lines[0].axis, x),
    ...(note === undefined ? [] : [note]),
    reading.filter(Boolean).join(' '),
    ...(above.length === 0
      ? []
      : [
          `Triangles: ${formatCount(above.length)} ${noun[above.length === 1 ? 0 : 1]} above the scale, the highest ${formatIn(summarise(above).max, chooseUnit)}.`,
        ]),
    ...(areFew ? describeMedians(lines, what, measure) : []),
  ];
  return frame(
    title ?? nameChart(what, lines),
    subtitle,
    panels.length === 1
      ? panels[0].spec
      : {
          vconcat: panels.map(({ spec }) => spec),
          spacing: 20,
          resolve: { scale: { color: 'shared', strokeDash: 'shared' } },
        },
  );
};

/**
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {Spec}
 */
export const makeTimeChart = (datasets, options) => makeChart(time, datasets, options);

/** @type {typeof makeTimeChart} */
export const makeCyclesChart = (datasets, options) => makeChart(cycles, datasets, options);
