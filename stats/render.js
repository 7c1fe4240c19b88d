// Charts are drawn in a process of their own. Vega changes built-in objects as it loads, which a locked-down process does
// not allow, and the time and memory of drawing should not weigh on the process that is being measured.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeGiven, insistArgument, UserError, quote } from '#model';
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

/**
 * @typedef {object} Renderer
 * @property {(jobs: RenderJob[]) => Promise<void>} render  as `renderCharts`; once
 * @property {() => void} end  draw nothing
 */

const sourceFile = fileURLToPath(new URL('./draw/child.js', import.meta.url));

/** The end of what a dying process wrote is enough to name its fault. */
const keptStderr = 4_000;

/** A chart makes many short-lived objects: a young generation that has room for them is seldom collected. */
const childFlags = ['--max-semi-space-size=32'];

/**
 * @typedef {object} RendererOptions
 * @property {string | undefined} [codeFolder]  an existing folder for compiled code of the libraries that draw
 * @property {string} [childFile]  the module of the drawing process, which calls `serveJobs`; `draw/child.js` by default
 */

/** @param {RenderJob} job */
const insistJob = job => {
  if (typeof job !== 'object' || job === null || typeof job.out !== 'string') {
    throw new UserError(
      `a chart needs the file to write, got ${describeGiven(Object(job).out)}; give { kind: 'time', files: ['stats-NAME.tsv'], out: 'time.png' }`,
    );
  }
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
  if (!Array.isArray(files) || files.length === 0)
    throw new UserError('a graph needs one stats file at least');
  if (labels.length > files.length) {
    throw new UserError(
      `${labels.length} labels for ${files.length} stats ${files.length === 1 ? 'file' : 'files'}; give at most one a file, in their order`,
    );
  }
};

/** The drawing process's answer for a job. @typedef {{ index: number, error?: string, exitCode?: number }} Answer */

/** @param {import('node:child_process').ChildProcess} child @param {'ref' | 'unref'} hold  whether this process waits for it */
const holdOpen = (child, hold) => {
  child[hold]();
  child.channel?.[hold]();
  /** @type {import('node:net').Socket | null} */ (child.stderr)?.[hold]();
};

/**
 * A drawing process, which loads what it needs meanwhile; it does not keep this process from ending. So a run of a second
 * has its graphs soon after its end.
 *
 * @param {RendererOptions} [options]
 * @returns {Renderer}
 */
export const startRenderer = ({ codeFolder, childFile = sourceFile } = {}) => {
  const child = fork(childFile, codeFolder === undefined ? [] : [codeFolder], {
    // The flags of this process (a debugger's port, a profile) are not meant for the other.
    execArgv: childFlags,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(-keptStderr);
  });
  /** @type {Promise<unknown>} */
  const ended = new Promise(resolve => {
    child.once('error', resolve);
    child.once('close', () => resolve(undefined));
  });
  holdOpen(child, 'unref');
  return Object.freeze({
    async render(jobs) {
      jobs.forEach(insistJob);
      if (jobs.length === 0) {
        child.kill();
        return;
      }
      // One that was ended while it waited is replaced.
      if (!child.connected) return startRenderer({ codeFolder, childFile }).render(jobs);
      holdOpen(child, 'ref');
      /** @type {Answer[]} */
      const answers = [];
      // The files are written: what the process does then keeps nobody waiting.
      const answered = new Promise(resolve => {
        child.on('message', message => {
          answers.push(/** @type {Answer} */ (message));
          if (answers.length === jobs.length) resolve(undefined);
        });
      });
      child.send(jobs, error => {
        // A child that is gone already reports itself by `close`.
        if (error) child.kill();
      });
      const failure = await Promise.race([answered, ended]);
      holdOpen(child, 'unref');
      if (failure !== undefined) throw failure;
      tellFailures(jobs, answers, stderr);
    },
    end: () => void child.kill(),
  });
};

/**
 * @param {RenderJob[]} jobs
 * @param {Answer[]} answers
 * @param {string} stderr  of the drawing process
 * @throws {UserError} there is a chart that was not drawn
 */
const tellFailures = (jobs, answers, stderr) => {
  /** @type {(string | undefined)[]} */
  const errors = jobs.map(({ out }) => `graph ${quote(out)}: the drawing process ended before it`);
  for (const { index, error, exitCode } of answers) {
    const isTold = error === undefined || exitCode !== undefined;
    errors[index] = isTold ? error : `graph ${quote(jobs[index].out)}: ${error}`;
  }
  const said = errors.filter(error => error !== undefined);
  if (said.length === 0) return;
  const isCut = answers.length < jobs.length;
  const cause = isCut ? lastLine(stderr) : '';
  const text = [...said, ...(cause === '' ? [] : [cause])].join('; ').replaceAll('\n', ' ');
  // Not by a mistake in what was asked for.
  const hasFailed = answers.some(({ error, exitCode }) => error !== undefined && exitCode !== 2);
  throw new UserError(text, { exitCode: hasFailed || isCut ? 1 : 2 });
};

/**
 * Draw charts, all in one drawing process. A chart that cannot be drawn does not keep the others from being drawn.
 *
 * @param {RenderJob[]} jobs
 * @param {RendererOptions} [options]
 * @returns {Promise<void>}  when all files are written
 * @throws {UserError} one line that says what was wrong with each chart that failed
 */
export const renderCharts = async (jobs, options) => {
  insistArgument('renderCharts()', jobs, 'array', 'a list of charts, as [{ kind, files, out }]');
  jobs.forEach(insistJob);
  if (jobs.length > 0) await startRenderer(options).render(jobs);
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
 * @param {RendererOptions} [options]
 * @returns {Promise<void>} when the file is written
 * @throws {UserError} a stats file or an option is wrong, or the file cannot be written: one line
 */
export const drawGraph = (job, options) => renderCharts([job], options);

/**
 * Write a picture that is SVG already, in the font of the charts.
 *
 * @param {string} svg  with a width and a height
 * @param {string} out  ends in .svg, .png or .pdf
 * @returns {Promise<void>} when the file is written
 * @throws {UserError} the file cannot be drawn or written: one line
 */
export const renderSvg = (svg, out) => renderCharts([{ svg, out }]);
