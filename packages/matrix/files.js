// The names of files. A run's files have the names of the published snapshot; its report as JSON is an addition.

import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'time' | 'memory' | 'disk'} GraphKind */

/** In the order in which they are shown. @type {Readonly<Record<GraphKind, string>>} */
const graphNames = Object.freeze({ time: 'Time', memory: 'Mem', disk: 'Disk' });

/**
 * @typedef {object} RunFiles  names, without a folder
 * @property {string} stats
 * @property {string} report
 * @property {string} json
 * @property {string} log
 * @property {{ kind: GraphKind, png: string, pdf: string }[]} graphs
 */

/**
 * @param {string} name  of the run
 * @returns {RunFiles}
 */
export const runFiles = name => ({
  stats: `stats-${name}`,
  report: `${name}-benchmark.report`,
  json: `${name}-benchmark.json`,
  log: `${name}-benchmark.log`,
  graphs: Object.entries(graphNames).map(([kind, word]) => ({
    kind: /** @type {GraphKind} */ (kind),
    png: `${name}${word}.png`,
    pdf: `${name}${word}.pdf`,
  })),
});

/** @param {RunFiles} files @returns {string[]} */
export const listFiles = ({ stats, report, json, log, graphs }) => [
  ...[stats, report, json, log],
  ...graphs.flatMap(({ png, pdf }) => [png, pdf]),
];

/** Files about all runs together. */
export const summaryFiles = Object.freeze({
  text: 'summary.txt',
  json: 'summary.json',
  markdown: 'summary.md',
  page: 'index.html',
  /** The reports of all demos, in the published form. */
  reports: 'demo-reports',
});

/** @param {string} dir @param {string[]} names  missing files are ignored */
export const removeFiles = (dir, names) => {
  for (const name of names) rmSync(join(dir, name), { force: true });
};
