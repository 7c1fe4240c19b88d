// Many runs, each in a process of its own, into one folder: for `bench` and `demo-reports`.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDuration } from '#model';
import { describeCommit, describeMachine, formatMachine } from '#measure';
import { openFolder, runMatrix } from '#matrix';
import { demosDir } from '../demos-dir.js';
import { makeOutput } from '../output.js';
import { makeScreen } from './screen.js';
import { onEndSignals, signalExitCodes } from './signal-codes.js';

/** @import { Flags } from '../cli.js' */
/** @import { EndSignal } from './signal-codes.js' */
/** @import { Job, Result } from '#matrix' */

const mainFile = fileURLToPath(new URL('../main.js', import.meta.url));
/** @returns {string[]} the demos that can be run, by name */
export const listDemos = () =>
  readdirSync(demosDir)
    .filter(name =>
      ['swingset.json', 'bootstrap.js'].some(file => existsSync(join(demosDir, name, file))),
    )
    .sort();

/** A changed tree counts as its commit, since changes cannot be compared. @param {string} commit */
const withoutMark = commit => commit.replace(/\+$/, '');

/** @param {Result} result @param {boolean} kept */
const describeResult = ({ name, rounds, roundNs, totalNs }, kept) => {
  const each =
    roundNs === undefined ? '' : `, ${rounds} rounds, ${formatDuration(Math.round(roundNs))} each`;
  return `${name}: ${formatDuration(totalNs)}${each}${kept ? ' (kept)' : ''}`;
};

/**
 * Run jobs that are not complete in their folder yet.
 *
 * @param {Flags} flags
 * @param {object} options
 * @param {'snapshot' | 'demos'} options.kind
 * @param {string} options.title
 * @param {readonly Job[]} options.jobs  the jobs to run now
 * @param {readonly Job[]} options.all  the jobs whose results the folder may hold
 * @param {number} options.blockSize
 * @param {string} options.outDir the default of --outdir
 */
export const runJobs = async (flags, { kind, title, jobs, all, blockSize, outDir }) => {
  const { profile = 'current', durability, outdir: dir = outDir } = flags;
  const screen = makeScreen({ flags });
  const output = makeOutput(flags);
  const machine = describeMachine();
  const identity = {
    matrix: kind,
    profile,
    ...{ durability, blocksize: String(blockSize), commit: withoutMark(describeCommit()) },
    ...{ node: machine.node, machine: formatMachine(machine) },
  };
  const folder = openFolder(dir, { identity, discards: Boolean(flags.init) });

  const stop = new AbortController();
  const onSignal = (/** @type {EndSignal} */ signal) => {
    process.exitCode = signalExitCodes[signal];
    stop.abort();
  };
  const onExit = () => stop.abort();
  const unlisten = onEndSignals(onSignal);
  process.on('exit', onExit);
  try {
    const { failed, isStopped } = await runMatrix(jobs, {
      matter: { title, kind, jobs: all },
      settings: { mainFile, demosDir, profile, blockSize, durability },
      folder,
      signal: stop.signal,
      events: {
        onProgress: (share, text) => screen.progress(() => ({ share, text })),
        onResult: (result, kept) => screen.note(describeResult(result, kept)),
        onFailure: ({ name }, message) => screen.tell(`${name} failed: ${message}`),
      },
    });
    screen.clear();
    const result = { folder: dir, runs: jobs.length, failed, isStopped };
    if (isStopped) {
      if (output.isJson) output.give(result, '');
      screen.tell(`stopped; complete results are in ${dir}, and the same command continues`);
      return;
    }
    output.give(
      result,
      `${folder.readSummary()}Written to ${dir}: index.html shows all results
\n`,
    );
    if (failed > 0) {
      screen.tell(`${failed} of ${jobs.length} runs failed; their logs are in ${dir}`);
      process.exitCode = 1;
    }
  } finally {
    unlisten();
    process.off('exit', onExit);
  }
};
