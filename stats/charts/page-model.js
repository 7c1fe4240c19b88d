// The content of an interactive page of runs, as plain data: panels with lines, each with its
// values and its positions by block, time and share. draw/page/ draws it.

import { UserError } from '#model';
import { memoryColumns, usedDiskColumns } from '../columns.js';
import { summarise } from '../summary.js';
import { axisKinds, chooseAxis } from './axis.js';
import { insistDisk } from './bytes.js';
import { findCounters } from './counters.js';
import { describeBlocks } from './frame.js';
import { toneForDark, forDark, paleTone } from './palette.js';
import { findRobustTop, pickExtremes, rollMedian, rollingWindow } from './sampling.js';
import { findRecorded, makeLines } from './series.js';
import { chooseByteUnit, chooseCountUnit, chooseTimeUnit, formatCount, trim } from './units.js';

/** @import { AxisKind } from './axis.js' */
/** @import { ChartKind, ChartOptions } from './index.js' */
/** @import { Dataset, Line } from './series.js' */
/** @import { Unit } from './units.js' */

/**
 * @typedef {object} PageLine
 * @property {string} name
 * @property {string} colour
 * @property {string} dark  its colour on a dark page
 * @property {string} pale  that of its single blocks
 * @property {string} dim  that of its single blocks on a dark page
 * @property {number[]} dash
 * @property {{ [axis in AxisKind]?: number[] }} xs
 * @property {number[]} ys  in the panel's unit
 * @property {{ xs: { [axis in AxisKind]?: number[] }, ys: number[] } | null} median  rolling, if the values scatter
 * @property {{ points: number, low: number, median: number, high: number }} figures  of all values, in the unit
 */

/**
 * @typedef {object} PagePanel
 * @property {string} title
 * @property {string} unit
 * @property {number | null} top  the initial end of the axis; null for the highest value
 * @property {boolean} isWhole  whether all values are whole numbers
 * @property {number} above  values above the initial end of the axis
 * @property {boolean} isLog  whether the initial scale is logarithmic, for typical values that lie far apart
 * @property {PageLine[]} lines
 */

/** A counter that is told instead of drawn. @typedef {{ title: string, value: number, isRate: boolean }} Constant */

/**
 * @typedef {object} PageModel
 * @property {string} title
 * @property {string[]} notes
 * @property {AxisKind} axis the initial one
 * @property {AxisKind[]} axes the available ones
 * @property {PagePanel[]} panels
 */

/** Points of a page, and of a line of it. */
const pointsInAll = 200_000;
const fewestPoints = 2_000;
const mostPoints = 20_000;
const placesOfMedian = 1_000;

/** A log scale serves better than a linear one when typical values lie this far apart (time.js). */
const farApart = 30;

/**
 * A panel before its unit is chosen.
 *
 * @typedef {object} Plan
 * @property {string} title
 * @property {string[]} fields
 * @property {(end: number) => Unit} chooseUnit
 * @property {string} remedy
 * @property {boolean} scatters  drawn as points and their rolling median
 * @property {boolean} hasOutliers  outliers do not determine the scale
 * @property {(rows: Dataset['rows'], field: string) => (index: number) => number} [toValue]
 */

/** @type {Record<Exclude<ChartKind, 'stats'>, { title: string, meaning: string, plan: Omit<Plan, 'title' | 'fields'>, fields: Record<string, string>, titles?: Record<string, string> }>} */
const kinds = {
  time: {
    title: 'Time',
    meaning: "A block's time ends with its commit.",
    plan: { chooseUnit: chooseTimeUnit, remedy: '--logtimes', scatters: true, hasOutliers: true },
    fields: { btime: 'block', ctime: 'of it, commit' },
    titles: { btime: 'Time', ctime: "The commit's part" },
  },
  cycles: {
    title: 'Cycles and instructions',
    meaning: 'Of the thread that runs the kernel, from block start to commit end.',
    plan: {
      chooseUnit: chooseCountUnit,
      remedy: '--logcycles, on a machine that counts them',
      scatters: true,
      hasOutliers: true,
    },
    fields: { cycles: 'cycles', instructions: 'instructions' },
    titles: { cycles: 'Cycles', instructions: 'Instructions' },
  },
  memory: {
    title: 'Memory after each block',
    meaning:
      'rss: the process in RAM; heapTotal, heapUsed: JavaScript heap; external: buffers outside it.',
    plan: { chooseUnit: chooseByteUnit, remedy: '--logmem', scatters: false, hasOutliers: false },
    fields: Object.fromEntries(memoryColumns.map(name => [name, name])),
  },
  disk: {
    title: 'Database on disk',
    meaning: 'Bytes after each block. Blocks are in the log until a checkpoint moves them.',
    plan: { chooseUnit: chooseByteUnit, remedy: '--logdisk', scatters: false, hasOutliers: false },
    fields: {
      diskTables: 'tables',
      diskStreams: 'transcripts and other streams',
      diskLog: 'log of the latest blocks',
    },
    titles: {
      diskTables: 'Tables',
      diskStreams: 'Transcripts and other streams',
      diskLog: 'Log of the latest blocks',
    },
  },
};

