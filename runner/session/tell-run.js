// Prints the end of a run beside the report: that it stopped or is finished, how to go on, its hash, its value as JSON.

import { formatExactDuration } from '#model';
import { formatJson } from '../output.js';
import { resumeCommand } from './settings.js';

/** @import { Simulation } from '#host' */
/** @import { Flags } from '../cli.js' */
/** @import { Screen } from './screen.js' */

/** So many differences are told. */
const mostDifferences = 10;

/** @param {string[]} differences  of a state that is taken up @param {Screen} screen */
export const tellDifferences = (differences, screen) => {
  if (differences.length === 0) return;
  screen.tell(
    "the state is not as its directory is now; the state's own is used (--init begins anew):",
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
    /** The hash after a block, if it is asked for of each. @param {number} blocks */
    blockHash(blocks) {
      if (flags.activityhash && flags.verbose)
        screen.say(`block ${blocks}: activity hash: ${simulation.activityHash()}\n`);
    },

    /** The hash of a run that has no report. */
    hash() {
      if (flags.activityhash) screen.print(`activity hash: ${simulation.activityHash()}\n`);
    },

    resume: () =>
      screen.note(
        flags.memdb ? '--memdb keeps nothing' : `go on with: ${resumeCommand(process.argv)}`,
      ),

    finished: () =>
      screen.note(
        `the run in ${stateDir} is finished, and nothing is left to do; --benchmark N does more rounds, --init begins anew`,
      ),

    /** A run that `--until` ended. */
    until() {
      screen.note(
        `logical time is at its end, --until ${formatExactDuration(flags.until)}; next is ${kernel.describeNext()}, at ${nextTime()}`,
      );
      screen.note(
        flags.memdb ? '--memdb keeps nothing' : 'to go on, give a later --until and --resume',
      );
    },

    /** @param {number} ran  cranks */
    some(ran) {
      const isBehind = flags.until !== undefined && (kernel.nextTimeNs ?? 0) > flags.until;
      const more = isBehind
        ? `more is queued, behind --until ${formatExactDuration(flags.until)}`
        : 'more is queued';
      const rest = simulation.isQuiet ? 'nothing is queued' : more;
      screen.note(`ran ${ran} ${ran === 1 ? 'crank' : 'cranks'}; ${rest}`);
    },

    /** With --json: the one value on standard output. @param {Record<string, unknown>} told */
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
