// The frame that all charts share: title and subtitle, axes, the legend under the plot, fonts, and
// the parts for interactive pages. Everything here is Vega-Lite as plain data; nothing is drawn.

import { insistArgument } from '#model';
import { formatCount } from './units.js';

/** @import { Line } from './series.js' */

/**
 * A Vega-Lite specification, or a part of one.
 *
 * @typedef {{ [key: string]: any }} Spec
 */

/** The plot's size in pixels; with title and legend a picture is about 16:9, like slides. */
export const plotWidth = 920;
export const plotHeight = 420;

const fontFamily = 'Inter, "Helvetica Neue", Arial, sans-serif';

/** The longest line of a subtitle and of a title, in characters. */
const subtitleLength = 138;
const titleLength = 84;

const ink = '#222222';
export const fadedInk = '#5b5b5b';

/** The colour of bands that join the marks of a row. */
export const rowInk = '#e8e8e8';

const config = {
  font: fontFamily,
  background: '#ffffff',
  padding: 18,
  // PDF viewers' own fonts have no typographic minus.
  locale: {
    number: { decimal: '.', thousands: ',', grouping: [3], currency: ['$', ''], minus: '-' },
  },
  view: { stroke: '#c8c8c8' },
  // A label on each of thousands of points is noise to a screen reader; title, axes and legend keep theirs.
  mark: { aria: false },
  title: {
    fontSize: 20,
    fontWeight: 600,
    color: ink,
    subtitleFontSize: 13,
    subtitleColor: fadedInk,
    subtitleLineHeight: 18,
    subtitlePadding: 6,
    offset: 14,
  },
  axis: {
    labelFontSize: 13,
    titleFontSize: 14,
    titleFontWeight: 600,
    labelColor: ink,
    titleColor: ink,
    titlePadding: 10,
    gridColor: '#e6e6e6',
    domainColor: '#8a8a8a',
    tickColor: '#8a8a8a',
    labelLimit: 0,
  },
  header: { labelFontSize: 13, labelFontWeight: 600, labelColor: ink },
  legend: { labelFontSize: 13, labelColor: ink },
};

/** Parts of a word that is longer than a line. @param {string} word @param {number} width  characters */
const cutWord = (word, width) => {
  const letters = [...word];
  const parts = [];
  for (let i = 0; i < letters.length; i += width) parts.push(letters.slice(i, i + width).join(''));
  return parts.length === 0 ? [word] : parts;
};

/**
 * @param {string[]} sentences
 * @param {number} [width]  characters
 */
const breakLines = (sentences, width = subtitleLength) =>
  sentences.flatMap(sentence => {
    /** @type {string[]} */
    const lines = [];
    let line = '';
    for (const word of sentence.split(' ').flatMap(long => cutWord(long, width))) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });

/**
 * Make the whole specification around a chart's body.
 *
 * @param {string} title
 * @param {string[]} subtitle  sentences, each starting a line
 * @param {Spec} body
 * @returns {Spec}
 */
export const frame = (title, subtitle, body) => {
  const lines = breakLines([title], titleLength);
  const text = lines.length === 1 ? title : lines;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text, subtitle: breakLines(subtitle), anchor: 'start', frame: 'group' },
    ...body,
    config,
  };
};

/**
 * The title of a chart; for a single run it includes the run's label.
 *
 * @param {string} what
 * @param {readonly Line[]} lines
 */
export const nameChart = (what, lines) =>
  lines.every(({ run }) => run === lines[0].run) ? `${what}: ${lines[0].run}` : what;

/** @param {readonly Line[]} lines */
const xDomain = lines => {
  const first = Math.min(...lines.map(({ xs }) => xs[0]));
  const last = Math.max(...lines.map(({ xs }) => xs[xs.length - 1]));
  if (lines[0].axis.kind !== 'block') return [0, last > 0 ? last : 1];
  if (first === last) return [first - 1, last + 1];
  // If 0 is near, the axis begins there, so that ticks are round numbers.
  return [first <= last / 50 ? 0 : first, last];
};

/**
 * Lines in the order of drawing, longest first, so that no longer run hides a shorter one.
 *
 * @param {readonly Line[]} lines
 */
export const longestFirst = lines => lines.toSorted((a, b) => b.xs.length - a.xs.length);

/**
 * The horizontal channel: block numbers, or the unit of the lines' axis.
 *
 * @param {readonly Line[]} lines
 * @param {{ isLast?: boolean }} [options]  whether this panel names the axis
 */
export const blockChannel = (lines, { isLast = true } = {}) => ({
  field: 'x',
  type: 'quantitative',
  title: isLast ? lines[0].axis.title : null,
  scale: { domain: xDomain(lines), nice: false, zero: false },
  axis: {
    format: lines[0].axis.format,
    ...(lines[0].axis.kind === 'block' && { tickMinStep: 1 }),
    tickCount: 10,
    grid: false,
    labelFlush: false,
  },
});

