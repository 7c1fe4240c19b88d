// Prints lines at the end of a run, beside the report: whether it stopped or is finished, the
// command to continue, the hash, the JSON value.

import { countOf, formatExactDuration, showInLine } from '#model';
import { formatJson } from '../output.js';
import { resumeCommand } from './settings.js';

/** @import { Simulation } from '#host' */
/** @import { Flags } from '../cli.js' */
/** @import { Screen } from './screen.js' */

/** The largest number of differences to print. */
const mostDifferences = 10;

/** @param {string[]} differences  between a resumed state and its directory @param {Screen} screen */
export const tellDifferences = (differences, screen) => {
  if (differences.length === 0) return;
  screen.tell(
    "the state differs from its directory; the state's values are used (--init begins anew):",
  );
  for (const line of differences.slice(0, mostDifferences)) screen.tell(`  ${line}`);
  if (differences.length > mostDifferences)
    screen.tell(`  and ${differences.length - mostDifferences} more`);
};

/**
 * @param {Simulation} simulation
 * @param {object} parts
 * @param {Flags} parts.flags
 * @param {Screen} parts.screen
 * @param {string} parts.stateDir
 * @param {boolean} parts.answersLines  the command prints JSON of its own
 */
export const makeRunOutput = (simulation, { flags, screen, stateDir, answersLines }) => {
  const { kernel } = simulation;
  const nextTime = () => formatExactDuration(kernel.nextTimeNs ?? 0);

  return Object.freeze({
    /** Print the hash after a block, if flags ask for it. @param {number} blocks */
    blockHash(blocks) {
      if (flags.activityhash && flags.verbose)
        screen.say(`block ${blocks}: activity hash: ${simulation.activityHash()}\n`);
    },

    /** Print the hash of a run that has no report. */
    hash() {
      if (flags.activityhash) screen.print(`activity hash: ${simulation.activityHash()}\n`);
    },

    resume: () =>
      screen.note(
        flags.memdb ? '--memdb keeps nothing' : `go on with: ${resumeCommand(process.argv)}`,
      ),

    finished: () =>
      screen.note(
        `the run in ${showInLine(stateDir)} is finished, and nothing is left to do; --benchmark N does more rounds, --init begins anew`,
      ),

    /** Print that `--until` ended the run. */
    until() {
      screen.note(
        `logical time has reached --until ${formatExactDuration(flags.until)}; next is ${kernel.describeNext()}, at ${nextTime()}`,
      );
      screen.note(
        flags.memdb ? '--memdb keeps nothing' : 'to go on, give a later --until and --resume',
      );
    },

    /** @param {number} ran  cranks */
    some(ran) {
      const isBehind = flags.until !== undefined && (kernel.nextTimeNs ?? 0) > flags.until;
      const more = isBehind
        ? `more is queued, after --until ${formatExactDuration(flags.until)}`
        : 'more is queued';
      const rest = simulation.isQuiet ? 'nothing is queued' : more;
      screen.note(`ran ${countOf(ran, 'crank')}; ${rest}`);
    },

    /** With --json, print the value on standard output. @param {Record<string, unknown>} told */
    json(told) {
      if (!flags.json || answersLines) return;
      screen.print(
        formatJson({
          ...{ exitCode: process.exitCode ?? 0, state: flags.memdb ? null : stateDir },
          ...{ cranks: simulation.cranks.all, isQuiet: simulation.isQuiet },
          ...{ activityHash: simulation.activityHash(), ...told },
        }),
        { isResult: true },
      );
    },
  });
};
