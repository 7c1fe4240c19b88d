// The counters chart: a small panel for each counter, with a scale of its own. Counters of held
// things are drawn by their values after each block. Counters that only rise are drawn per crank,
// since their sums would be straight lines in any run.

import { UserError } from '#model';
import { blockColumns, cycleColumns, diskColumns, memoryColumns, timeColumns } from '../columns.js';
import {
  blockChannel,
  describeBlocks,
  frame,
  hoverLayer,
  lineChannels,
  nameChart,
  zoomParams,
} from './frame.js';
import { describeAxis, placeRows } from './axis.js';
import { separateLines } from './coincidence.js';
import { runDash } from './palette.js';
import { findEnvelope, roundAxis } from './sampling.js';
import { makeLines } from './series.js';
import { formatCount, trim } from './units.js';

/** @import { Dataset, Line } from './series.js' */
/** @import { Spec } from './frame.js' */
/** @import { ChartOptions } from './index.js' */

const panelWidth = 200;
const panelHeight = 84;
const panelsInRow = 4;

/** The number of blocks up to which each is marked; a single block would be invisible otherwise. */
const fewBlocks = 20;

/** Ticks as whole numbers with separators, millions with a letter. */
const tickText = "datum.value >= 1e6 ? format(datum.value, '.3~s') : format(datum.value, ',~f')";

/** Stretches of a panel's line: about one for every two pixels. */
const stretchesOfPanel = 110;

const notCounters = new Set([
  ...blockColumns,
  ...timeColumns,
  ...cycleColumns,
  ...memoryColumns,
  ...diskColumns,
]);

/**
 * The counters of a stats file: those of held things (they have an `Up` column), and those that
 * only rise.
 *
 * @param {readonly string[]} columns
 */
export const findCounters = columns => {
  const there = new Set(columns);
  const names = columns.filter(name => {
    const stem = name.replace(/(Up|Down|Max)$/, '');
    return !notCounters.has(name) && (stem === name || !there.has(stem));
  });
  return {
    held: names.filter(name => there.has(`${name}Up`)),
    counted: names.filter(name => !there.has(`${name}Up`)),
  };
};

/**
 * Compute counts per crank, stretch by stretch, from the second block on. Where rows are missing,
 * as after a crash, the number of cranks in between is unknown, so the gap is left out.
 *
 * @param {Dataset['rows']} rows
 * @param {string} counter
 * @param {ArrayLike<number>} places  of the rows on the axis
 */
const findRates = (rows, counter, places) => {
  const { block, steps } = rows;
  const values = rows[counter];
  const intervals = block.length - 1;
  const stretches = Math.min(intervals, stretchesOfPanel);
  /** @type {{ x: number, y: number }[]} */
  const rates = [];
  for (let i = 0; i < stretches; i += 1) {
    const from = Math.floor((i * intervals) / stretches);
    const to = Math.floor(((i + 1) * intervals) / stretches);
    let count = values[to] - values[from];
    let cranks = 0;
    for (let j = from + 1; j <= to; j += 1) {
      if (block[j] === block[j - 1] + 1) cranks += steps[j];
      else count -= values[j] - values[j - 1];
    }
    const y = count / cranks;
    if (Number.isFinite(y)) rates.push({ x: places[to], y });
  }
  return rates;
};

/**
 * Make the panel of a counter. Of a few runs, the first has the widest line, so that all stay
 * visible where they coincide: where dashes alternate in one panel, the line is whole in others.
 *
 * @param {string} counter
 * @param {readonly Line[]} lines  one a run
 * @param {readonly Spec[]} values  this counter's
 * @param {{ interactive: boolean, isLowest: boolean }} options
 */
