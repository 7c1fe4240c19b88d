// The end of a run: report files, graphs, problems and exit code.

import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { showInLine, UserError } from '#model';
import { findPendingRound, parseError, showData } from '#host/session.js';
import { formatReportJson } from '#stats/report.js';
import { paintReport } from '../color.js';
import { provideFolder } from './folder.js';
import { formatReport } from './report-text.js';

/** @import { Flags } from '../cli.js' */
/** @import { Report, Simulation } from '#host' */
/** @import { CapData } from '#model' */
/** @import { StatsGroups } from '#stats' */
/** @import { Renderer } from '#stats/render.js' */
/** @import { Screen } from './screen.js' */
/** @import { Places } from './settings.js' */

/** @param {string} file @param {string} text */
const write = (file, text) => {
  provideFolder(dirname(file));
  try {
    writeFileSync(file, text);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`report ${file}: cannot write it (${code ?? message}); name another file`, {
      exitCode: 1,
      cause: error,
    });
  }
};

/**
 * @param {Report} report
 * @param {object} options
 * @param {Flags} options.flags
 * @param {Places} options.places
 * @param {Screen} options.screen
 * @param {boolean} options.prints
 * @param {boolean} options.writesAll  report files and graphs too
 * @param {boolean} options.hasState  on disk
 * @param {Renderer} [options.renderer]  started already
 * @param {number} options.blocks  of the run; a single block makes no graph
 * @param {StatsGroups} [options.groups]  the columns of the stats file, if it has rows
 * @returns {Promise<{ folder?: string, files?: string[] }>} the files that were written, if any
 */
export const writeReport = async (report, options) => {
  const { flags, places, screen, prints, writesAll, hasState, groups, blocks } = options;
  if (prints)
    screen.print(`${formatReport(report, { hidesZeros: !flags.zeros })}\n`, { color: paintReport });
  else if (flags.activityhash) screen.print(`activity hash: ${report.activityHash}\n`);
  if (flags.statsfile === '-') screen.print(formatReportJson(report));
  else if (flags.statsfile !== undefined) write(flags.statsfile, formatReportJson(report));

  /** @type {string[]} */
  const written = [];
  if (groups) written.push(`${basename(places.statsFile)}  a row for each block`);
  if (writesAll) {
    write(places.reportText, formatReport(report));
    write(places.reportJson, formatReportJson(report));
    written.push(`report.txt, report.json  the ${prints ? 'tables above' : 'report'}`);
    if (groups && flags.graphs && blocks > 1) written.push(...(await drawGraphs(groups, options)));
  }
  if (written.length === 0) return {};
  if (hasState && flags.dbdir === undefined) written.push('state  the database');
  const list = [
    `Written to ${showInLine(places.outDir)}:`,
    ...written.map(line => `  ${line}`),
  ].join('\n');
  if (flags.statsfile === '-' || flags.quiet) screen.note(list);
  else screen.print(`${list}\n`);
  return { folder: places.outDir, files: written.flatMap(line => line.split('  ')[0].split(', ')) };
};

/**
 * Remove the reports and graphs of a run whose state is replaced; otherwise they would look like
 * those of the new, unfinished run.
 *
 * @param {Places} places
 */
export const removeReports = places => {
  const { reportText, reportJson, graph } = places;
  for (const file of [reportText, reportJson, ...graphKinds.map(graph)]) {
    try {
      rmSync(file, { force: true });
    } catch {
      // The step that writes this file will report the error.
    }
  }
};

/** @typedef {'time' | 'cycles' | 'memory' | 'disk'} GraphKind */

/** @type {GraphKind[]} */
const graphKinds = ['time', 'cycles', 'memory', 'disk'];

/** @type {Record<string, string>} */
const gcNotes = {
  block: 'Garbage was collected after each block.',
  crank: 'Garbage was collected after each crank.',
};

/**
 * @param {StatsGroups} groups
 * @param {{ flags: Flags, places: Places, screen: Screen, hasState: boolean, renderer?: Renderer }} options
 * @returns {Promise<string[]>} lines that name the graphs
 */
