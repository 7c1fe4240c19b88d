// One run, in a process of its own, so that heap, caches and compiled code of the run before have no effect. Its files
// are made in a folder beside their places and move there when the run is over.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommit, describeNoise, watchNoise } from '#measure';
import { renderCharts } from '#stats';
import { runFiles } from './files.js';
import { makeResult } from './result.js';

/** @import { Folder } from './folder.js' */
/** @import { Job } from './jobs.js' */
/** @import { Result } from './result.js' */

/**
 * @typedef {object} RunSettings
 * @property {string} mainFile  the script of the command line
 * @property {string} demosDir
 * @property {string} profile
 * @property {number} blockSize  cranks
 * @property {string} durability
 */

/** A run that failed; the message is its last output. */
export class RunFailure extends Error {}

/**
 * @param {Job} job
 * @param {RunSettings} settings
 * @param {string} outDir
 */
const makeArguments = (job, { demosDir, profile, blockSize, durability }, outDir) => [
  ...['run', join(demosDir, job.demo), '--init', '--outdir', outDir, '--logtag', job.name],
  ...['--logall', '--stats', '--no-graphs', '--profile', profile, '--durability', durability],
  '--allow-pending',
  ...['--blocksize', String(blockSize)],
  ...(job.rounds === undefined ? [] : ['--benchmark', String(job.rounds)]),
  ...(job.forceGc ? ['--forcegc'] : []),
  ...(job.argv.length === 0 ? [] : ['--', ...job.argv]),
];

/** The command of the run, for the log. @param {string[]} args */
const showCommand = args =>
  [
    'swingset-runner',
    ...args.map(arg => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : JSON.stringify(arg))),
  ].join(' ');

/**
 * @param {string[]} command  program and arguments
 * @param {object} options
 * @param {string} options.logFile
 * @param {string} options.heading  of the log
 * @param {AbortSignal} options.signal
 * @param {(line: string) => void} options.onLine  called with each line on standard error
 * @returns {Promise<{ code: number | null, lastLine: string }>}
 */
const runProcess = ([program, ...args], { logFile, heading, signal, onLine }) =>
  new Promise((resolve, reject) => {
    const log = createWriteStream(logFile);
    log.on('error', reject);
    log.write(`${heading}\n`);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    let lastLine = '';
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.stderr.setEncoding('utf8').on('data', text => {
      lastLine = String(text).trimEnd().split('\n').at(-1) ?? '';
      onLine(lastLine);
    });
    child.on('error', reject);
    child.on('close', code => {
      signal.removeEventListener('abort', kill);
      log.end(() => resolve({ code, lastLine }));
    });
  });

/**
 * @param {Job} job
 * @param {object} options
 * @param {RunSettings} options.settings
 * @param {Folder} options.folder
 * @param {AbortSignal} options.signal  ends the run; nothing of it is kept
 * @param {(line: string) => void} options.onLine  called with each line of progress
 * @returns {Promise<Result>}
 * @throws {RunFailure} the run failed; its log is kept
 */
export const runJob = async (job, { settings, folder, signal, onLine }) => {
  const files = runFiles(job.name);
  const workDir = folder.at(`.${job.name}`);
  rmSync(workDir, { recursive: true, force: true });
  mkdirSync(workDir);
  try {
    const endWatch = await watchNoise();
    const args = makeArguments(job, settings, workDir);
    const { code, lastLine } = await runProcess([process.execPath, settings.mainFile, ...args], {
      logFile: folder.at(files.log),
      heading: `$ ${showCommand(args)}`,
      signal,
      onLine,
    });
    signal.throwIfAborted();
    if (code !== 0) throw new RunFailure(lastLine.replace(/^swingset-runner: /, ''));
    const noise = describeNoise(await endWatch());
    const report = JSON.parse(readFileSync(join(workDir, 'report.json'), 'utf8'));
    for (const [made, name] of [
      [`stats-${job.name}.tsv`, files.stats],
      ['report.txt', files.report],
      ['report.json', files.json],
    ])
      renameSync(join(workDir, made), folder.at(name));
    onLine('drawing');
    await drawRun(job, folder);
    const madeAt = new Date().toISOString();
    const made = { madeAt, commit: describeCommit(), noise };
    return makeResult(job, report, folder.at(files.stats), made);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
};

/** @param {Job} job @param {Folder} folder */
const drawRun = ({ name, forceGc }, folder) => {
  const { stats, graphs } = runFiles(name);
  const note = forceGc ? 'Garbage was collected after each block.' : undefined;
  return renderCharts(
    graphs.flatMap(({ kind, png, pdf }) =>
      [png, pdf].map(out => ({
        kind,
        files: [folder.at(stats)],
        labels: [name],
        out: folder.at(out),
        ...(note !== undefined && { note }),
      })),
    ),
  );
};
