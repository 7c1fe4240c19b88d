// `swingset-runner compare LEFT RIGHT`: the first block in which two recorded runs differ.

import { UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { databasePositional } from '../flags.js';
import { print } from '../print.js';
import { tellLoss } from '../tell-failure.js';

/** @import { BlockDifference } from '#host' */

export const command = 'compare <left> <right>';
export const describe = 'name the first block in which two recorded runs differ';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs.positional('left', databasePositional).positional('right', databasePositional);

/** @typedef {{ dir: string, cranks: number }} Run */

/**
 * @param {BlockDifference} difference  known
 * @param {Run} left
 * @param {Run} right
 */
const nameBlocks = ({ equalCranks, left, right }, { dir }, { dir: otherDir }) => {
  const start = `the runs are the same up to crank ${equalCranks} and differ in`;
  if (left?.block === right?.block && left?.crank === right?.crank)
    return `${start} block ${left?.block}, cranks ${equalCranks + 1} to ${left?.crank}`;
  return `${start} block ${left?.block} of ${dir} (to crank ${left?.crank}), block ${right?.block} of ${otherDir} (to crank ${right?.crank})`;
};

/**
 * @param {BlockDifference} difference  not known
 * @param {Run} left
 * @param {Run} right
 */
const nameEnd = ({ equalCranks, ...next }, left, right) => {
  const start = `${left.dir} and ${right.dir} are the same up to crank ${equalCranks}`;
  if (next.left !== undefined && next.right !== undefined)
    return `${start}; behind it no two of their blocks end at one crank, so that nothing more can be compared`;
  const [ended, longer] = next.left === undefined ? [left, right] : [right, left];
  return `${start}, where ${ended.dir} ends; ${longer.dir} goes on to crank ${longer.cranks}`;
};

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ left, right }) => {
  const { compareRuns, openKernel } = await import('#host');
  const leftRun = await openKernel(left, { demosDir, onLoss: tellLoss });
  try {
    const rightRun = await openKernel(right, { demosDir, onLoss: tellLoss });
    try {
      const runs = /** @type {const} */ ([
        { dir: leftRun.dir, cranks: leftRun.kernel.cranks.all },
        { dir: rightRun.dir, cranks: rightRun.kernel.cranks.all },
      ]);
      const difference = await compareRuns(
        { store: leftRun.store, name: leftRun.dir },
        { store: rightRun.store, name: rightRun.dir },
      );
      if (difference?.isKnown)
        throw new UserError(nameBlocks(difference, ...runs), { exitCode: 1 });
      print(
        difference === undefined
          ? `the same: ${runs[0].cranks} cranks (hash ${leftRun.kernel.activityHash()})\n`
          : `${nameEnd(difference, ...runs)}\n`,
      );
    } finally {
      await rightRun.close();
    }
  } finally {
    await leftRun.close();
  }
};