/** Behind the name of a counter that is shown per crank. */
const ofRates = ', per crank';

/** Counts of a block per crank; NaN if the row before is missing. @type {Plan['toValue']} */
const perCrank = ({ block, steps, ...rows }, field) => {
  const values = rows[field];
  return i =>
    i > 0 && block[i] === block[i - 1] + 1 && steps[i] > 0
      ? (values[i] - values[i - 1]) / steps[i]
      : NaN;
};

/** Whether a run has a block that follows on another, so that counts per crank are known. @param {Dataset} dataset */
const hasRates = ({ rows: { block, steps } }) =>
  block.some((number, i) => i > 0 && number === block[i - 1] + 1 && steps[i] > 0);

/** @param {readonly Dataset[]} datasets @returns {{ plans: Plan[], undrawn: string[] }} `undrawn`: sentences */
const planCounters = datasets => {
  const found = datasets.map(({ columns }) => findCounters(columns));
  const inAll = (/** @type {string} */ name) =>
    datasets.every(({ columns }) => columns.includes(name));
  const common = {
    chooseUnit: chooseCountUnit,
    remedy: '--logstats',
    scatters: true,
    hasOutliers: false,
  };
  const held = found[0].held
    .filter(inAll)
    .map(name => ({ title: name, fields: [name], ...common }));
  const counted = found[0].counted.filter(inAll);
  const short = datasets.find(dataset => !hasRates(dataset));
  if (short !== undefined && counted.length > 0) {
    const why = `Not drawn, as a rate needs two blocks, one behind the other, and ${short.label} has none`;
    return { plans: held, undrawn: [`${why}: ${counted.join(', ')}.`] };
  }
  const rates = counted.map(name => ({
    ...{ title: `${name}${ofRates}`, fields: [name] },
    ...common,
    toValue: perCrank,
  }));
  return { plans: [...held, ...rates], undrawn: [] };
};

/**
 * @param {ChartKind} kind
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions['per']} per
 * @returns {{ title: string, meaning: string, plans: Plan[], names: Record<string, string>, undrawn: string[] }}
 */
const planPanels = (kind, datasets, per) => {
  if (kind === 'stats') {
    const meaning = 'Counters of held things by value; counters that only rise, per crank.';
    return { title: 'Kernel counters', meaning, names: {}, ...planCounters(datasets) };
  }
  if (kind === 'disk') insistDisk(datasets);
  const { title, meaning, plan, fields, titles } = kinds[kind];
  const knowsUse = datasets.every(({ columns }) =>
    usedDiskColumns.every(name => columns.includes(name)),
  );
  const isTimed = kind === 'time' || kind === 'cycles';
  const recorded = isTimed ? findRecorded(datasets, Object.keys(fields)) : Object.keys(fields);
  const names =
    kind === 'disk' && !knowsUse
      ? { disk: 'files' }
      : Object.fromEntries(recorded.map(field => [field, fields[field]]));
  const whole = {
    ...plan,
    ...(isTimed &&
      per === 'crank' && {
        /** @type {Plan['toValue']} */
        toValue: (rows, field) => i => (rows.steps[i] > 0 ? rows[field][i] / rows.steps[i] : NaN),
      }),
  };
  const all = Object.keys(names);
  const heading = isTimed ? `${title} per ${per ?? 'block'}` : title;
  const plans =
    datasets.length === 1
      ? [{ title: heading, fields: all, ...whole }]
      : all.map(field => ({ title: titles?.[field] ?? names[field], fields: [field], ...whole }));
  return { title: heading, meaning, plans, names, undrawn: [] };
};

