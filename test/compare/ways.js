// The ways of running a program that may make no difference to what it does, and the check that they do not.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { openLmdbStore } from '#store';

import { compareLog, compareLogByVat } from './log.js';
import { makeOverlap } from './overlap.js';
import { runProgram } from './run.js';

/** @typedef {import('./run.js').Program} Program */
/** @typedef {import('./run.js').Way} Way */

/**
 * A store on disk. Not forced to disk, which would cost time and change nothing here.
 *
 * @param {string} dir
 * @returns {NonNullable<Way['openStore']>}
 */
const inFolder = dir => isNew => openLmdbStore({ dir, durability: 'none', create: isNew });

/** @type {(blockSize: number) => Record<string, (dir: string) => Way>} */
const makeWays = blockSize => ({
  'in blocks of one crank': () => ({ blockSize: 1 }),
  'in LMDB': dir => ({ blockSize: 3, openStore: inFolder(dir) }),
  [`resumed after every ${blockSize} cranks`]: dir => ({
    blockSize,
    openStore: inFolder(dir),
    reopen: true,
  }),
  'with vats that overlap': () => ({ lookahead: 8, wrapTransport: makeOverlap(1) }),
  'with vats that overlap otherwise, in small blocks': () => ({
    blockSize: 5,
    lookahead: 3,
    wrapTransport: makeOverlap(20),
  }),
});

/** For programs of a few cranks; it takes a resumption for each. @type {ReturnType<typeof makeWays>} */
export const atEveryCrank = {
  'resumed after every crank': dir => ({ blockSize: 1, openStore: inFolder(dir), reopen: true }),
};

/**
 * Run a program in every way, and compare with the plain one: report, activity hash, all of the store, and log.
 *
 * @param {Program} program
 * @param {object} [options]
 * @param {ReturnType<typeof makeWays>} [options.more]  further ways
 * @param {number} [options.resumeEvery]  cranks: more than 2 for programs of hundreds of them
 * @returns {Promise<string[]>} no line means that they are equal
 */
export const compareWays = async (program, { more = {}, resumeEvery = 2 } = {}) => {
  const plain = await runProgram(program);
  const differences = [];
  for (const [name, make] of Object.entries({ ...makeWays(resumeEvery), ...more })) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'swingset-runner-ways-'));
    try {
      const way = make(dir);
      const outcome = await runProgram(program, way);
      for (const field of /** @type {const} */ (['activityHash', 'digest', 'report'])) {
        const [got, want] = [outcome, plain].map(run => JSON.stringify(run[field]));
        if (got !== want) differences.push(`${name}: ${field}: expected ${want}, got ${got}`);
      }
      // With look-ahead, lines of different vats have no order.
      const compare = way.lookahead === undefined ? compareLog : compareLogByVat;
      for (const line of compare(outcome.log, plain.log)) differences.push(`${name}: ${line}`);
    } finally {
      fs.rmSync(dir, { recursive: true, force: true });
    }
  }
  return differences;
};
