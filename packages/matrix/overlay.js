// Charts of a matrix's page: one for each program and number of rounds, with and without forced collections and with
// the means of 2020 on one scale; and a small line for each run. Both show the time of a crank over the run.

import { escapeHtml } from '#model';
import { readStatsFile } from '#stats';
import { runFiles } from './files.js';

/** @import { Folder } from './folder.js' */
/** @import { Row } from './summary.js' */

/** The number of sections of a run whose medians are shown. */
const stretches = 48;

/** @param {number[]} values  at least one */
const median = values => values.toSorted((left, right) => left - right)[values.length >> 1];

/**
 * Nanoseconds a crank, by section of the run, including the blocks of the setup.
 *
 * @param {Row} row
 * @param {Folder} folder
 * @returns {number[]}
 */
export const curveOf = ({ name }, folder) => {
  const { btime, steps } = readStatsFile(folder.at(runFiles(name).stats)).rows;
  if (btime === undefined) return [];
  /** @type {number[][]} */
  const parts = [];
  const all = Array.from(btime, (time, i) => ({ time, cranks: steps[i] })).filter(
    ({ time, cranks }) => cranks > 0 && Number.isFinite(time),
  );
  for (const [i, { time, cranks }] of all.entries()) {
    const at = Math.floor((i * Math.min(stretches, all.length)) / all.length);
    (parts[at] ??= []).push(time / cranks);
  }
  return parts.map(median);
};

const width = 720;
const height = 240;
const left = 64;
const right = 220;
const top = 12;
const bottom = 30;

/** @param {number} ns */
const formatTime = ns => {
  const [value, unit] = ns >= 1e6 ? [ns / 1e6, 'ms'] : ns >= 1e3 ? [ns / 1e3, 'µs'] : [ns, 'ns'];
  return `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;
};

/** @param {number} value */
const round = value => Math.round(value * 10) / 10;

/** @typedef {{ name: string, values: number[], kind: 'ours' | 'theirs', dashes: string }} Line  the page's style has the colours */

/**
 * Positions of the names at the lines' ends, so that none overlaps another.
 *
 * @param {number[]} wanted  in pixels
 */
const spread = wanted => {
  const order = wanted.map((_, i) => i).sort((one, other) => wanted[one] - wanted[other]);
  const places = [...wanted];
  let last = -Infinity;
  for (const i of order) {
    places[i] = Math.max(places[i], last + 15);
    last = places[i];
  }
  return places;
};

/**
 * @param {string} title
 * @param {Line[]} lines
 * @returns {string} SVG
 */
const drawChart = (title, lines) => {
  const values = lines.flatMap(line => line.values);
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const yOf = (/** @type {number} */ ns) =>
    round(top + ((high - Math.log10(ns)) / (high - low)) * (height - top - bottom));
  const xOf = (/** @type {number} */ share) => round(left + share * (width - left - right));
  const grid = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).map(
    ns =>
      `<path d="M${left} ${yOf(ns)}H${width - right}"/><text x="${left - 6}" y="${yOf(ns) + 4}" text-anchor="end">${formatTime(ns)}</text>`,
  );
  const shares = [0, 0.5, 1].map(
    share =>
      `<text x="${xOf(share)}" y="${height - 10}" text-anchor="middle">${share * 100} %</text>`,
  );
  const ends = spread(lines.map(line => yOf(/** @type {number} */ (line.values.at(-1))) + 4));
  const drawn = lines.map(({ name, values: own, kind, dashes }, i) => {
    const points = own.length === 1 ? [own[0], own[0]] : own;
    const path = points.map((ns, at) => `${xOf(at / (points.length - 1))} ${yOf(ns)}`).join('L');
    return (
      `<path d="M${path}" class="${kind}" stroke-width="1.8"${dashes && ` stroke-dasharray="${dashes}"`}/>` +
      `<text x="${width - right + 8}" y="${ends[i]}" class="${kind}">${escapeHtml(name)}</text>`
    );
  });
  const told = lines
    .map(({ name, values: own }) => `${name} ${formatTime(median(own))}`)
    .join(', ');
  return `<svg role="img" aria-label="${escapeHtml(`${title}: time of a crank over the run; medians: ${told}`)}" viewBox="0 0 ${width} ${height}" font-size="12">
<title>${escapeHtml(title)}</title>${grid.join('')}${shares.join('')}${drawn.join('')}</svg>`;
};

/** @param {Row} row */
const groupOf = ({ demo, rounds }) => `${demo}, ${rounds.toLocaleString('en-US')} rounds`;

/**
 * The charts of rows with rounds, one for each program and number of rounds.
 *
 * @param {Row[]} rows
 * @param {Map<string, number[]>} curves  by the run's name
 * @returns {string[]} HTML
 */
export const drawOverlays = (rows, curves) => {
  const titles = new Set(rows.filter(({ rounds }) => rounds > 0).map(groupOf));
  return [...titles].flatMap(title => {
    const lines = rows
      .filter(row => groupOf(row) === title)
      .flatMap(({ name, forceGc, published }) => {
        const what = forceGc ? ', forced collections' : '';
        const dashes = forceGc ? '6 4' : '';
        const own = curves.get(name) ?? [];
        const theirs = published && published.cranks > 0 ? [published.ns / published.cranks] : [];
        /** @type {Line[]} */
        const both = [
          { name: `here${what}`, values: own, kind: 'ours', dashes },
          { name: `2020, mean${what}`, values: theirs, kind: 'theirs', dashes },
        ];
        return both.filter(({ values }) => values.length > 0);
      });
    return lines.length === 0
      ? []
      : [
          `<figure><figcaption>${escapeHtml(title)}</figcaption>${drawChart(title, lines)}</figure>`,
        ];
  });
};

/** A run's curve as a line within text. @param {string} name @param {number[]} values @returns {string} SVG */
export const drawSparkline = (name, values) => {
  if (values.length < 2) return '';
  const most = Math.max(...values);
  const points = values
    .map((ns, i) => `${round((i / (values.length - 1)) * 96 + 2)} ${round(20 - (ns / most) * 18)}`)
    .join('L');
  return `<svg role="img" aria-label="${escapeHtml(name)}: time of a crank over the run, up to ${formatTime(most)}" width="100" height="22" viewBox="0 0 100 22"><path d="M${points}" class="ours" stroke-width="1.4"/></svg>`;
};
