// The charts of `bench ipc`: the cost of a message within an address space, of one between two, and
// of a system call, on all platforms of the table; and the cost of calls when several cores make
// them at once.

import {
  fadedInk,
  frame,
  insistChart,
  lineLegend,
  plotHeight,
  plotWidth,
  rowInk,
} from './frame.js';
import { runDash, runHue } from './palette.js';
import { formatCount, trim } from './units.js';

/** @import { Spec } from './frame.js' */

/** @typedef {{ platform: string, intra: number, inter: number, syscall: number }} IpcBar  one figure each; NaN if it was not measured */

const kinds = /** @type {const} */ (['intra', 'inter', 'syscall']);

const formatBar = (/** @type {number} */ value) =>
  value >= 100 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(3)));

/**
 * @param {readonly IpcBar[]} bars  in the order of the table
 * @param {{ title?: string, notes: string[] }} options  sentences below the title
 * @returns {Spec}
 * @throws {TypeError} if the figures or the notes are no list
 */
export const makeIpcChart = (bars, options) => {
  insistChart('makeIpcChart()', bars, options, 'a list of { platform, intra, inter, syscall }');
  const { title = 'IPC and system calls', notes } = options;
  const values = bars.flatMap(bar =>
    kinds
      .filter(kind => Number.isFinite(bar[kind]) && bar[kind] > 0)
      .map(kind => ({
        platform: bar.platform,
        kind,
        value: trim(bar[kind]),
        text: formatBar(bar[kind]),
      })),
  );
  const spans = bars.flatMap(({ platform }) => {
    const own = values.filter(value => value.platform === platform).map(({ value }) => value);
    if (own.length === 0) return [];
    return [{ platform, kind: kinds[1], least: Math.min(...own), most: Math.max(...own) }];
  });
  const y = {
    field: 'platform',
    type: 'nominal',
    sort: bars.map(({ platform }) => platform),
    title: null,
    axis: { labelLimit: 0, ticks: false, domain: false },
    scale: { paddingInner: 0.28 },
  };
  const common = { y, yOffset: { field: 'kind', sort: kinds } };
  const largest = Math.max(...values.map(({ value }) => value), 1);
  const x = {
    field: 'value',
    type: 'quantitative',
    title: 'Cycles, or ticks where the text says so (log scale)',
    // Room for the figure after its dot.
    scale: { type: 'log', domain: [10, largest * 2.2], nice: false },
    axis: { format: ',d', values: [10, 100, 1_000, 10_000, 100_000, 1_000_000] },
  };
  const legend = { orient: 'bottom', title: null };
  return frame(title, notes, {
    data: { values },
    width: plotWidth - 240,
    height: { step: 12 },
    // A log scale has no zero at which a bar could begin, so values are dots.
    layer: [
      {
        mark: { type: 'rule', color: rowInk, strokeWidth: 6 },
        data: { values: spans },
        encoding: { ...common, x: { ...x, field: 'least' }, x2: { field: 'most' } },
      },
      {
        mark: { type: 'point', filled: true, size: 70, opacity: 1, clip: true },
        encoding: {
          ...common,
          x,
          color: {
            field: 'kind',
            type: 'nominal',
            scale: { domain: kinds, range: kinds.map((_, i) => runHue(i)) },
            legend,
          },
          shape: {
            field: 'kind',
            type: 'nominal',
            scale: { domain: kinds, range: ['circle', 'square', 'triangle-up'] },
            legend,
          },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 8, fontSize: 10, color: fadedInk },
        encoding: { ...common, x, text: { field: 'text', type: 'nominal' } },
      },
    ],
  });
};

/** @typedef {{ name: string, cores: number, median: number, p75: number, average: number }} ParallelPoint */

/** Averages include other work of the machine: up to so many times the highest median they determine the scale. */
const mostAbove = 3;

/**
 * A chart of calls on one core to all, a line for each kind of call.
 *
 * @param {readonly ParallelPoint[]} points
 * @param {{ title?: string, unit: string, notes: string[] }} options
 * @returns {Spec}
 * @throws {TypeError} if the figures or the notes are no list
 */
export const makeParallelChart = (points, options) => {
  insistChart(
    'makeParallelChart()',
    points,
    options,
    'a list of { name, cores, median, p75, average }',
  );
  const { title = 'Calls on several cores at once', unit, notes } = options;
  const names = [...new Set(points.map(({ name }) => name))];
  const most = Math.max(...points.map(({ cores }) => cores));
  const x = {
    field: 'cores',
    type: 'quantitative',
    title: 'Cores at once',
    scale: { domain: most === 1 ? [0, 2] : [1, most], nice: false, zero: false },
    axis: { format: 'd', tickMinStep: 1, grid: false },
  };
  const color = {
    field: 'name',
    type: 'nominal',
    scale: { domain: names, range: names.map((_, i) => runHue(i)) },
    legend: lineLegend(names),
  };
  const strokeDash = { ...color, scale: { domain: names, range: names.map((_, i) => runDash(i)) } };
  const highest = Math.max(...points.map(({ median }) => median));
  const averages = points.map(({ average }) => average);
  const top = Math.max(highest, ...averages.map(each => Math.min(each, mostAbove * highest)));
  const above = averages.filter(each => each > top);
  const y = {
    type: 'quantitative',
    title: unit,
    scale: { domain: [0, 1.05 * top], nice: true },
    axis: { format: ',d' },
  };
  const beyond =
    above.length === 0
      ? []
      : [`Averages go up to ${formatCount(Math.round(Math.max(...above)))}, above the scale.`];
  return frame(title, [...notes, ...beyond], {
    data: { values: points.map(point => ({ ...point, median: trim(point.median) })) },
    width: plotWidth,
    height: plotHeight,
    encoding: { x, color },
    layer: [
      {
        mark: { type: 'line', strokeWidth: 2, point: { size: 60 } },
        encoding: { y: { ...y, field: 'median' }, strokeDash },
      },
      {
        mark: { type: 'line', strokeWidth: 1, strokeDash: [4, 3], opacity: 0.7, clip: true },
        encoding: { y: { ...y, field: 'average' } },
      },
    ],
  });
};
