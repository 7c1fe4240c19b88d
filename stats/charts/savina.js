// The chart of Lingua Franca's paper: the time of an iteration by the number of threads, with a
// panel for each program.

import { countColumns, frame, insistChart } from './frame.js';
import { runHue, runShape } from './palette.js';
import { trim } from './units.js';

/** @import { Spec } from './frame.js' */

/**
 * @typedef {object} SavinaPoint  times in ms
 * @property {string} program  its panel
 * @property {string} series  the system that ran it
 * @property {number} threads
 * @property {number} mean
 * @property {number} low  the ends of its interval
 * @property {number} high
 */

const panelWidth = 170;
const panelHeight = 110;
const panelsInRow = 5;

/** Numbers of threads over which the systems of one number are spread, so that none hides another. */
const spread = 0.6;

/**
 * @param {readonly SavinaPoint[]} points
 * @param {{ title?: string, notes: string[] }} options  sentences below the title
 * @returns {Spec}
 * @throws {TypeError} if the figures or the notes are no list
 */
export const makeSavinaChart = (points, options) => {
  insistChart(
    'makeSavinaChart()',
    points,
    options,
    'a list of { program, series, threads, mean, low, high }',
  );
  const { title = 'Savina', notes } = options;
  const series = [...new Set(points.map(point => point.series))];
  const panels = [...new Set(points.map(({ program }) => program))];
  const most = Math.max(...points.map(({ threads }) => threads));
  const values = points.map(point => ({
    ...point,
    at: trim(point.threads + spread * ((series.indexOf(point.series) + 0.5) / series.length - 0.5)),
    mean: trim(point.mean),
    low: trim(point.low),
    high: trim(point.high),
  }));
  const x = {
    field: 'at',
    type: 'quantitative',
    title: null,
    scale: { domain: [0.5, most + 0.5], nice: false, zero: false },
    axis: { format: 'd', values: [...new Set(points.map(({ threads }) => threads))], grid: false },
  };
  const y = {
    type: 'quantitative',
    title: null,
    scale: { zero: true, nice: 4 },
    axis: { tickCount: 4 },
  };
  const legend = { orient: 'bottom', title: null, labelLimit: 0, columns: countColumns(series) };
  const color = {
    field: 'series',
    type: 'nominal',
    scale: { domain: series, range: series.map((_, i) => runHue(i)) },
    legend,
  };
  const shape = { ...color, scale: { domain: series, range: series.map((_, i) => runShape(i)) } };
  return frame(title, [...notes, 'Milliseconds by number of threads.'], {
    data: { values },
    facet: { field: 'program', type: 'nominal', sort: panels, title: null },
    columns: Math.min(panelsInRow, panels.length),
    // An axis of its own for each panel: otherwise a last row that is not full has axes without panels.
    resolve: { scale: { y: 'independent' }, axis: { x: 'independent' } },
    // By the plots alone, or the names of panels would stand at different heights.
    bounds: 'flush',
    spacing: { column: 62, row: 74 },
    spec: {
      width: panelWidth,
      height: panelHeight,
      encoding: { x, color },
      layer: [
        { mark: { type: 'line', strokeWidth: 2 }, encoding: { y: { ...y, field: 'mean' } } },
        {
          mark: { type: 'rule', strokeWidth: 1.5 },
          encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
        {
          mark: { type: 'point', filled: true, size: 45, opacity: 1 },
          encoding: {
            y: { ...y, field: 'mean' },
            shape,
            tooltip: [
              { field: 'program', title: 'program' },
              { field: 'series', title: 'system' },
              { field: 'threads', title: 'threads' },
              { field: 'mean', title: 'ms' },
            ],
          },
        },
      ],
    },
  });
};
