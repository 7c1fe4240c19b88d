// All results together: tables beside the published figures, as text, JSON and Markdown, and the page.

import { readFileSync } from 'node:fs';
import { formatDuration } from '#model';
import { runFiles, summaryFiles } from './files.js';
import { drawPage } from './page.js';
import { loadPublished } from './published.js';
import { formatMarkdownTable, formatTextTable } from './tables.js';

/** @import { Folder } from './folder.js' */
/** @import { Job } from './jobs.js' */
/** @import { Result } from './result.js' */
/** @import { Table } from './tables.js' */

/**
 * The matrix that the results come from.
 *
 * @typedef {object} Matter
 * @property {string} title
 * @property {'snapshot' | 'demos'} kind
 * @property {readonly Job[]} jobs  the whole matrix, in the order in which it is shown
 */

/** @typedef {Result & { published?: Job['published'] }} Row */

/** @param {number | undefined} ns */
const duration = ns => (ns === undefined ? '' : formatDuration(Math.round(ns)));

/** @param {number | undefined} value  with at most two decimals */
const figure = value => {
  if (value === undefined) return '';
  const text = value.toFixed(2).replace(/\.?0+$/, '');
  return (text === '-0' ? '0' : text).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
};

/** @param {number | undefined} ratio */
const times = ratio =>
  ratio === undefined ? '' : ratio < 10 ? ratio.toFixed(1) : figure(Math.round(ratio));

/** @param {{ count: number, ns: number }} collections */
const collections = ({ count, ns }) => (count === 0 ? '' : `${figure(count)}, ${duration(ns)}`);

/** @param {number} bytes */
const megabytes = bytes => (bytes / 1e6).toFixed(1);

const text = (/** @type {string} */ head) => ({ head, isText: true });
const number = (/** @type {string} */ head) => ({ head });

/** @param {Row[]} rows @returns {Table} */
const snapshotTimes = rows => ({
  title: 'Time',
  columns: [
    ...[text('test'), number('rounds'), number('total'), number('2020'), number('2020 by ours')],
    ...[number('a round'), number('2020'), number('late/early')],
    ...[number('forced GC'), number('GC in cranks'), number('heap MB'), number('disk MB')],
  ],
  rows: rows.map(row => [
    ...[row.name, figure(row.rounds), duration(row.totalNs), duration(row.published?.ns)],
    times(row.published && row.published.ns / row.totalNs),
    ...[duration(row.roundNs), duration(row.published && row.published.ns / row.rounds)],
    row.lateOverEarly?.toFixed(3) ?? '',
    ...[collections(row.forced), collections(row.reaps)],
    ...[megabytes(row.heapBytes), megabytes(row.diskBytes)],
  ]),
  notes: [
    'total: setup and rounds, without the start of the process. a round: the mean of all rounds; of 2020 the total by rounds, as published.',
    'late/early: what a crank of the last tenth of the blocks took over one of the second tenth, medians.',
    'forced GC: collections by --forcegc, in no other column; those of 2020 are in its times. GC in cranks: collections for bringOutYourDead, parts of total and round.',
    'heap, disk: in use at the end; the database with all transcripts.',
  ],
});

/** @param {Row[]} rows @returns {Table} */
const snapshotWork = rows => {
  const keys = ['kernelObjects', 'kernelPromises', 'clistEntries'];
  return {
    title: 'What a round does, and what it leaves',
    columns: [
      ...[text('test'), number('cranks'), number('2020')],
      ...['objects', 'promises', 'c-list entries'].flatMap(head => [number(head), number('2020')]),
      text('what grows'),
    ],
    rows: rows.map(({ name, rounds, roundCranks, perRound, grows, published }) => [
      ...[name, figure(roundCranks), figure(published && published.cranks / rounds)],
      ...keys.flatMap(key => [figure(perRound?.[key]), figure(published?.perRound?.[key])]),
      grows === undefined ? '' : grows.length === 0 ? 'nothing' : grows.join(' '),
    ]),
    notes: [
      'By round; objects, promises and c-list entries: how many more there are after the rounds than before them.',
      'what grows: what `swingset-runner report --growth` says of the stats file; disk has all transcripts.',
      'Objects are collected after some 10,000 cranks (profile current): a short run ends before that.',
    ],
  };
};

