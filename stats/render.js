// Charts are drawn in a process of their own. Vega changes built-in objects as it loads, which a locked-down process does
// not allow, and the time and memory of drawing should not weigh on the process that is being measured.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UserError, quote } from '#model';
import { chartKinds } from './charts/index.js';
import { findFormat } from './formats.js';

/** @import { ChartKind, ChartOptions } from './charts/index.js' */
/** @import { Spec } from './charts/frame.js' */

/**
 * A graph from stats files, which the drawing process reads itself.
 *
 * @typedef {object} GraphJob
 * @property {ChartKind} kind
 * @property {string[]} files
 * @property {string[]} [labels]  one a file, in their order; the files' names where left out
 * @property {string} out  file to write; its ending says the format
 */

/** @typedef {{ spec: Spec, out: string }} SpecJob */

/** A picture that is drawn already. @typedef {{ svg: string, out: string }} SvgJob */

/** @typedef {SpecJob | SvgJob | GraphJob & Omit<ChartOptions, 'interactive'>} RenderJob */

const childFile = fileURLToPath(new URL('./draw/child.js', import.meta.url));

/** The end of what a dying process wrote is enough to name its fault. */
const keptStderr = 4_000;

/** @param {RenderJob} job */
const insistJob = job => {
  const format = findFormat(job.out);
  if ('spec' in job) return;
  if ('svg' in job) {
    if (format !== 'html' && format !== 'json') return;
    throw new UserError(
      `picture ${quote(job.out)}: it is drawn already; end it in .svg, .png or .pdf`,
    );
  }
  const { kind, files, labels = [] } = job;
  if (!chartKinds.includes(kind)) {
    throw new UserError(`no graph of ${quote(kind)}; there are ${chartKinds.join(', ')}`);
  }
  if (files.length === 0) throw new UserError('a graph needs one stats file at least');
  if (labels.length > files.length) {
    throw new UserError(
      `${labels.length} labels for ${files.length} stats ${files.length === 1 ? 'file' : 'files'}; give at most one a file, in their order`,
    );
  }
};

/**
 * Draw charts, all in one drawing process. A chart that cannot be drawn does not keep the others from being drawn.
 *
 * @param {RenderJob[]} jobs
 * @returns {Promise<void>}  when all files are written
 * @throws {UserError} one line that says what was wrong with each chart that failed
 */
export const renderCharts = async jobs => {
  jobs.forEach(insistJob);
  if (jobs.length === 0) return;
  // The flags of this process (a debugger's port, a profile) are not meant for the other.
  const child = fork(childFile, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  /** @type {(string | undefined)[]} */
  const errors = jobs.map(({ out }) => `graph ${quote(out)}: the drawing process ended before it`);
  /** Not by a mistake in what was asked for. */
  let hasFailed = false;
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(-keptStderr);
  });
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  let answers = 0;
  child.on('message', message => {
    const { index, error, exitCode } =
      /** @type {{ index: number, error?: string, exitCode?: number }} */ (message);
    hasFailed ||= error !== undefined && exitCode !== 2;
    errors[index] =
      error === undefined || exitCode !== undefined
        ? error
        : `graph ${quote(jobs[index].out)}: ${error}`;
    answers += 1;
  });
  child.send(jobs, error => {
    // A child that is gone already reports itself by `close`.
    if (error) child.kill();
  });
  await ended;

  const said = errors.filter(error => error !== undefined);
  if (said.length === 0) return;
  const cause = answers < jobs.length ? lastLine(stderr) : '';
  const text = [...said, ...(cause === '' ? [] : [cause])].join('; ').replaceAll('\n', ' ');
  throw new UserError(text, { exitCode: hasFailed || answers < jobs.length ? 1 : 2 });
};

/** @param {string} text */
const lastLine = text =>
  text
    .split('\n')
    .filter(line => /error|panic|killed|memory/i.test(line))
    .at(-1) ?? '';

/**
 * Draw one chart.
 *
 * @param {Spec} spec  Vega-Lite, as `makeChartSpec` gives it
 * @param {string} out  ends in .png, .pdf, .svg, .html or .vl.json
 * @returns {Promise<void>} when the file is written
 * @throws {UserError} the file cannot be drawn or written: one line
 */
export const renderChart = (spec, out) => renderCharts([{ spec, out }]);

/**
 * Draw stats files: `swingset-runner graph KIND FILE... -o OUT`.
 *
 * @param {GraphJob & Omit<ChartOptions, 'interactive'>} job
 * @returns {Promise<void>} when the file is written
 * @throws {UserError} a stats file or an option is wrong, or the file cannot be written: one line
 */
export const drawGraph = job => renderCharts([job]);

/**
 * Write a picture that is SVG already, in the font of the charts.
 *
 * @param {string} svg  with a width and a height
 * @param {string} out  ends in .svg, .png or .pdf
 * @returns {Promise<void>} when the file is written
 * @throws {UserError} the file cannot be drawn or written: one line
 */
export const renderSvg = (svg, out) => renderCharts([{ svg, out }]);
