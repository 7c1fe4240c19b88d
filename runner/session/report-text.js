// Formats a run's report, and finds the report of an earlier run.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  explainFileError,
  countOf,
  formatDuration,
  forms,
  insistEnds,
  insistFields,
  isRecord,
  quote,
  showInLine,
  UserError,
} from '#model';
import { showResult } from '#host/session.js';
import { formatBenchmarkReport, formatCollectionsReport, formatRunReport } from '#stats/report.js';
import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';

/** @typedef {Partial<import('#host').Report> & Pick<import('#host').Report, 'cranks' | 'counters'>} Report */

const { count, flag, number, orAbsent, recordOf, tableOf, text, texts, whole } = forms;

const collections = orAbsent(recordOf({ count, ns: number }));

const worker = recordOf({
  ...{ number: count, vats: count, cranks: count, batches: count },
  ...{ busyNs: number, waitingNs: number },
});

const counter = recordOf({
  ...{ value: whole, up: orAbsent(count), down: orAbsent(count), max: orAbsent(whole) },
});

const benchmark = recordOf({
  ...{ rounds: count, cranks: count, controlCranks: orAbsent(count) },
  ...{ ns: orAbsent(number), delta: tableOf(whole), results: orAbsent(texts) },
});

/** A report as a run writes it; those of earlier versions lack some. */
const reportForms = Object.freeze({
  ...{ cranks: count, controlCranks: orAbsent(count), totalCranks: orAbsent(count) },
  ...{ profile: orAbsent(text), ns: orAbsent(number), clock: orAbsent(text) },
  ...{ keepsAwake: orAbsent(flag), workers: orAbsent(forms.listOf(worker)) },
  workersWaitNs: orAbsent(number),
  placement: orAbsent(recordOf({ looks: count, moves: count, takenBack: count })),
  counters: tableOf(counter),
  benchmark: orAbsent(benchmark),
  ...{ bootstrapResult: orAbsent(text), activityHash: orAbsent(text) },
  ...{ forcedCollections: collections, reapCollections: collections },
});