/** Approximate widths of a legend's letter and of the space around a label, in pixels. */
const letterWidth = 7.2;
const entryMargin = 60;

/**
 * Entries in a line of a legend below a plot of the usual width.
 *
 * @param {readonly string[]} names
 * @param {number} [group]  entries that belong together and should share a line
 */
export const countColumns = (names, group = 1) => {
  const longest = Math.max(...names.map(name => name.length));
  const fitting = Math.max(1, Math.floor(plotWidth / (longest * letterWidth + entryMargin)));
  if (group > 1 && fitting >= group) return fitting - (fitting % group);
  const rows = Math.ceil(names.length / fitting);
  return Math.ceil(names.length / rows);
};

/**
 * A legend under the plot, as wide as its labels need, with symbols long enough for dashes.
 *
 * @param {readonly string[]} names
 * @param {number} [group]  entries that belong together
 */
export const lineLegend = (names, group) => ({
  orient: 'bottom',
  direction: 'horizontal',
  columns: countColumns(names, group),
  title: null,
  labelLimit: 0,
  symbolType: 'stroke',
  symbolSize: 500,
  symbolStrokeWidth: 3.5,
  symbolOpacity: 1,
  columnPadding: 26,
  rowPadding: 5,
  offset: 18,
});

/**
 * Colour and stroke by line, with the legend under the plot, as wide as its labels need.
 *
 * @param {readonly Line[]} lines  names may repeat in several panels
 * @param {{ group?: number }} [options]
 */
export const lineChannels = (lines, { group = 1 } = {}) => {
  const distinct = lines.filter(({ name }, i) => lines.findIndex(line => line.name === name) === i);
  const names = distinct.map(({ name }) => name);
  const legend = lineLegend(names, group);
  const color = {
    field: 'line',
    type: 'nominal',
    scale: { domain: names, range: distinct.map(({ colour }) => colour) },
    legend,
  };
  const isDashed = distinct.some(({ dash }) => dash[1] !== 0);
  return {
    color,
    ...(isDashed && {
      strokeDash: {
        field: 'line',
        type: 'nominal',
        scale: { domain: names, range: distinct.map(({ dash }) => dash) },
        legend,
      },
    }),
  };
};

/**
 * Zoom by wheel and pan by dragging along the blocks; for an interactive page.
 *
 * @param {string} [name]  one a panel
 */
export const zoomParams = (name = 'zoom') => ({
  params: [{ name, select: { type: 'interval', encodings: ['x'] }, bind: 'scales' }],
});

/**
 * Show the point of a line that is nearest to the pointer, with its tooltip.
 *
 * @param {Spec} data
 * @param {Spec} encoding  x, y and color of the lines
 * @param {Spec[]} tooltip
 * @param {string} [name]  one a panel
 */
export const hoverLayer = (data, encoding, tooltip, name = 'hover') => ({
  data,
  params: [
    { name, select: { type: 'point', on: 'pointerover', nearest: true, clear: 'pointerout' } },
  ],
  mark: { type: 'point', filled: true, size: 70, clip: true },
  encoding: {
    ...encoding,
    tooltip,
    opacity: { condition: { param: name, empty: false, value: 1 }, value: 0 },
  },
});

/**
 * Describe the numbers of blocks of the runs: `10,000 blocks`, `2 runs of 100 and 10,000 blocks`,
 * `16 runs of 90 to 100 blocks`.
 *
 * @param {readonly number[]} counts
 */
export const describeBlocks = counts => {
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  const unit = most === 1 ? 'block' : 'blocks';
  if (counts.length === 1) return `${formatCount(most)} ${unit}`;
  const runs = `${counts.length} runs of`;
  if (least === most) return `${runs} ${formatCount(most)} ${unit}`;
  const joint = counts.length === 2 ? 'and' : 'to';
  return `${runs} ${formatCount(least)} ${joint} ${formatCount(most)} blocks`;
};

/**
 * Checks the arguments of a chart that a host program makes of figures of its own.
 *
 * @param {string} subject  the function
 * @param {unknown} figures
 * @param {unknown} options
 * @param {string} wanted  the right figures
 * @throws {TypeError} they have a wrong type
 */
export const insistChart = (subject, figures, options, wanted) => {
  insistArgument(subject, figures, 'array', wanted);
  for (const figure of /** @type {unknown[]} */ (figures))
    insistArgument(subject, figure, 'object', wanted);
  insistArgument(`${subject}, second,`, options, { notes: 'array' }, 'options, as { notes: [] }');
};