/**
 * @param {Plan} plan
 * @param {readonly Dataset[]} datasets
 * @param {{ axes: AxisKind[], limit: number, names: Record<string, string> }} options
 * @returns {PagePanel | Constant}  the latter if the counter is constant, or a part of the database is empty
 */
const makePanel = (plan, datasets, { axes, limit, names }) => {
  const { title, fields, remedy, toValue, chooseUnit, scatters, hasOutliers } = plan;
  const byAxis = axes.map(x =>
    makeLines(datasets, fields, {
      remedy,
      x,
      ...(toValue && { toValue }),
      nameField: field => names[field] ?? field,
      together: fields.length > 1,
    }),
  );
  const lines = byAxis[0];
  const values = new Set(
    lines.flatMap(({ ys }) => [trim(Math.min(...pickSome(ys))), trim(Math.max(...pickSome(ys)))]),
  );
  if (values.size === 1 && names[fields[0]] === undefined)
    return { title, value: [...values][0], isRate: toValue !== undefined };
  const highest = Math.max(...lines.map(({ ys }) => summarise(ys).max));
  const top = hasOutliers
    ? Math.min(highest, Math.max(...lines.map(({ ys }) => findRobustTop(ys))))
    : highest;
  const unit = chooseUnit(top);
  const inUnit = (/** @type {number} */ value) => trim(value / unit.size);
  /** @param {number} at @param {readonly number[]} picked */
  const placesOf = (at, picked) =>
    Object.fromEntries(axes.map((axis, k) => [axis, picked.map(i => trim(byAxis[k][at].xs[i]))]));
  return {
    title,
    unit: unit.axis === 'single ones' ? '' : unit.axis,
    top: hasOutliers && top < highest ? trim((1.05 * top) / unit.size) : null,
    isLog: hasOutliers && lieFarApart(lines),
    isWhole: unit.size === 1 && lines.every(({ ys }) => ys.every(Number.isInteger)),
    above: hasOutliers ? countAbove(lines, 1.05 * top) : 0,
    lines: lines.map((line, at) => {
      const picked = pickExtremes(line, limit);
      const { min, median, max } = summarise(line.ys);
      return {
        name: line.name,
        colour: line.colour,
        dark: forDark(line.colour),
        pale: paleTone(line.colour),
        dim: toneForDark(line.colour),
        dash: line.dash,
        xs: placesOf(at, picked),
        ys: picked.map(i => inUnit(line.ys[i])),
        median:
          scatters && rollingWindow(line.ys.length) > 1 && !isFlat(line.ys, median)
            ? makeMedian(line, at, placesOf, inUnit)
            : null,
        figures: {
          points: line.ys.length,
          low: inUnit(min),
          median: inUnit(median),
          high: inUnit(max),
        },
      };
    }),
  };
};

/** Values that equal the median, as a share of all, from which single points would only hide other runs' lines. */
const flatShare = 0.95;

/** @param {ArrayLike<number>} ys @param {number} median */
const isFlat = (ys, median) => {
  let equal = 0;
  for (let i = 0; i < ys.length; i += 1) if (ys[i] === median) equal += 1;
  return equal >= flatShare * ys.length;
};

/** @param {readonly Line[]} lines @param {number} top */
const countAbove = (lines, top) =>
  lines.reduce((sum, { ys }) => sum + ys.reduce((count, y) => count + Number(y > top), 0), 0);

/** Sentences on counters that are not drawn. @param {Constant[]} constants @returns {string[]} */
const describeConstants = constants => {
  const show = (/** @type {Constant} */ { title, value }) =>
    `${title.replace(ofRates, '')} ${value}`;
  /** @param {string} label @param {Constant[]} some @param {(constant: Constant) => string} name */
  const list = (label, some, name) =>
    some.length === 0 ? [] : [`${label}: ${some.map(name).join(', ')}.`];
  const changing = constants.filter(({ value }) => value !== 0);
  return [
    ...list(
      'Constant',
      changing.filter(({ isRate }) => !isRate),
      show,
    ),
    ...list(
      'Constant, per crank',
      changing.filter(({ isRate }) => isRate),
      show,
    ),
    ...list(
      'Always 0',
      constants.filter(({ value }) => value === 0),
      ({ title }) => title.replace(ofRates, ''),
    ),
  ];
};

