// Lingua Franca's method: 32 iterations of a program in one process; the first two are left out,
// and the others give the mean and its 99 % interval.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  describeCommit,
  describeMachine,
  describeNoise,
  formatMachine,
  watchNoise,
} from '#measure';
import { UserError } from '#model';
import { meanOf } from './mean.js';
import { programs } from './programs.js';
import { publishedNode } from './published.js';

/** @import { SavinaProgram } from './programs.js' */
/** @import { Mean } from './mean.js' */
/** @import { RunAnswer, RunOptions } from './run-program.js' */

/** As a library, in one vat, or in several. @typedef {'library' | 'vat' | 'vats'} Mode */

/**
 * @typedef {SavinaProgram & Mean & { mode: Mode, threads: number, iterations: number, ms: number[],
 *   result: string, peakMb: number }} SavinaRow  times in ms; `ms` has all iterations, the mean
 *   only those that count
 */

/**
 * @typedef {object} SavinaResult
 * @property {'savina'} suite
 * @property {string} machine
 * @property {string} node
 * @property {string} commit
 * @property {string} noise
 * @property {Record<string, Mean>} plain  hand-written programs, by name
 * @property {number} scale  the ratio of their times here and on the machine of the published
 *   figures
 * @property {SavinaRow[]} rows
 * @property {{ id: string, threads: number, message: string }[]} failed
 */

/** The number of first iterations that do not count, because the engine compiles. */
const warmUp = 2;

/** Turns of each hand-written program, unless the others have fewer. */
const mostPlainTurns = 7;

/**
 * @param {string} file  of this folder
 * @param {object} options
 * @returns {Promise<any>}
 */
const ask = (file, options) =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    /** @type {unknown} */
    let answer;
    const onExit = () => child.kill();
    process.once('exit', onExit);
    child.on('message', message => {
      answer = message;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('exit', onExit);
      if (answer !== undefined) resolve(answer);
      else reject(Error(`its process ended with ${signal ?? code}`));
    });
  });

/** @param {Record<string, Mean>} plain */
const scaleOf = plain => {
  const ratios = Object.entries(publishedNode).map(([name, ms]) => plain[name].median / ms);
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
};

/**
 * @param {object} options
 * @param {string[]} [options.only]  ids of programs; all by default
 * @param {number[]} [options.threads]
 * @param {number} [options.iterations]
 * @param {Mode} [options.mode]
 * @param {Record<string, number>} [options.parameters]  replace those of the programs, for tests
 * @param {(share: number, text: string) => void} [options.onProgress]
 * @returns {Promise<SavinaResult>}
 */
export const measureSavina = async ({
  only = programs.map(({ id }) => id),
  threads = [1],
  iterations = 32,
  mode = 'library',
  parameters = {},
  onProgress = () => {},
}) => {
  const chosen = programs.filter(({ id }) => only.includes(id));
  const unknown = only.find(id => !programs.some(program => program.id === id));
  if (unknown !== undefined) throw new UserError(`there is no program ${unknown} of Savina`);
  const endWatch = await watchNoise();

  onProgress(0, 'plain Node');
  /** @type {Record<string, number[]>} */
  const plainMs = await ask('run-plain.js', { turns: Math.min(iterations, mostPlainTurns) });
  const plain = Object.fromEntries(
    Object.entries(plainMs).map(([name, ms]) => [name, meanOf(ms.slice(warmUp))]),
  );

  /** @type {SavinaRow[]} */
  const rows = [];
  /** @type {SavinaResult['failed']} */
  const failed = [];
  const runs = chosen.flatMap(program => threads.map(count => ({ program, count })));
  for (const [i, { program, count }] of runs.entries()) {
    const { id, title } = program;
    onProgress(
      (i + 1) / (runs.length + 1),
      `${title}, ${count === 1 ? '1 thread' : `${count} threads`}`,
    );
    /** @type {RunOptions} */
    const options = { program: id, mode, threads: count, iterations, parameters };
    try {
      /** @type {RunAnswer} */
      const { ms, results, peakMb, error } = await ask('run-program.js', options);
      if (error !== undefined) throw Error(error);
      const mean = meanOf(ms.slice(warmUp));
      const [result] = results;
      rows.push({ ...program, ...mean, mode, threads: count, iterations, ms, result, peakMb });
    } catch (error) {
      failed.push({ id, threads: count, message: /** @type {Error} */ (error).message });
    }
  }
  const machine = describeMachine();
  return {
    suite: 'savina',
    machine: formatMachine(machine),
    node: machine.node,
    commit: describeCommit(),
    noise: describeNoise(await endWatch()),
    plain,
    scale: scaleOf(plain),
    rows,
    failed,
  };
};
