// Measures in separate processes, so that the heap and compiled code of one run do not affect the
// next.

import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { getStackFrames } from '#host';

/**
 * @param {string} name
 * @param {(dir: string) => Promise<T>} act  gets an empty folder, which is deleted afterwards
 * @returns {Promise<T>}
 * @template T
 */
export const withTemporaryFolder = async (name, act) => {
  const parent = process.env.BENCH_DIR ?? os.tmpdir();
  const dir = fs.mkdtempSync(path.join(parent, `bench-${name}-`));
  try {
    return await act(dir);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
};

/**
 * Run a module in a new process and get its answer.
 *
 * @param {URL} module  calls `answer`
 * @param {object} [options]  given to it, as JSON
 * @param {{ execArgv?: string[], env?: NodeJS.ProcessEnv }} [engine]
 * @returns {Promise<any>}
 */
export const ask = (module, options = {}, { execArgv = [], env = process.env } = {}) =>
  new Promise((resolve, reject) => {
    const child = fork(module, [JSON.stringify(options)], {
      execArgv,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    /** @type {unknown} */
    let answered;
    child.on('message', message => {
      answered = message;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0 && answered !== undefined) resolve(answered);
      else {
        const place = module.pathname.split('/').slice(-2).join('/');
        reject(Error(`${place} ended with ${signal ?? code}; what it printed says why`));
      }
    });
  });

/**
 * Ask a module about several cases alternately, so that a noisy neighbour affects all of them.
 *
 * @template T
 * @param {URL} module  calls `answer`
 * @param {readonly object[]} cases  options given to it, as JSON
 * @param {number} turns  the number of processes that answer each case
 * @returns {Promise<T[][]>} the answers to each
 */
export const askInTurns = async (module, cases, turns) => {
  /** @type {T[][]} */
  const answers = cases.map(() => []);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [i, options] of cases.entries()) answers[i].push(await ask(module, options));
  return answers;
};

/**
 * Ask a module about a run in two ways, one pair per turn; the first of the pair alternates.
 *
 * @template {{ activityHash: string }} T
 * @param {URL} module  calls `answer`
 * @param {readonly [object, object]} ways  options given to it, as JSON
 * @param {number} turns
 * @returns {Promise<[T[], T[]]>} the answers to each way
 * @throws {Error} if the way changes the run
 */
export const askInPairs = async (module, ways, turns) => {
  /** @type {[T[], T[]]} */
  const answers = [[], []];
  for (let turn = 0; turn < turns; turn += 1)
    for (const i of turn % 2 === 0 ? [0, 1] : [1, 0]) answers[i].push(await ask(module, ways[i]));
  const hashes = new Set(answers.flat().map(({ activityHash }) => activityHash));
  if (hashes.size > 1)
    throw Error(`runs of ${JSON.stringify(ways)} differ: ${[...hashes].join(', ')}`);
  return answers;
};

/**
 * The other side of `ask`. Without an asking process, the answer goes to standard output.
 *
 * @param {(options: any) => Promise<object>} act
 */
export const answer = async act => {
  /** @type {object} */
  let result;
  try {
    result = await act(JSON.parse(process.argv[2] ?? '{}'));
  } catch (error) {
    // In a locked-down realm, Node would print an error as `{}`.
    console.error(`${error}\n${getStackFrames(error)}`);
    process.exit(1);
  }
  if (process.send === undefined) {
    console.log(JSON.stringify(result, undefined, 1));
    return;
  }
  // The channel would keep the process alive.
  process.send(result, () => process.disconnect());
};