/** @param {Row[]} rows @returns {Table} */
const demoTable = rows => ({
  title: 'Demos',
  columns: [
    ...[text('demo'), text('arguments'), number('cranks'), number('2020'), number('time')],
    ...[number('2020'), number('2020 by ours'), number('rounds'), number('cranks each')],
    number('a round'),
  ],
  rows: rows.map(row => [
    ...[row.name, row.argv.join(' '), figure(row.setupCranks), figure(row.published?.cranks)],
    ...[duration(row.setupNs), duration(row.published?.ns)],
    times(row.published && row.published.ns / row.setupNs),
    ...(row.rounds === 0
      ? ['', '', '']
      : [figure(row.rounds), figure(row.roundCranks), duration(row.roundNs)]),
  ]),
  notes: [
    'cranks, time: until nothing is left to do, without rounds. Rounds: of demos that have them.',
  ],
});

/**
 * Collects all reports in one file, each after its command, as they were published.
 *
 * @param {Row[]} rows
 * @param {Folder} folder
 */
const collectReports = (rows, folder) =>
  rows
    .map(({ name, demo, argv }) => {
      const command = ['swingset-runner', demo, ...(argv.length > 0 ? ['--', ...argv] : [])];
      return `$ ${command.join(' ')}\n${readFileSync(folder.at(runFiles(name).report), 'utf8')}`;
    })
    .join('\n');

/** @param {Row[]} rows @returns {string[]} */
const makeWarnings = rows => {
  const changed = rows.filter(({ commit }) => commit.endsWith('+')).map(({ name }) => name);
  return [
    ...(changed.length === 0
      ? []
      : [`The sources had changes that were not committed: ${changed.join(', ')}.`]),
    ...rows.flatMap(({ name, failedRounds, noise }) => [
      ...(failedRounds > 0
        ? [`${name}: ${failedRounds} rounds were rejected or not answered.`]
        : []),
      ...(noise === 'idle' ? [] : [`${name}: the machine was ${noise}.`]),
    ]),
  ];
};

/**
 * @param {Folder} folder
 * @param {Matter} matter
 */
export const writeSummary = (folder, { title, kind, jobs }) => {
  const results = new Map(folder.list().map(result => [result.name, result]));
  const rows = jobs.flatMap(({ name, published }) => {
    const result = results.get(name);
    return result === undefined ? [] : [{ ...result, ...(published && { published }) }];
  });
  const tables =
    kind === 'snapshot' ? [snapshotTimes(rows), snapshotWork(rows)] : [demoTable(rows)];
  const { source, notes } = loadPublished();
  const missing = jobs.length - rows.length;
  const facts = [
    ...Object.entries(folder.identity).map(([key, value]) => `${key}: ${value}`),
    ...(missing > 0 ? [`${rows.length} of ${jobs.length} runs; the others have not been run`] : []),
    `2020: ${source}`,
    ...(kind === 'snapshot' ? notes : []).map(note => `2020: ${note}`),
  ];
  const warnings = makeWarnings(rows);
  const list = (/** @type {string[]} */ lines, /** @type {string} */ mark) =>
    lines.map(line => `${mark}${line}\n`).join('');
  folder.write(
    summaryFiles.text,
    [`${title}\n\n${list(facts, '')}\n`, ...tables.map(formatTextTable), list(warnings, '')].join(
      '',
    ),
  );
  folder.write(
    summaryFiles.markdown,
    [
      `# ${title}\n\n${list(facts, '- ')}\n`,
      ...tables.map(formatMarkdownTable),
      list(warnings, '- '),
    ].join(''),
  );
  folder.write(
    summaryFiles.json,
    `${JSON.stringify({ title, ...folder.identity, published: { source, notes }, runs: rows }, null, 1)}\n`,
  );
  if (kind === 'demos') folder.write(summaryFiles.reports, collectReports(rows, folder));
  folder.write(
    summaryFiles.page,
    drawPage({ title, facts, warnings, tables, rows, hasReports: kind === 'demos', folder }),
  );
};