const drawGraphs = async (groups, { flags, places, screen, hasState, renderer }) => {
  /** @type {GraphKind[]} */
  const kinds = [];
  if (groups.times) kinds.push('time');
  if (groups.cycles) kinds.push('cycles');
  if (groups.memory) kinds.push('memory');
  if (groups.disk && hasState) kinds.push('disk');
  if (kinds.length === 0) return [];
  screen.progress(() => ({ share: 1, text: 'drawing' }));
  const note = gcNotes[flags.forcegc];
  const draw = renderer?.render ?? (await import('#stats/render.js')).renderCharts;
  await draw(
    kinds.map(kind => ({
      kind,
      files: [places.statsFile],
      out: places.graph(kind),
      ...(note !== undefined && { note }),
    })),
  );
  return [`${kinds.map(kind => basename(places.graph(kind))).join(', ')}  graphs of it`];
};

/**
 * Names of the config's vats that ended with a failure, and were not to.
 *
 * @param {Simulation} simulation
 */
const findFailedVats = ({ kernel }) =>
  kernel
    .vats()
    .filter(
      ({ isStatic, hasFailed, options }) => isStatic && hasFailed === true && !options.mayFail,
    )
    .map(({ name }) => name);

/** The beginning of a rejected round's result; its data follows. */
const rejectedMark = 'rejected: ';

/**
 * Report the problems of a run, and set the exit code.
 *
 * @param {Simulation} simulation
 * @param {object} options
 * @param {Screen} options.screen
 * @param {ReturnType<typeof import('#host').makeVatOutput>} options.vatOutput
 * @param {Report} options.report
 * @param {Iterable<string>} options.launchedFailures  vats of an indirect run that failed in this process
 * @param {boolean} options.allowsPending  a promise that never settles does not fail the run
 * @param {boolean} options.allowsFailedVats  a vat of the config that ended with a failure is none
 * @returns {Promise<string[]>} the problems, as printed
 */
export const tellOutcome = async (simulation, options) => {
  const { screen, vatOutput, report, launchedFailures, allowsPending, allowsFailedVats } = options;
  /** @type {string[]} */
  const problems = [];
  const tell = (/** @type {string} */ line) => {
    problems.push(line);
    screen.tell(line);
  };
  const tellSends = async (/** @type {CapData} */ reason) => {
    const sends = await simulation.explainRejection(parseError(reason) ?? reason);
    for (const line of sends) tell(`  ${line}`);
  };
  for (const { line, count } of vatOutput.repeated()) tell(`${count} times: ${line}`);

  const results = report.benchmark?.results ?? [];
  const rejections = results.filter(result => result.startsWith(rejectedMark));
  const rejected = rejections.length;
  const unfinished = results.filter(result => result === 'did not finish').length;
  const rounds = results.length;
  if (rejected > 0) {
    tell(`${rejected} of ${rounds} rounds were rejected; report.json has their errors`);
    await tellSends(JSON.parse(rejections[0].slice(rejectedMark.length)));
    process.exitCode = 1;
  }
  const hasFailed = !allowsPending && simulation.isQuiet;
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const isPending = state === 'unresolved' && simulation.isQuiet;
  if (unfinished > 0) tell(`${unfinished} of ${rounds} rounds left their result pending`);
  if (isPending) {
    tell(
      `${simulation.bootstrapVat}.bootstrap() never settles: nothing is left to run, and it still waits`,
    );
  }
  if (isPending || (unfinished > 0 && simulation.isQuiet)) {
    const kref = isPending ? simulation.bootstrapResult : findPendingRound(simulation);
    const lines = kref === undefined ? [] : await simulation.explainPending(kref);
    for (const line of lines) tell(`  ${line}`);
    if (hasFailed) {
      tell('if it waits on purpose, give --allow-pending');
      process.exitCode = 1;
    }
  }
  const failedVats = [...findFailedVats(simulation), ...launchedFailures];
  if (failedVats.length > 0) {
    for (const name of failedVats)
      tell(
        `vat ${name} of the config has failed: it runs no more, and what waits for it is rejected`,
      );
    if (!allowsFailedVats) {
      tell(
        'if that may be, give --allow-failed-vats, or "mayFail": true among its creationOptions',
      );
      process.exitCode = 1;
    }
  }
  if (state !== 'rejected') return problems;
  const error = parseError(data);
  const line = error && vatOutput.findLine(error.name, error.message);
  const what =
    line ??
    `rejected with ${showInLine(error ? `${error.name}: ${error.message}` : showData(data))}`;
  // Only an error has a stack.
  const hint = error ? '' : '; to see where, throw an Error';
  tell(`bootstrap failed: ${what}${hint}`);
  await tellSends(data);
  process.exitCode = 1;
  return problems;
};