/** Whether the lines' medians ask for a log scale, as in a picture. @param {readonly Line[]} lines */
const lieFarApart = lines => {
  const medians = lines.map(({ ys }) => summarise(ys).median);
  return Math.min(...medians) > 0 && Math.max(...medians) / Math.min(...medians) > farApart;
};

/** The lowest and highest value of many. @param {number[]} ys */
const pickSome = ys => {
  const { min, max } = summarise(ys);
  return [min, max];
};

/**
 * @param {Line} line
 * @param {number} at
 * @param {(at: number, picked: readonly number[]) => { [axis in AxisKind]?: number[] }} placesOf
 * @param {(value: number) => number} inUnit
 */
const makeMedian = (line, at, placesOf, inUnit) => {
  const indexes = Array.from({ length: line.ys.length }, (_, i) => i);
  const rolled = rollMedian({ xs: indexes, ys: line.ys }, placesOfMedian);
  const places = rolled.map(({ x }) => x);
  return { xs: placesOf(at, places), ys: rolled.map(({ y }) => inUnit(y)) };
};

/**
 * Remove the parts of a database that are empty in every block of all runs, unless all are.
 *
 * @param {PagePanel[]} panels
 * @returns {string[]} their names
 */
const dropEmpty = panels => {
  const [panel] = panels;
  if (panels.length > 1) {
    const drawn = panels.filter(({ lines }) => lines.some(({ figures }) => figures.high !== 0));
    const empty = panels.filter(each => !drawn.includes(each));
    if (drawn.length > 0) panels.splice(0, panels.length, ...drawn);
    return drawn.length > 0 ? empty.map(({ title }) => title.toLowerCase()) : [];
  }
  if (panels.length !== 1 || panel.lines.every(({ figures }) => figures.high === 0)) return [];
  const empty = panel.lines.filter(({ figures }) => figures.high === 0);
  panel.lines = panel.lines.filter(({ figures }) => figures.high !== 0);
  return empty.map(({ name }) => name);
};

/**
 * @param {ChartKind} kind
 * @param {readonly Dataset[]} datasets
 * @param {ChartOptions} options
 * @returns {PageModel}
 * @throws {UserError} if a run did not record what the kind shows
 */
export const makePageModel = (kind, datasets, { title, note, per, x }) => {
  const planned = planPanels(kind, datasets, per);
  const isTimed = datasets.every(({ columns }) => columns.includes('btime'));
  const axes = axisKinds.filter(axis => axis !== 'time' || isTimed);
  const { kind: axis } = chooseAxis(datasets, x);
  const count = datasets.length * planned.plans.reduce((sum, { fields }) => sum + fields.length, 0);
  const limit = Math.min(
    mostPoints,
    Math.max(fewestPoints, Math.floor(pointsInAll / Math.max(count, 1))),
  );
  const made = planned.plans.map(plan =>
    makePanel(plan, datasets, { axes, limit, names: planned.names }),
  );
  const panels = made.filter(panel => 'lines' in panel);
  const constants = made.filter(panel => 'value' in panel);
  const above = panels.reduce((sum, panel) => sum + panel.above, 0);
  const empty = kind === 'disk' ? dropEmpty(panels) : [];
  if (panels.length === 0) {
    throw new UserError(
      `${datasets[0].label}: none of its counters changes, there is nothing to draw`,
    );
  }
  const counts = datasets.map(({ rows }) => rows.block.length);
  const most = Math.max(...counts);
  const heading =
    title ?? (datasets.length === 1 ? `${planned.title}: ${datasets[0].label}` : planned.title);
  return {
    title: heading,
    notes: [
      `${describeBlocks(counts)}. ${planned.meaning}`,
      ...(note === undefined ? [] : [note]),
      ...(most > limit
        ? [
            `Drawn: the lowest and the highest value of each ${formatCount(Math.ceil((2 * most) / limit))} blocks.`,
          ]
        : []),
      ...(above === 0
        ? []
        : [
            `${formatCount(above)} ${above === 1 ? 'value is' : 'values are'} above the scale: "All outliers" shows ${above === 1 ? 'it' : 'them'}.`,
          ]),
      ...(empty.length === 0 ? [] : [`Nothing yet: ${empty.join('; ')}.`]),
      ...describeConstants(constants),
      ...planned.undrawn,
    ],
    axis,
    axes,
    panels,
  };
};