/** @param {string[]} results */
const countResults = results => {
  const count = (/** @type {string} */ start) =>
    results.filter(result => result.startsWith(start)).length;
  return [
    [count('fulfilled'), 'fulfilled'],
    [count('rejected'), 'rejected'],
    [count('did not finish'), 'did not finish'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(', ');
};

/** @param {import('#host').WorkerFigures} figures */
const describeWorker = ({ number, vats, cranks, batches, busyNs, waitingNs }) =>
  `worker ${number}: ${countOf(vats, 'vat')}, ${countOf(cranks, 'crank')} in ${batches} batches, busy ${formatDuration(busyNs)}, waiting ${formatDuration(waitingNs)}`;

/**
 * Describe the work of the threads while the kernel's own went on, which is about what they gained.
 *
 * @param {readonly import('#host').WorkerFigures[]} workers
 * @param {number} [workersWaitNs]  absent from reports of earlier versions
 */
export const describeGained = (workers, workersWaitNs) => {
  if (workers.length === 0 || workersWaitNs === undefined) return [];
  const busyNs = workers.reduce((sum, worker) => sum + worker.busyNs, 0);
  const gainedNs = busyNs - workersWaitNs;
  const what = `workers were busy ${formatDuration(busyNs)}, the kernel waited for them ${formatDuration(workersWaitNs)}`;
  return [
    gainedNs > 0
      ? `gained about ${formatDuration(gainedNs)}: ${what}`
      : `nothing gained, about ${formatDuration(-gainedNs)} lost: ${what}`,
  ];
};

/** @param {import('#host').PlacementFigures} figures */
const describePlacement = ({ looks, moves, takenBack }) =>
  `placement of vats: ${looks} looks, ${moves} moves, ${takenBack} placements taken back`;

/**
 * @param {Report} report
 * @param {import('#stats/report.js').TableOptions} [options]
 */
export const formatReport = (report, options) => {
  const { profile, cranks, totalCranks = cranks, controlCranks = 0 } = report;
  const { ns, clock, keepsAwake, benchmark } = report;
  const { ns: _ns, controlCranks: _controlCranks, ...rest } = report;
  const { workers = [], workersWaitNs, placement, ...table } = rest;
  const whole = [
    `${countOf(totalCranks, 'crank')} in all`,
    ...(controlCranks > 0 ? [`${countOf(controlCranks, 'control crank')} aside`] : []),
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    ...(ns === undefined ? [] : [formatDuration(ns)]),
    ...(clock === undefined ? [] : [`clock ${clock}`]),
    ...(keepsAwake ? ['core kept awake'] : []),
  ];
  const benchmarkText = formatBenchmarkReport(report, options);
  const collectionsText = formatCollectionsReport(report);
  return [
    formatRunReport(table, options),
    ...(benchmarkText === '' ? [] : [benchmarkText]),
    ...(collectionsText === '' ? [] : [collectionsText]),
    [
      whole.join(', '),
      ...workers.map(describeWorker),
      ...describeGained(workers, workersWaitNs),
      ...(placement === undefined ? [] : [describePlacement(placement)]),
      ...(report.bootstrapResult === undefined
        ? []
        : [`bootstrap: ${showInLine(showResult(report.bootstrapResult))}`]),
      ...(benchmark?.results === undefined ? [] : [`rounds: ${countResults(benchmark.results)}`]),
      ...(report.activityHash === undefined ? [] : [`activity hash: ${report.activityHash}`]),
      '',
    ].join('\n'),
  ].join('\n');
};

/**
 * @param {string} path  a report as JSON, a directory with one or with a database, or the directory
 *   of the vats
 * @returns {Promise<Report>}
 */
export const findReport = async path => {
  if (existsSync(path) && !statSync(path).isDirectory()) return readReport(path);
  const { findDatabase, makeReport, openKernel, outputFoldersOf } = await import('#host');
  const folders = outputFoldersOf(path, demosDir);
  const file = folders.map(folder => join(folder, 'report.json')).find(existsSync);
  if (file !== undefined) return readReport(file);
  const state = findDatabase(folders);
  if (state === undefined) {
    throw new UserError(
      existsSync(path)
        ? `${quote(path)} and ${quote(folders.at(-1))} have neither report.json nor a database; name a directory that a run has written`
        : `there is no ${quote(path)}; name a report as JSON, or a directory that a run has written`,
    );
  }
  const { kernel, close } = await openKernel(state, { onLoss: tellLoss });
  try {
    return makeReport(kernel);
  } finally {
    await close();
  }
};

/** Bytes of a report, at most; that of a run has some thousand. */
const mostReportBytes = 2 ** 28;

/** @param {string} file @throws {UserError} if the system cannot read it */
const readText = file => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw explainFileError(error, file);
  }
};

/**
 * @param {string} file
 * @returns {Report}
 * @throws {UserError} if it is not a report
 */
export const readReport = file => {
  const facts = statSync(file);
  insistEnds(facts, file);
  if (facts.size > mostReportBytes)
    throw new UserError(
      `${quote(file)} has ${facts.size} bytes, too many for a report; report takes what --statsfile writes`,
    );
  const text = readText(file);
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    const what = text.startsWith('block\t')
      ? 'a stats file: draw it with graph, or fit it with --growth'
      : 'not JSON';
    throw new UserError(`${quote(file)} is ${what}; report takes what --statsfile writes`);
  }
  if (!isRecord(report) || report.cranks === undefined || report.counters === undefined) {
    throw new UserError(
      `${quote(file)} is not a report: it has no "cranks" and "counters"; report takes what --statsfile writes`,
    );
  }
  try {
    insistFields(report, reportForms);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`${quote(file)} is not a report: ${message}`);
  }
  return /** @type {any} */ (report);
};