const makePanel = (counter, lines, values, { interactive, isLowest }) => {
  const top = values.reduce((most, { y }) => Math.max(most, y), 0);
  const { end, ticks } = roundAxis(1.05 * top, 3);
  const x = blockChannel(lines, { isLast: isLowest });
  const encoding = {
    x: {
      ...x,
      axis: { ...x.axis, tickCount: 3, labelFontSize: 11, titleFontSize: 12, labels: isLowest },
    },
    y: {
      field: 'y',
      type: 'quantitative',
      title: null,
      scale: { domain: [0, end], nice: false },
      axis: { values: ticks, labelFontSize: 11, labelExpr: tickText },
    },
    ...lineChannels(lines),
  };
  const areFew = values.length <= lines.length * fewBlocks;
  /** A line of one block has no length. @param {readonly Spec[]} own */
  const shapeOf = own => ({
    type: 'line',
    strokeJoin: 'round',
    // A rate may be negative in a file that was edited or cut.
    clip: interactive || values.some(({ y }) => y < 0),
    ...((areFew || own.length === 1) && { point: { size: areFew ? 18 : 40, filled: true } }),
  });
  const step = lines.length > 3 ? 0 : 1.1;
  const drawn = separateRuns(
    lines,
    values.map(value => ({ ...value, counter })),
  );
  // Alternating dashes take the place of a run's own, which the legend shows.
  const { strokeDash: _, ...undashed } = encoding;
  const dashed = drawn.map(({ dash }, run) => `${dash}` !== `${lines[run].dash}`);
  const layers = [
    ...lines.map(({ name }, run) => {
      const own = values.filter(value => value.line === name);
      return {
        data: { values: own },
        mark: {
          ...shapeOf(own),
          strokeWidth: 1.8 + step * (lines.length - 1 - run),
          ...(dashed[run] && { strokeDash: drawn[run].dash }),
        },
        encoding: dashed[run] ? undashed : encoding,
        ...(interactive && run === 0 && zoomParams(`zoom_${counter}`)),
      };
    }),
    interactive &&
      hoverLayer(
        { values },
        { x: encoding.x, y: encoding.y, color: encoding.color },
        [
          { field: 'line', title: 'run' },
          { field: 'x', title: lines[0].axis.name, format: lines[0].axis.format },
          { field: 'y', title: counter },
        ],
        `hover_${counter}`,
      ),
  ];
  return {
    title: { text: counter, fontSize: 12, anchor: 'start', frame: 'group', offset: 6 },
    width: panelWidth,
    height: panelHeight,
    layer: layers.filter(Boolean),
  };
};

/**
 * @param {string} title
 * @param {readonly Line[]} lines
 * @param {readonly Spec[]} values  with x, y, line and counter
 * @param {boolean} interactive
 */
const makeSection = (title, lines, values, interactive) => {
  const counters = [...new Set(values.map(({ counter }) => counter))];
  return {
    title: { text: title, fontSize: 15, anchor: 'start', frame: 'group', offset: 12 },
    columns: panelsInRow,
    // Align the plots only, since labels of different length would shift the panels.
    bounds: 'flush',
    spacing: { row: 44, column: 58 },
    concat: counters.map((counter, i) =>
      makePanel(
        counter,
        lines,
        values.filter(value => value.counter === counter).map(({ counter: _, ...value }) => value),
        { interactive, isLowest: i + panelsInRow >= counters.length },
      ),
    ),
    resolve: { scale: { color: 'shared', strokeDash: 'shared' } },
  };
};

/**
 * @param {readonly [string, number][]} listed  counters with their only value
 * @param {readonly string[]} held  those that do not count per crank
 */
const describeConstants = (listed, held) => {
  /** @param {string} title @param {readonly [string, number][]} some */
  const tell = (title, some) =>
    some.length === 0
      ? []
      : [`${title}: ${some.map(([counter, value]) => `${counter} ${value}`).join(', ')}.`];
  return [
    ...tell(
      'Constant',
      listed.filter(([counter]) => held.includes(counter)),
    ),
    ...tell(
      'Constant per crank',
      listed.filter(([counter]) => !held.includes(counter)),
    ),
  ];
};

/**
 * Find counters with a single value in all runs and at all points, and with more than one point.
 *
 * @param {readonly Spec[]} values
 */
const findConstants = values => {
  /** @type {Map<string, Set<number>>} */
  const found = new Map();
  /** @type {Map<string, number>} */
  const points = new Map();
  for (const { counter, y } of values) {
    found.set(counter, (found.get(counter) ?? new Set()).add(y));
    points.set(counter, (points.get(counter) ?? 0) + 1);
  }
  return new Map(
    [...found]
      .filter(([counter, { size }]) => size === 1 && (points.get(counter) ?? 0) > 1)
      .map(([counter, all]) => [counter, [...all][0]]),
  );
};

/**
 * The runs' lines, with alternating dashes where these values coincide.
 *
 * @param {readonly Line[]} runs
 * @param {readonly Spec[]} values
 */
const separateRuns = (runs, values) => {
  /** @type {Map<string, Line>} */
  const drawn = new Map();
  for (const { x, y, line, counter } of values) {
    const key = JSON.stringify([line, counter]);
    const run = /** @type {Line} */ (runs.find(each => each.run === line));
    if (!drawn.has(key)) drawn.set(key, { ...run, field: counter, xs: [], ys: [] });
    drawn.get(key)?.xs.push(x);
    drawn.get(key)?.ys.push(y);
  }
  const separated = separateLines([...drawn.values()]);
  return runs.map(run => ({
    ...run,
    dash: separated.find(each => each.run === run.run)?.dash ?? run.dash,
  }));
};

