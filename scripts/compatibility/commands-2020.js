// Runs the commands of the runner of 2020-09-30 on its demos, and the demos of that date's Zoe, and compares every counter.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compareReport } from '../../test/compare/report.js';
import { runProgram } from '../../test/compare/run.js';

/** @import { Row } from './rows.js' */

/** @typedef {[value: number, incs: number | null, decs: number | null, max: number | null]} Figures */

/** @typedef {{ demo: string, argv: string[], cranks: number, counters: Record<string, Figures> }} Command */

const reference = new URL(
  '../../test/reference/swingset-2020-09-30-commands.json',
  import.meta.url,
);

/** @returns {Command[]} */
export const readCommands = () => JSON.parse(readFileSync(reference, 'utf8')).commands;

/** That kernel counted on in a crank that it had aborted; here its counters are rolled back (docs/design/profiles.md). */
const abortedCranks = new Set(['vatFailure --bestatic', 'vatFailure --bedynamic']);

/**
 * @param {Command} command
 * @param {string} directory  of the demo
 * @returns {Promise<Row>}
 */
const runCommand = async ({ demo, argv, cranks, counters }, directory) => {
  const name = [demo, ...argv].join(' ');
  const expected = Object.entries(counters).map(([counter, [value, incs, decs, max]]) => [
    counter,
    { value, incs, decs, max },
  ]);
  try {
    const { report } = await runProgram({ directory, profile: '2020-09', argv });
    const differences = compareReport(report, { cranks, counters: Object.fromEntries(expected) });
    if (differences.length === 0) return { name, result: 'equal' };
    if (abortedCranks.has(name))
      return {
        name,
        result: 'exception',
        reason: 'counters are rolled back with an aborted crank',
      };
    return { name, result: 'differs', reason: differences[0] };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return { name, result: 'fails', reason: message.replaceAll(directory, '.') };
  }
};

/**
 * @param {string} sdk  a checkout of 8a21a315, its packages installed and its contracts prepared
 * @param {(row: Row) => void} tell
 * @param {string} [only]  a part of what is run
 * @returns {Promise<Row[]>}
 */
export const runCommands2020 = async (sdk, tell, only = '') => {
  const rows = [];
  for (const command of readCommands()) {
    if (![command.demo, ...command.argv].join(' ').includes(only)) continue;
    const directory = join(sdk, 'packages/swingset-runner/demo', command.demo);
    const row = await runCommand(command, directory);
    tell(row);
    rows.push(row);
  }
  return rows;
};