/**
 * The values of some counters, for each run that has them.
 *
 * @param {readonly Dataset[]} datasets
 * @param {readonly Line[]} lines  one a run
 * @param {readonly string[]} counters
 * @param {(rows: Dataset['rows'], counter: string, places: ArrayLike<number>) => { x: number, y: number }[]} pick
 * @returns {Spec[]}
 */
const pickValues = (datasets, lines, counters, pick) =>
  counters.flatMap(counter =>
    datasets.flatMap((dataset, run) =>
      dataset.columns.includes(counter)
        ? pick(dataset.rows, counter, placeRows(dataset, lines[run].axis, lines[run].run)).map(
            ({ x, y }) => ({ x, y: trim(y), line: lines[run].run, counter }),
          )
        : [],
    ),
  );

/**
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {Spec}
 */
export const makeCountersChart = (datasets, { note, title, x, interactive = false }) => {
  // Profiles have different counters: a panel shows the runs that have its counter.
  const found = datasets.map(({ columns }) => findCounters(columns));
  const held = [...new Set(found.flatMap(counters => counters.held))];
  const counted = [...new Set(found.flatMap(counters => counters.counted))];
  // One line for each run: the colour shows the run, the panel the counter.
  const runs = makeLines(datasets, ['steps'], { remedy: '--logstats', x }).map((line, run) => ({
    ...line,
    // Not the one by which the numbers of steps are told apart.
    dash: runDash(run),
  }));
  found.forEach((counters, run) => {
    if (counters.held.length + counters.counted.length === 0) {
      throw new UserError(
        `${datasets[run].file ?? runs[run].run}: has no column of a counter; run again with --logstats`,
      );
    }
  });
  const isIdle = (/** @type {string} */ counter) =>
    datasets.every(({ rows }) => rows[counter]?.every(value => !(value > 0)) ?? true);
  const idle = [...held, ...counted].filter(isIdle);
  const isBusy = (/** @type {string} */ counter) => !idle.includes(counter);

  const allHeld = pickValues(datasets, runs, held.filter(isBusy), (rows, counter, places) =>
    findEnvelope({ xs: places, ys: rows[counter] }, stretchesOfPanel),
  );
  const allRates = pickValues(datasets, runs, counted.filter(isBusy), findRates);
  // A rate needs a block before it.
  const tooShort = allRates.length === 0 ? counted.filter(isBusy) : [];
  if (allHeld.length + allRates.length === 0) {
    throw new UserError(
      tooShort.length === 0
        ? `${runs[0].run}: all its counters are 0, there is nothing to draw`
        : `${runs[0].run}: its counters only rise, and are drawn from the second block on; run again with more blocks, as by a smaller --blocksize`,
    );
  }
  const constants = findConstants([...allHeld, ...allRates]);
  // If all counters are constant, they are drawn anyway.
  const isDrawn = (/** @type {Spec} */ { counter }) =>
    !constants.has(counter) || constants.size === held.length + counted.length - idle.length;
  const heldValues = allHeld.filter(isDrawn);
  const rateValues = allRates.filter(isDrawn);
  const listed = [...constants].filter(([counter]) => !isDrawn({ counter }));

  const counts = datasets.map(({ rows }) => rows.block.length);
  const stretch = Math.ceil(Math.max(...counts) / stretchesOfPanel);
  const upTo = datasets.length > 1 ? 'up to ' : '';
  const each = stretch > 1 ? `stretches of ${upTo}${formatCount(stretch)} blocks` : 'single blocks';
  const heldTitle = `Held after a block${stretch > 1 ? ' (median)' : ''}`;
  const sections = [
    heldValues.length > 0 && makeSection(heldTitle, runs, heldValues, interactive),
    rateValues.length > 0 && makeSection('Counted per crank', runs, rateValues, interactive),
  ];
  return frame(
    title ?? nameChart('Kernel counters', runs),
    [
      `${describeBlocks(counts)}, in ${each}. Each panel has a scale of its own.`,
      ...(note === undefined ? [] : [note]),
      ...describeAxis(runs[0].axis, x),
      ...(listed.length === 0 ? [] : describeConstants(listed, held)),
      ...(tooShort.length === 0
        ? []
        : [`Not drawn, as a rate needs two blocks: ${tooShort.join(', ')}.`]),
      ...(idle.length === 0 ? [] : [`Always 0: ${idle.join(', ')}.`]),
    ],
    {
      vconcat: sections.filter(Boolean),
      spacing: 36,
      resolve: { scale: { color: 'shared', strokeDash: 'shared' } },
    },
  );
};
